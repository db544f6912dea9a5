// SPDX-License-Identifier: MIT
/**
 * DOC: unpu-san: from files to a report
 */
#include "reports.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "output_files.h"
#include "san/formats/html.h"
#include "san/formats/json.h"
#include "san/formats/sarif.h"
#include "san/formats/text.h"

namespace san::tool {

static constexpr const char *TRACE = ".unpusan";

static std::string_view view(const File &file)
{
	return {file.bytes().data(), file.bytes().size()};
}

Session::Session(const Wishes &wishes) : wishes_(wishes)
{
	report_.set_by_part(wishes.by_mark);
	report_.set_drop([this](const Entry &entry) { return suppressions_.matches(entry); });
}

std::string Session::prepare()
{
	if (!wishes_.suppressions.empty()) {
		const File file(wishes_.suppressions);
		std::string why = file.problem();
		if (why.empty())
			why = suppressions_.read(view(file), wishes_.suppressions);
		if (!why.empty())
			return why;
	}
	if (wishes_.baseline.empty())
		return "";
	const File file(wishes_.baseline);
	if (!file.problem().empty())
		return file.problem();
	return read_json_report(view(file), wishes_.baseline, baseline_);
}

Options Session::options() const
{
	Options options;
	options.undefined_parts = wishes_.parts;
	return options;
}

std::string Session::add_file(const std::string &path)
{
	const File file(path);
	if (!file.problem().empty())
		return file.problem();
	if (file.bytes().empty() && std::filesystem::path(path).extension() != TRACE)
		return path + ": the file is empty";
	if (is_json_report(view(file)))
		return read_json_report(view(file), path, report_);
	return report_.add_trace(file.bytes(), path, resolver_, options());
}

/* The folders of the runs in a folder that has one folder per run. Repetitions of a run are left out. */
std::string Session::add_runs(const std::string &path)
{
	std::vector<std::string> runs;
	std::error_code error;
	for (const auto &each : std::filesystem::directory_iterator(path, error)) {
		const std::string name = each.path().filename();
		if (each.is_directory(error) && name.starts_with("run-") &&
		    !name.ends_with("-again"))
			runs.push_back(each.path());
	}
	std::sort(runs.begin(), runs.end());
	std::string why;
	for (size_t i = 0; i < runs.size() && why.empty(); i++)
		why = add_folder(runs[i]);
	return why;
}

std::string Session::add_folder(const std::string &path)
{
	std::vector<std::string> traces;
	std::error_code error;
	for (const auto &each : std::filesystem::directory_iterator(path, error)) {
		if (each.path().extension() == TRACE)
			traces.push_back(each.path());
	}
	if (error)
		return fmt::format("{}: {}", path, error.message());
	std::sort(traces.begin(), traces.end());
	if (traces.empty())
		return add_runs(path);
	std::vector<std::unique_ptr<File>> files;
	std::vector<Trace> run;
	for (const std::string &trace : traces) {
		files.push_back(std::make_unique<File>(trace));
		if (!files.back()->problem().empty())
			return files.back()->problem();
		run.push_back({files.back()->bytes(), trace});
	}
	return report_.add_run(run, resolver_, options());
}

void Session::finish()
{
	report_.mark_known(baseline_);
	for (const std::string &line : suppressions_.unused())
		complain(line + ": nothing matched this suppression", EXIT_CLEAN);
}

std::string Session::text_as(const std::string &format) const
{
	if (format == "json")
		return json_report(report_);
	if (format == "sarif")
		return sarif_report(report_, wishes_.root);
	if (format == "github")
		return github_report(report_, wishes_.root);
	if (format == "html")
		return html_report(report_);
	return text_report(report_);
}

std::string Session::write_all(const std::string &folder) const
{
	static constexpr std::pair<const char *, const char *> FORMS[] = {
		{"text", "report.txt"}, {"json", "report.json"}, {"sarif", "report.sarif"}};
	const std::filesystem::path place = folder;
	for (const auto &[format, name] : FORMS) {
		std::string text = text_as(format);
		if (format == FORMS[0].first)
			text += problem_lines(report_) + summary_line(report_);
		const std::string why = write_file(place / name, text);
		if (!why.empty())
			return why;
	}
	return "";
}

int Session::exit_code() const
{
	const bool warnings = wishes_.fail_on == "warning";
	if (wishes_.fail_on == "never")
		return EXIT_CLEAN;
	const bool found = report_.count(Severity::ERROR) > 0 ||
			   (warnings && report_.count(Severity::WARNING) > 0);
	return found ? wishes_.exit_code : EXIT_CLEAN;
}

} // namespace san::tool

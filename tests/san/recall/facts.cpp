// SPDX-License-Identifier: MIT
/**
 * DOC: what the judge and the definition say of a run
 *
 * facts FOLDER reads the traces of one run, and prints an object in JSON: "errors", what the judge reports as errors
 * and warnings; "races", what races by definition; "records"; "problem" of a trace that can't be read. Both lists
 * have texts that are the same in each run of a program.
 */
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "conflicts.h"
#include "san/judge/judge.h"
#include "san/trace/merge.h"

using namespace san;

static std::vector<std::string> read_traces(const std::filesystem::path &folder)
{
	std::vector<std::string> traces;
	for (const auto &entry : std::filesystem::directory_iterator(folder)) {
		if (entry.path().extension() != ".unpusan")
			continue;
		std::ifstream file(entry.path(), std::ios::binary);
		traces.emplace_back(std::istreambuf_iterator<char>(file),
				    std::istreambuf_iterator<char>());
	}
	return traces;
}

static std::string key_of(const Finding &finding)
{
	return std::string(rule_text(finding.rule)) + "\n" + finding.later.label + "\n" +
	       finding.later.site + "\n| " + finding.earlier.label + "\n" + finding.earlier.site;
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		std::cerr << "facts FOLDER\n";
		return 2;
	}
	std::set<std::string> errors;
	recall::Conflicts conflicts;
	Judge judge({}, [&](const Finding &finding) {
		if (rule_severity(finding.rule) != Severity::NOTE)
			errors.insert(key_of(finding));
	});
	const std::vector<std::string> traces = read_traces(argv[1]);
	Merger merger;
	for (const std::string &trace : traces)
		(void)merger.add(trace);
	for (Record record; merger.next(record);) {
		judge.take(record);
		conflicts.take(record);
	}
	judge.finish();
	std::string problem = judge.summary().problem;
	for (size_t i = 0; i < merger.count(); i++)
		problem += merger.reader(i).problem();
	const nlohmann::json facts = {{"errors", errors},
				      {"races", conflicts.races()},
				      {"records", judge.summary().records},
				      {"commands", judge.summary().commands},
				      {"problem", problem}};
	std::cout << facts.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) << "\n";
	return 0;
}

// SPDX-License-Identifier: MIT
/**
 * DOC: Configuration of dumps
 *
 * The section "dump", which aclInit and aclmdlSetDump read from their files. Unknown keys are accepted, as in the rest
 * of the file.
 */
#include "dump_config.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>

#include <nlohmann/json.hpp>

#include "acl/acl.h"
#include "base/json/text.h"
#include "hal/options.h"
#include "umd/acl/front.h"
#include "umd/core/process/thread_state.h"

namespace umd {

using Json = nlohmann::json;

aclError fail_dump(aclError code, const char *name, std::string text)
{
	note_error(name, std::move(text));
	ThreadState::mine().last_error = code;
	return code;
}

namespace {

/* Reads one section and keeps the first failure. */
class Section {
public:
	Section(const char *call, const Json &dump) : call_(call), dump_(dump) {}

	/* The value of a key, which must be one of @words. Return: words[0] if the key is missing. */
	std::string word(const char *key, std::initializer_list<const char *> words);
	/* The value of a key, which must be a text. Return: "" if the key is missing. */
	std::string text(const char *key);
	void check_texts(const char *key);
	void check_steps();
	void read_list(DumpChoice &choice);
	void refuse(const char *key, const std::string &why);

	aclError result() const { return result_; }

private:
	void read_entry(const Json &entry, DumpChoice &choice);

	const char *const call_;
	const Json &dump_;
	aclError result_ = ACL_SUCCESS;
};

void Section::refuse(const char *key, const std::string &why)
{
	if (result_ != ACL_SUCCESS)
		return;
	result_ = fail_dump(ACL_ERROR_INVALID_DUMP_CONFIG, "ACL_ERROR_INVALID_DUMP_CONFIG",
			    fmt::format("{}: dump.{} {}", call_, key, why));
}

std::string Section::text(const char *key)
{
	auto found = dump_.find(key);
	if (found == dump_.end())
		return "";
	if (found->is_string())
		return found->get<std::string>();
	refuse(key, "is " + found->dump() + "; it must be a text");
	return "";
}

std::string Section::word(const char *key, std::initializer_list<const char *> words)
{
	if (!dump_.contains(key))
		return *words.begin();
	const std::string given = text(key);
	std::string known;
	for (const char *word : words) {
		if (given == word)
			return given;
		known += (known.empty() ? "" : ", ") + std::string(word);
	}
	refuse(key, "is \"" + given + "\"; it must be one of: " + known);
	return *words.begin();
}

void Section::check_texts(const char *key)
{
	auto found = dump_.find(key);
	if (found == dump_.end())
		return;
	const bool right = found->is_array() &&
			   std::all_of(found->begin(), found->end(),
				       [](const Json &entry) { return entry.is_string(); });
	if (!right)
		refuse(key, "is " + found->dump() + "; it must be a list of texts");
}

/* Parses a list of steps such as "0|3-5|10", with at most 100 parts. */
void Section::check_steps()
{
	constexpr long MOST_PARTS = 100;
	const std::string steps = text("dump_step");
	const bool right = steps.find_first_not_of("0123456789|-") == std::string::npos &&
			   std::count(steps.begin(), steps.end(), '|') < MOST_PARTS;
	if (!right)
		refuse("dump_step",
		       "is \"" + steps + "\"; it must be up to 100 numbers or ranges, as 0|3-5");
}

void Section::read_entry(const Json &entry, DumpChoice &choice)
{
	if (!entry.is_object())
		return refuse("dump_list", "has the entry " + base::write_json(entry) +
						   "; it must be an object");
	const auto model = entry.find("model_name");
	const bool has_model = model != entry.end();
	if (has_model && !model->is_string())
		return refuse("dump_list", "has a model_name that is no text; write it in quotes");
	std::vector<std::string> layers;
	const auto layer = entry.find("layer");
	const bool has_layers = layer != entry.end();
	for (const Json &name : has_layers ? *layer : Json::array()) {
		if (!layer->is_array() || !name.is_string())
			return refuse("dump_list", "has a layer that is no list of texts; write "
						   "it as [\"name\"]");
		layers.push_back(name.get<std::string>());
	}
	if (has_model)
		choice.models.push_back({model->get<std::string>(), std::move(layers)});
	else
		choice.names.insert(choice.names.end(), layers.begin(), layers.end());
}

void Section::read_list(DumpChoice &choice)
{
	const auto found = dump_.find("dump_list");
	if (found == dump_.end())
		return;
	if (!found->is_array())
		return refuse("dump_list", "is " + found->dump() + "; it must be a list");
	for (const Json &entry : *found)
		read_entry(entry, choice);
}

/* Makes the path absolute now, because the program may change its working directory later. */
std::string absolute(const std::string &path)
{
	std::error_code error;
	const auto whole = std::filesystem::absolute(path, error);
	return path.empty() || error ? path : whole.string();
}

/* Makes the folder if it does not exist. */
void check_path(Section &section, const std::string &path)
{
	std::error_code error;
	if (path.empty())
		return section.refuse("dump_path", "is missing; it names the folder for the files");
	std::filesystem::create_directories(path, error);
	if (error || access(path.c_str(), W_OK | X_OK) != 0)
		section.refuse("dump_path",
			       "is \"" + path + "\", which is no folder that can be written to");
}

void read_faults(Section &section, DumpConfig &config)
{
	const std::string scene =
		section.word("dump_scene", {"", "lite_exception", "aic_err_brief_dump",
					    "aic_err_norm_dump", "aic_err_detail_dump"});
	config.faults = !scene.empty();
}

void read_data(Section &section, DumpConfig &config)
{
	DumpChoice &choice = config.choice;
	const std::string mode = section.word("dump_mode", {"output", "input", "all"});
	(void)section.word("dump_level", {"all", "op", "kernel"});
	choice.inputs = mode != "output";
	choice.outputs = mode != "input";
	choice.statistics = section.word("dump_data", {"tensor", "stats"}) == "stats";
	choice.overflow = section.word("dump_debug", {"off", "on"}) == "on";
	const bool operators = section.word("dump_op_switch", {"off", "on"}) == "on";
	section.check_texts("dump_stats");
	section.check_steps();
	section.read_list(choice);
	const bool models = !choice.models.empty();
	config.path = section.text("dump_path");
	choice.folder = absolute(config.path);
	if (choice.overflow && (operators || models))
		section.refuse("dump_debug", "is on together with dump_op_switch or models of "
					     "dump_list; only one of them can be");
	if (choice.overflow)
		choice.inputs = choice.outputs = true;
	choice.operators = operators || choice.overflow;
	/* A dump of failed operators excludes a dump of data. */
	config.data = !config.faults && (choice.operators || models);
	if (!config.faults)
		check_path(section, config.path);
}

} // namespace

aclError read_dump(const char *call, const std::string &text, bool needed, DumpConfig &config)
{
	/* aclInit has already checked its text, which may be empty. */
	const Json root = base::read_json<Json>(text);
	if (root.is_discarded() || !root.is_object()) {
		if (!needed)
			return ACL_SUCCESS;
		return fail_dump(ACL_ERROR_PARSE_FILE, "ACL_ERROR_PARSE_FILE",
				 fmt::format("{}: the file is not a JSON object", call));
	}
	auto dump = root.find("dump");
	if (dump == root.end() && !needed)
		return ACL_SUCCESS;
	if (dump == root.end() || !dump->is_object())
		return fail_dump(ACL_ERROR_INVALID_DUMP_CONFIG, "ACL_ERROR_INVALID_DUMP_CONFIG",
				 fmt::format("{}: the key dump must be an object", call));
	Section section(call, *dump);
	read_faults(section, config);
	read_data(section, config);
	return section.result();
}

std::string fault_path(const std::string &path)
{
	for (std::string folder :
	     {hal::environment("ASCEND_DUMP_PATH"), hal::environment("ASCEND_WORK_PATH"), path}) {
		if (!folder.empty())
			return absolute(folder) + "/extra-info/data-dump";
	}
	return absolute("extra-info/data-dump");
}

} // namespace umd

// SPDX-License-Identifier: MIT
/**
 * DOC: Profiling by the initialisation file
 *
 * The section "profiler" of the file switches profiling on from aclInit to aclFinalize. The trace has all kinds of data
 * whatever the section selects, so its other keys are only checked.
 */
#include "profile_config.h"

#include <atomic>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "acl/acl.h"
#include "acl/acl_prof.h"
#include "base/json/text.h"
#include "umd/acl/dump/dump_config.h"
#include "umd/acl/front.h"
#include "umd/core/watch/profiler.h"

namespace umd {

using base::Status;
using Json = nlohmann::json;

/* The address of this object identifies the profiling that the file asked for. */
static constinit std::atomic<bool> is_profiling{false};

static aclError refuse(const std::string &why)
{
	return fail_dump(ACL_ERROR_INVALID_PROFILING_CONFIG, "ACL_ERROR_INVALID_PROFILING_CONFIG",
			 "aclInit: profiler" + why);
}

/* @found: receives the value of the key. Return: false if the value is not a string. */
static bool read_text(const Json &section, const char *key, std::string &found)
{
	auto at = section.find(key);
	if (at == section.end())
		return true;
	if (at->is_string())
		found = at->get<std::string>();
	return at->is_string();
}

/* If the section names no folder, the results go to the working folder. */
static aclError start(const std::string &output)
{
	std::error_code error;
	const auto folder = std::filesystem::absolute(output.empty() ? "." : output, error);
	Status status = Profiler::get().init(error ? output : folder.string());
	if (status == Status::OK)
		status = Profiler::get().start(&is_profiling);
	is_profiling = status == Status::OK;
	return acl_return(status);
}

aclError begin_profile(const std::string &text)
{
	/* aclInit has already checked its text, which may be empty. */
	const Json root = base::read_json<Json>(text);
	if (root.is_discarded() || !root.is_object() || !root.contains("profiler"))
		return ACL_SUCCESS;
	const Json &section = root["profiler"];
	if (!section.is_object())
		return refuse(" is " + base::write_json(section) + "; it must be an object");
	std::string words[] = {"off", "", ""};
	static constexpr const char *KEYS[] = {"switch", "output", "storage_limit"};
	for (size_t i = 0; i < std::size(KEYS); i++) {
		if (!read_text(section, KEYS[i], words[i]))
			return refuse(fmt::format(".{} is {}; it must be a text", KEYS[i],
						  base::write_json(section[KEYS[i]])));
	}
	if (words[0] != "on" && words[0] != "off")
		return refuse(".switch is \"" + words[0] + "\"; it must be on or off");
	if (words[0] == "off")
		return ACL_SUCCESS;
	const std::string &limit = words[2];
	if (!limit.empty() &&
	    aclprofSetConfig(ACL_PROF_STORAGE_LIMIT, limit.c_str(), limit.size()) != ACL_SUCCESS)
		return refuse(".storage_limit is \"" + limit + "\"; it must be 200MB or more");
	return start(words[1]);
}

void end_profile()
{
	if (is_profiling.exchange(false))
		(void)Profiler::get().finalize();
}

} // namespace umd

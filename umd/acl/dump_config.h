// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "acl/acl_base.h"
#include "umd/dump.h"

namespace umd {

/** struct DumpConfig - what the section "dump" of a configuration says. */
struct DumpConfig {
	bool data = false;   /* of operators, as @choice says */
	bool faults = false; /* of operators that fail */
	std::string path;
	DumpChoice choice;
};

/** fail_dump() - keeps the sentence and the code of a failure. Return: @code. */
aclError fail_dump(aclError code, const char *name, std::string text);

/** read_dump() - reads the section from the text of a file.
 * @call: the function that was given the file, for sentences
 * @needed: there has to be one
 * Return: ACL_ERROR_PARSE_FILE, ACL_ERROR_INVALID_DUMP_CONFIG, with the sentence set. */
aclError read_dump(const char *call, const std::string &text, bool needed, DumpConfig &config);

/** fault_path() - the folder for faults. @path: of the configuration, or "" */
std::string fault_path(const std::string &path);

} // namespace umd

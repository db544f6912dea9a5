// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "acl/acl_base.h"
#include "dump.h"

namespace umd {

/** struct DumpConfig - the section "dump" of a configuration. */
struct DumpConfig {
	bool data = false;   /* dump data of operators; @choice selects which */
	bool faults = false; /* dump the inputs of operators that fail */
	std::string path;
	DumpChoice choice;
};

/** fail_dump() - stores the message and the code of a failure for the calling thread.
 * Return: @code. */
aclError fail_dump(aclError code, const char *name, std::string text);

/** read_dump() - reads the section from the text of a file.
 * @call: the API function that reads the file, for error messages
 * @needed: a missing section is an error
 * Return: on failure ACL_ERROR_PARSE_FILE or ACL_ERROR_INVALID_DUMP_CONFIG, and sets the error message. */
aclError read_dump(const char *call, const std::string &text, bool needed, DumpConfig &config);

/** fault_path() - the folder for dumps of failed operators.
 * @path: dump_path of the configuration, or "" */
std::string fault_path(const std::string &path);

} // namespace umd

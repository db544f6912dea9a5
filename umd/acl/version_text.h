// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace umd {

/** struct VersionParts - the parts of a version such as "8.0.RC1.alpha2" or "0.1.0". */
struct VersionParts {
	std::string major;   /* the first number */
	std::string minor;   /* the second */
	std::string patch;   /* the third */
	std::string release; /* the rest: "RC1.alpha2" */
};

/** split_version() - splits a version into its parts. A missing part is "". */
VersionParts split_version(std::string_view text);

/** version_number() - a number that increases with the version, as aclsysGetVersionNum() returns it.
 * Return: BAD_FILE if the text does not start with a number, or if a number has more than two
 * digits. */
base::Result<int32_t> version_number(std::string_view text);

/** find_version() - the value of the line "version=" of a version.info file, or "". */
std::string find_version(std::string_view file);

} // namespace umd

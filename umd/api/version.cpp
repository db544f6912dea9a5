// SPDX-License-Identifier: MIT
/**
 * DOC: Version and statuses
 *
 * The build sets the project's version. The texts of the statuses come from the list in uapi/status.h.
 */
#include <array>
#include <string_view>

#include "api.h"

/* The three numbers of "major.minor.patch". */
static constexpr std::array<int, 3> parse_version(std::string_view text)
{
	std::array<int, 3> numbers{};
	size_t part = 0;
	for (char c : text) {
		if (c == '.')
			part++;
		else
			numbers.at(part) = numbers.at(part) * 10 + (c - '0');
	}
	return numbers;
}

static constexpr std::array<int, 3> VERSION = parse_version(UNPU_VERSION_TEXT);

void unpu_version(int *major, int *minor, int *patch)
{
	if (major)
		*major = VERSION[0];
	if (minor)
		*minor = VERSION[1];
	if (patch)
		*patch = VERSION[2];
}

const char *unpu_status_name(unpu_result status)
{
	return base::status_name(static_cast<base::Status>(status));
}

const char *unpu_status_sentence(unpu_result status)
{
	return base::status_sentence(static_cast<base::Status>(status));
}

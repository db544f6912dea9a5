// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <string>

namespace bench {

/** make_folder() - a folder of its own, with a path that is short enough for a socket in it. Return: its path, which
 * the caller removes; empty when it can't be made. */
inline std::string make_folder()
{
	char folder[] = "/tmp/unpu-bench-XXXXXX";
	return mkdtemp(folder) ? folder : "";
}

} // namespace bench

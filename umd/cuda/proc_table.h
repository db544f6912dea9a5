// SPDX-License-Identifier: MIT
#pragma once

namespace umd::cuda {

/** struct EntryPoint - what a look-up found. */
struct EntryPoint {
	bool known = false; /* the name is there, in whatever version */
	void (*function)() = nullptr;
};

/** find_entry_point() - the newest symbol of @name that version @version has.
 * @thread: prefers the one for which NULL is the thread's own stream */
EntryPoint find_entry_point(const char *name, int version, bool thread);

} // namespace umd::cuda

// SPDX-License-Identifier: MIT
#pragma once

namespace umd::cuda {

/** struct EntryPoint - the result of a look-up. */
struct EntryPoint {
	bool is_known = false; /* true: some version has the name */
	void (*function)() = nullptr;
};

/** find_entry_point() - the newest symbol of @name in version @version.
 * @thread: prefer a symbol for which a NULL stream means the thread's own stream */
EntryPoint find_entry_point(const char *name, int version, bool thread);

} // namespace umd::cuda

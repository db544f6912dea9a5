// SPDX-License-Identifier: MIT
/*
 * DOC: libhwy's timer, without its instruction
 *
 * libhwy measures the resolution of its timer when it is loaded, by rdtscp. Valgrind does not know that
 * instruction on every host and ends the program there. This function is loaded before libhwy and takes
 * the place of the library's. The operators do not use it.
 */
#include <cstdint>

namespace hwy::platform {

__attribute__((visibility("default"))) uint64_t TimerResolution()
{
	return 1;
}

} // namespace hwy::platform

// SPDX-License-Identifier: MIT
/**
 * DOC: the library that stands before calls of the C library
 */
#include "program_calls.h"

#include <dlfcn.h>

namespace umd::recorder {

SetAction attach(const ProgramCalls &calls)
{
	const auto found = reinterpret_cast<san::Attach>(dlsym(RTLD_DEFAULT, san::ATTACH));
	return found ? found(&calls) : ::sigaction;
}

} // namespace umd::recorder

// SPDX-License-Identifier: MIT
#pragma once

#include <dlfcn.h>

#include "attach.h"

namespace san {

/** next_of() - the function of this name in the libraries behind this one. Return: nullptr if there is none. */
template <class Function> Function next_of(const char *name)
{
	return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

/** runtime_calls() - what the runtime has attached. Return: nullptr before it has a guard. */
const GuardCalls *runtime_calls();

} // namespace san

/** SAN_CALL() - begins a function that stands before one of the C library. */
#define SAN_CALL extern "C" [[gnu::visibility("default")]]

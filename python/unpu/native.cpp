// SPDX-License-Identifier: MIT
/**
 * DOC: The module unpu._native
 *
 * What the package unpu needs of the C interfaces and acl does not have: capture and replay, traces, the device.
 */
#include "python/call/module.h"

PyMODINIT_FUNC PyInit__native()
{
	return binding::create_modules();
}

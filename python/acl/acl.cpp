// SPDX-License-Identifier: MIT
/**
 * DOC: The module acl
 *
 * Loading it starts no thread and opens no device, so a program may fork before acl.init().
 */
#include "exit.h"
#include "python/call/module.h"

PyMODINIT_FUNC PyInit_acl()
{
	using namespace binding;
	Owned module(create_modules());
	const Owned path(PyList_New(0));
	if (!module || !path || PyObject_SetAttrString(module.get(), "__path__", path.get()) != 0 ||
	    !watch_exit())
		return nullptr;
	return module.release();
}

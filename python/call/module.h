// SPDX-License-Identifier: MIT
#pragma once

#include "python_api.h"

namespace binding {

/** struct ModuleTable - one module and its functions. */
struct ModuleTable {
	const char *name;
	PyMethodDef *methods;
};

/* The modules of the extension, the outermost first; it ends with a row of nullptr. The generator writes it. */
extern const ModuleTable module_tables[];

/** create_modules() - makes the modules of module_tables, each a member of its parent and in sys.modules. */
PyObject *create_modules();

} // namespace binding

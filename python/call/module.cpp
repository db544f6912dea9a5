// SPDX-License-Identifier: MIT
/**
 * DOC: Modules
 *
 * Programs write "import acl", "import acl.rt as rt" and "from acl.rt import memcpy". So that each of these works,
 * every module below the outermost is a member of it and in sys.modules, and the outermost looks like a package.
 */
#include "module.h"

#include <cstring>

namespace binding {

namespace {

constexpr size_t MOST_MODULES = 16;

PyModuleDef definitions[MOST_MODULES];

Owned create_module(const ModuleTable &table, PyModuleDef *definition)
{
	*definition = {};
	definition->m_base = PyModuleDef_HEAD_INIT;
	definition->m_name = table.name;
	definition->m_size = -1;
	definition->m_methods = table.methods;
	return Owned(PyModule_Create(definition));
}

/* Adds "acl.rt" as rt to acl and to sys.modules. Only the outermost module has no parent. */
bool add_below(PyObject *parent, const char *name, PyObject *module)
{
	PyObject *modules = PyImport_GetModuleDict();
	return PyObject_SetAttrString(parent, strrchr(name, '.') + 1, module) == 0 &&
	       PyDict_SetItemString(modules, name, module) == 0;
}

} // namespace

PyObject *create_modules()
{
	Owned outermost = create_module(module_tables[0], &definitions[0]);
	if (!outermost)
		return nullptr;
	for (size_t i = 1; i < MOST_MODULES && module_tables[i].name; i++) {
		const Owned module = create_module(module_tables[i], &definitions[i]);
		if (!module || !add_below(outermost.get(), module_tables[i].name, module.get()))
			return nullptr;
	}
	return outermost.release();
}

} // namespace binding

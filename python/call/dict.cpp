// SPDX-License-Identifier: MIT
/**
 * DOC: Structs as dicts
 *
 * A struct of the C interface is a dict in Python. Arguments have the names of the C fields; fields that a program
 * leaves out are zero.
 */
#include "dict.h"

namespace binding {

PyObject *Fields::find(const char *name) const
{
	if (!PyDict_Check(value_)) {
		PyErr_Format(PyExc_TypeError, "%s() argument %zd (%s) must be dict",
			     place_.function, place_.number, place_.name);
		return nullptr;
	}
	Owned key(PyUnicode_FromString(name));
	return key ? PyDict_GetItemWithError(value_, key.get()) : nullptr;
}

DictBuilder &DictBuilder::add(const char *name, PyObject *value)
{
	Owned owned(value);
	if (!dict_ || !owned || PyDict_SetItemString(dict_.get(), name, owned.get()) != 0)
		dict_ = Owned();
	return *this;
}

} // namespace binding

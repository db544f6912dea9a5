// SPDX-License-Identifier: MIT
/**
 * DOC: Structs as dicts
 *
 * A struct of the C interface is a dict in Python. Arguments have the names of the C fields; fields that a program
 * leaves out are zero, and others are refused.
 */
#include "dict.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace binding {

namespace {

/* Headers have each of these somewhere. What a program puts there has no meaning. */
constexpr const char *RESERVED[] = {"reserve", "reserved", "rsv"};

bool is_name(PyObject *key, const char *name)
{
	return PyUnicode_CompareWithASCIIString(key, name) == 0;
}

void refuse_key(PyObject *key, const Place &place, std::initializer_list<const char *> names)
{
	char known[256];
	int at = 0;
	for (const char *name : names)
		at += snprintf(known + at, sizeof(known) - static_cast<size_t>(at), "%s%s",
			       at == 0 ? "" : ", ", name);
	PyErr_Format(PyExc_TypeError, "%s() argument %zd (%s) has the key %R; its keys are %s",
		     place.function, place.number, place.name, key, known);
}

} // namespace

bool Fields::is_dict() const
{
	if (PyDict_Check(value_))
		return true;
	PyErr_Format(PyExc_TypeError, "%s() argument %zd (%s) must be dict", place_.function,
		     place_.number, place_.name);
	return false;
}

bool Fields::are(std::initializer_list<const char *> names) const
{
	if (!is_dict())
		return false;
	PyObject *key = nullptr;
	Py_ssize_t at = 0;
	while (PyDict_Next(value_, &at, &key, nullptr)) {
		const auto is_key = [key](const char *name) { return is_name(key, name); };
		if (PyUnicode_Check(key) &&
		    (std::any_of(names.begin(), names.end(), is_key) ||
		     std::any_of(std::begin(RESERVED), std::end(RESERVED), is_key)))
			continue;
		refuse_key(key, place_, names);
		return false;
	}
	return true;
}

PyObject *Fields::find(const char *name) const
{
	if (!is_dict())
		return nullptr;
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

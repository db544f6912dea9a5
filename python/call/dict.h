// SPDX-License-Identifier: MIT
#pragma once

#include "call.h"

namespace binding {

/** class Fields - the fields of a struct in a dict of the program. */
class Fields {
public:
	/** Fields() - @value must be a dict; if not, each read fails with a TypeError. */
	Fields(PyObject *value, const Place &place) : value_(value), place_(place) {}

	/** read() - reads the field @name. A field that the dict lacks keeps its value.
	 * Return: false with an error set. */
	template <class Value> bool read(const char *name, Value *out) const
	{
		PyObject *field = find(name);
		if (!field)
			return !PyErr_Occurred();
		return take(field, {place_.function, place_.number, name}, out);
	}

	/** find() - the field, borrowed. Return: nullptr where there is none, or with an error set. */
	PyObject *find(const char *name) const;

	const Place &place() const { return place_; }

private:
	PyObject *value_;
	Place place_;
};

/** class DictBuilder - a new dict. */
class DictBuilder {
public:
	DictBuilder() : dict_(PyDict_New()) {}

	/** add() - sets @name to @value, which it takes over. After a failure the result is nullptr. */
	DictBuilder &add(const char *name, PyObject *value);
	PyObject *release() { return dict_.release(); }

private:
	Owned dict_;
};

} // namespace binding

// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>

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

	/** are() - whether the dict has no fields but @names and those of reserved words; if not, a TypeError is set. A
	 * name that is spelt wrong would else be a field of 0. */
	bool are(std::initializer_list<const char *> names) const;

	/** has_any() - whether the dict has one of the fields. */
	template <size_t count> bool has_any(const char *const (&names)[count]) const
	{
		for (const char *name : names) {
			if (find(name))
				return true;
		}
		return false;
	}

	/** find() - the field, borrowed. Return: nullptr where there is none, or with an error set. */
	PyObject *find(const char *name) const;

	const Place &place() const { return place_; }

private:
	bool is_dict() const;

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

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "python_api.h"

namespace binding {

/** give() - the Python object of a C value. Return: a new reference, or nullptr with an error set. */
template <class Number>
requires std::is_integral_v<Number> || std::is_enum_v<Number> PyObject *give(Number value)
{
	if constexpr (std::is_enum_v<Number> || std::is_signed_v<Number>)
		return PyLong_FromLongLong(static_cast<long long>(value));
	else
		return PyLong_FromUnsignedLongLong(value);
}

inline PyObject *give(double value)
{
	return PyFloat_FromDouble(value);
}
inline PyObject *give(const void *address)
{
	return PyLong_FromUnsignedLongLong(reinterpret_cast<uintptr_t>(address));
}
/** give_text() - a str of UTF-8, whose wrong bytes are shown as U+FFFD; None for nullptr. */
PyObject *give_text(const char *text);

/** give_all() - a tuple of the objects, which it takes over. If one of them is nullptr: nullptr. */
template <class... Objects> PyObject *give_all(Objects... objects)
{
	PyObject *all[] = {objects...};
	bool whole = true;
	for (PyObject *object : all)
		whole = whole && object;
	PyObject *tuple = whole ? PyTuple_New(sizeof...(objects)) : nullptr;
	for (Py_ssize_t i = 0; i < static_cast<Py_ssize_t>(sizeof...(objects)); i++) {
		if (tuple)
			PyTuple_SetItem(tuple, i, all[i]);
		else
			Py_XDECREF(all[i]);
	}
	return tuple;
}

} // namespace binding

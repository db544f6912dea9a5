// SPDX-License-Identifier: MIT
#pragma once

/* The stable interface of CPython 3.10: one file serves every later version. */
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030a0000
#endif
#ifndef PY_SSIZE_T_CLEAN
#define PY_SSIZE_T_CLEAN
#endif
#include <Python.h>

#include <utility>

namespace binding {

/** class Owned - a reference to a Python object, or none. Context: a thread that has the GIL. */
class Owned {
public:
	Owned() = default;
	explicit Owned(PyObject *object) : object_(object) {}
	Owned(Owned &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
	Owned &operator=(Owned &&other) noexcept
	{
		std::swap(object_, other.object_);
		return *this;
	}
	~Owned() { Py_XDECREF(object_); }

	explicit operator bool() const { return object_ != nullptr; }
	PyObject *get() const { return object_; }
	PyObject *release() { return std::exchange(object_, nullptr); }

private:
	PyObject *object_ = nullptr;
};

/**
 * attribute_of() - the attribute @name of @object, or nothing with an error set.
 *
 * CPython's cache of attributes keeps the name of each lookup. A name made anew for each call would therefore stay in
 * memory; an interned one is the same object each time.
 */
inline Owned attribute_of(PyObject *object, const char *name)
{
	const Owned interned(PyUnicode_InternFromString(name));
	return Owned(interned ? PyObject_GetAttr(object, interned.get()) : nullptr);
}

/** new_reference() - another reference to @object. */
inline PyObject *new_reference(PyObject *object)
{
	Py_XINCREF(object);
	return object;
}

} // namespace binding

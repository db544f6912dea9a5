// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>

#include "call.h"
#include "python_api.h"

namespace binding {

/**
 * class Sequence - a list or tuple of an argument as an array of C. What its elements point to belongs to Python
 * objects in the list, so the list must stay as it is while the array is in use.
 */
template <class Element> class Sequence {
public:
	Sequence() = default;
	Sequence(const Sequence &) = delete;
	Sequence &operator=(const Sequence &) = delete;
	~Sequence() { free(elements_); }

	/** read() - converts each element. Return: false with an error set. */
	bool read(PyObject *list, const Place &place)
	{
		if (!PyList_Check(list) && !PyTuple_Check(list)) {
			PyErr_Format(PyExc_TypeError, "%s() argument %zd (%s) must be list",
				     place.function, place.number, place.name);
			return false;
		}
		const Py_ssize_t count = PySequence_Size(list);
		if (count < 0)
			return false;
		elements_ = static_cast<Element *>(
			calloc(static_cast<size_t>(count) + 1, sizeof(Element)));
		if (!elements_) {
			PyErr_NoMemory();
			return false;
		}
		for (; count_ < static_cast<size_t>(count); count_++) {
			Owned item(PySequence_GetItem(list, static_cast<Py_ssize_t>(count_)));
			if (!item || !take(item.get(), place, &elements_[count_]))
				return false;
		}
		return true;
	}

	/** of_length() - whether it has @count elements; if not, a ValueError is set. */
	bool of_length(size_t count, const Place &place) const
	{
		if (count_ == count)
			return true;
		PyErr_Format(PyExc_ValueError,
			     "%s() argument %zd (%s) has %zu elements; it must have %zu, as the "
			     "list before it",
			     place.function, place.number, place.name, count_, count);
		return false;
	}

	/* The C interface takes many arrays that it only reads as pointers to what can be written. */
	Element *data() const { return elements_; }
	size_t size() const { return count_; }

private:
	Element *elements_ = nullptr;
	size_t count_ = 0;
};

} // namespace binding

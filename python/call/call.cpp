// SPDX-License-Identifier: MIT
/**
 * DOC: Arguments
 *
 * Converts the arguments of a Python call to C. Numbers are Python integers or objects with __index__(), as numpy's
 * integers are; None, text and floating-point numbers are a TypeError, as no handle and no size is one. A number that
 * the C type cannot hold is an OverflowError.
 */
#include "call.h"

namespace binding {

namespace {

bool refuse_type(PyObject *value, const Place &place, const char *wanted)
{
	PyErr_Clear();
	const Owned type = attribute_of(reinterpret_cast<PyObject *>(Py_TYPE(value)), "__name__");
	if (!type)
		return false;
	PyErr_Format(PyExc_TypeError, "%s() argument %zd (%s) must be %s, not %U", place.function,
		     place.number, place.name, wanted, type.get());
	return false;
}

/* The integer that @value is or stands for. */
Owned integer_of(PyObject *value, const Place &place)
{
	Owned number(PyNumber_Index(value));
	/* What __index__() of the program raises is the program's. */
	if (!number && PyErr_ExceptionMatches(PyExc_TypeError))
		refuse_type(value, place, "int");
	return number;
}

bool refuse_range(PyObject *value, const Place &place, const char *limits)
{
	PyErr_Clear();
	PyErr_Format(PyExc_OverflowError, "%s() argument %zd (%s) is %R; it must be %s",
		     place.function, place.number, place.name, value, limits);
	return false;
}

bool refuse_signed(PyObject *value, const Place &place, int64_t least, int64_t most)
{
	char limits[64];
	PyOS_snprintf(limits, sizeof(limits), "from %lld to %lld", static_cast<long long>(least),
		      static_cast<long long>(most));
	return refuse_range(value, place, limits);
}

bool refuse_unsigned(PyObject *value, const Place &place, uint64_t most)
{
	char limits[64];
	PyOS_snprintf(limits, sizeof(limits), "from 0 to %llu",
		      static_cast<unsigned long long>(most));
	return refuse_range(value, place, limits);
}

} // namespace

bool take_signed(PyObject *value, const Place &place, int64_t least, int64_t most, int64_t *out)
{
	Owned made;
	if (!PyLong_Check(value)) [[unlikely]] {
		made = integer_of(value, place);
		if (!made)
			return false;
		value = made.get();
	}
	const long long number = PyLong_AsLongLong(value);
	if (number == -1 && PyErr_Occurred())
		return refuse_signed(value, place, least, most);
	if (number < least || number > most)
		return refuse_signed(value, place, least, most);
	*out = number;
	return true;
}

bool take_unsigned(PyObject *value, const Place &place, uint64_t most, uint64_t *out)
{
	Owned made;
	if (!PyLong_Check(value)) [[unlikely]] {
		made = integer_of(value, place);
		if (!made)
			return false;
		value = made.get();
	}
	const unsigned long long number = PyLong_AsUnsignedLongLong(value);
	if (number == ULLONG_MAX && PyErr_Occurred())
		return refuse_unsigned(value, place, most);
	if (number > most)
		return refuse_unsigned(value, place, most);
	*out = number;
	return true;
}

bool take(PyObject *value, const Place &place, double *out)
{
	const double number = PyFloat_AsDouble(value);
	if (number == -1.0 && PyErr_Occurred())
		return PyErr_ExceptionMatches(PyExc_TypeError) &&
		       refuse_type(value, place, "float");
	*out = number;
	return true;
}

bool take(PyObject *value, const Place &place, float *out)
{
	double number = 0;
	if (!take(value, place, &number))
		return false;
	*out = static_cast<float>(number);
	return true;
}

bool take(PyObject *value, const Place &place, const char **out)
{
	if (!PyUnicode_Check(value))
		return refuse_type(value, place, "str");
	Py_ssize_t bytes = 0;
	const char *text = PyUnicode_AsUTF8AndSize(value, &bytes);
	if (!text)
		return false;
	for (Py_ssize_t i = 0; i < bytes; i++) {
		if (text[i] == '\0') {
			PyErr_Format(PyExc_ValueError,
				     "%s() argument %zd (%s) has a null character", place.function,
				     place.number, place.name);
			return false;
		}
	}
	*out = text;
	return true;
}

void Call::refuse_count(Py_ssize_t wanted) const
{
	PyErr_Format(PyExc_TypeError, "%s() takes %zd arguments, %zd given", function_, wanted,
		     given_);
}

} // namespace binding

// SPDX-License-Identifier: MIT
#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "frame.h"
#include "python_api.h"

namespace binding {

/** struct Place - an argument of a call, for sentences about it. */
struct Place {
	const char *function;
	Py_ssize_t number; /* from 1 on */
	const char *name;
};

/**
 * take_signed() - reads an integer, or an object that has __index__().
 * Return: false with a TypeError for other objects, or an OverflowError for other numbers.
 */
bool take_signed(PyObject *value, const Place &place, int64_t least, int64_t most, int64_t *out);

/** take_unsigned() - the same for an integer from 0 on. */
bool take_unsigned(PyObject *value, const Place &place, uint64_t most, uint64_t *out);

/** take() - reads a value into @out. Return: false with an error set. */
bool take(PyObject *value, const Place &place, double *out);
bool take(PyObject *value, const Place &place, float *out);
/** take() - reads a str. The text belongs to the object. */
bool take(PyObject *value, const Place &place, const char **out);

template <class Number>
requires std::is_integral_v<Number> || std::is_enum_v<Number>
bool take(PyObject *value, const Place &place, Number *out)
{
	if constexpr (std::is_enum_v<Number>) {
		/* Enumerators are the interface's; the C function judges what is none of them. */
		int64_t number = 0;
		if (!take_signed(value, place, INT_MIN, INT_MAX, &number))
			return false;
		*out = static_cast<Number>(number);
	} else if constexpr (std::is_signed_v<Number>) {
		constexpr int bits = 8 * sizeof(Number) - 1;
		constexpr auto most = static_cast<int64_t>((uint64_t{1} << bits) - 1);
		int64_t number = 0;
		if (!take_signed(value, place, -most - 1, most, &number))
			return false;
		*out = static_cast<Number>(number);
	} else {
		constexpr uint64_t most = UINT64_MAX >> (64 - 8 * sizeof(Number));
		uint64_t number = 0;
		if (!take_unsigned(value, place, most, &number))
			return false;
		*out = static_cast<Number>(number);
	}
	return true;
}

/** take() - reads an address or a handle, which is an integer. */
template <class Target> bool take(PyObject *value, const Place &place, Target **out)
{
	uint64_t number = 0;
	if (!take_unsigned(value, place, UINT64_MAX, &number))
		return false;
	*out = reinterpret_cast<Target *>(static_cast<uintptr_t>(number));
	return true;
}

/** take() - reads a dict. The structs that can be arguments have specialisations of it. */
template <class Struct>
requires std::is_class_v<Struct> || std::is_union_v<Struct>
bool take(PyObject *value, const Place &place, Struct *out);

/** class Call - the arguments of one call of a Python function. */
class Call {
public:
	Call(const char *function, PyObject *const *arguments, Py_ssize_t given, Py_ssize_t wanted)
		: function_(function), arguments_(arguments), given_(given), fits_(given == wanted)
	{
		if (!fits_) [[unlikely]]
			refuse_count(wanted);
	}

	/** fits() - whether the number of arguments is right; if not, a TypeError is set. */
	bool fits() const { return fits_; }

	/** take() - reads argument @index, which the interface calls @name. */
	template <class Value> bool take(Py_ssize_t index, const char *name, Value *out) const
	{
		return binding::take(arguments_[index], place(index, name), out);
	}

	Place place(Py_ssize_t index, const char *name) const
	{
		return {function_, index + 1, name};
	}
	PyObject *argument(Py_ssize_t index) const { return arguments_[index]; }

private:
	void refuse_count(Py_ssize_t wanted) const;

	const char *function_;
	PyObject *const *arguments_;
	Py_ssize_t given_;
	bool fits_;
};

/** without_gil() - calls @function while other Python threads run. */
template <class Function> auto without_gil(const Function &function)
{
	const CallSite site;
	PyThreadState *state = PyEval_SaveThread();
	const auto value = function();
	PyEval_RestoreThread(state);
	return value;
}

} // namespace binding

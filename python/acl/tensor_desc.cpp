// SPDX-License-Identifier: MIT
/**
 * DOC: Ranges of the dimensions of tensors
 *
 * A range is a list of the least and the greatest length.
 */
#include "acl/acl.h"
#include "python/call/call.h"
#include "python/call/result.h"
#include "python/call/sequence.h"

namespace binding {

namespace {

constexpr size_t PAIR = ACL_TENSOR_SHAPE_RANGE_NUM;

/* A range as an element of a list. */
struct Range {
	int64_t numbers[PAIR];
};

} // namespace

template <> bool take(PyObject *value, const Place &place, Range *out)
{
	Sequence<int64_t> numbers;
	if (!numbers.read(value, place))
		return false;
	if (numbers.size() != PAIR) {
		PyErr_Format(PyExc_ValueError,
			     "%s() argument %zd (%s) has a range of %zu numbers; it must have 2",
			     place.function, place.number, place.name, numbers.size());
		return false;
	}
	*out = {{numbers.data()[0], numbers.data()[1]}};
	return true;
}

PyObject *acl_set_tensor_shape_range(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.set_tensor_shape_range", arguments, given, 2);
	aclTensorDesc *desc = nullptr;
	Sequence<Range> ranges;
	if (!call.fits() || !call.take(0, "desc", &desc) ||
	    !ranges.read(call.argument(1), call.place(1, "dims_range")))
		return nullptr;
	static_assert(sizeof(Range) == sizeof(int64_t[PAIR]));
	auto *pairs = reinterpret_cast<int64_t(*)[PAIR]>(ranges.data());
	return give(aclSetTensorShapeRange(desc, ranges.size(), pairs));
}

PyObject *acl_get_tensor_desc_dim_range(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.get_tensor_desc_dim_range", arguments, given, 3);
	aclTensorDesc *desc = nullptr;
	size_t index = 0;
	size_t room = 0;
	if (!call.fits() || !call.take(0, "desc", &desc) || !call.take(1, "index", &index) ||
	    !call.take(2, "dim_range_num", &room))
		return nullptr;
	int64_t range[PAIR] = {};
	const aclError ret = aclGetTensorDescDimRange(desc, index, room, range);
	return give_all(Py_BuildValue("[LL]", static_cast<long long>(range[0]),
				      static_cast<long long>(range[1])),
			give(ret));
}

} // namespace binding

// SPDX-License-Identifier: MIT
/**
 * DOC: Attributes of streams
 *
 * The value of an attribute is a union. The dict has the field that the attribute's number names; what a program gets
 * of an unknown one are the words of the union. A program may give other fields of the union too.
 */
#include <iterator>

#include "acl/acl.h"
#include "python/call/call.h"
#include "python/call/dict.h"
#include "python/call/result.h"

namespace binding {

namespace {

PyObject *give_value(aclrtStreamAttr attribute, const aclrtStreamAttrValue &value)
{
	DictBuilder dict;
	switch (attribute) {
	case ACL_STREAM_ATTR_FAILURE_MODE:
		return dict.add("failure_mode", give(value.failureMode)).release();
	case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
		return dict.add("overflow_switch", give(value.overflowSwitch)).release();
	case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
		return dict.add("user_custom_tag", give(value.userCustomTag)).release();
	case ACL_STREAM_ATTR_CACHE_OP_INFO:
		return dict.add("cache_op_info_switch", give(value.cacheOpInfoSwitch)).release();
	case ACL_STREAM_ATTR_PRIORITY:
		return dict.add("stream_priority", give(value.streamPriority)).release();
	}
	return dict
		.add("reserve", give_all(give(value.reserve[0]), give(value.reserve[1]),
					 give(value.reserve[2]), give(value.reserve[3])))
		.release();
}

/* Without the attribute's field, the value is 0 if the dict has only reserved words. */
bool take_value(PyObject *given, const Place &place, aclrtStreamAttr attribute,
		aclrtStreamAttrValue *out)
{
	static constexpr const char *NAMES[] = {"failureMode", "overflowSwitch", "userCustomTag",
						"cacheOpInfoSwitch", "streamPriority"};
	const Fields fields(given, place);
	if (!fields.are({NAMES[0], NAMES[1], NAMES[2], NAMES[3], NAMES[4]}))
		return false;
	const auto number = static_cast<size_t>(attribute - ACL_STREAM_ATTR_FAILURE_MODE);
	if (number >= std::size(NAMES))
		return true;
	if (!fields.find(NAMES[number]) && !PyErr_Occurred() && fields.has_any(NAMES))
		PyErr_Format(PyExc_TypeError,
			     "%s() argument %zd (%s) has no %s, which attribute %d is",
			     place.function, place.number, place.name, NAMES[number],
			     static_cast<int>(attribute));
	if (PyErr_Occurred())
		return false;
	return attribute == ACL_STREAM_ATTR_FAILURE_MODE
		       ? fields.read(NAMES[number], &out->failureMode)
		       : fields.read(NAMES[number], &out->overflowSwitch);
}

} // namespace

PyObject *acl_rt_set_stream_attribute(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.rt.set_stream_attribute", arguments, given, 3);
	aclrtStream stream = nullptr;
	aclrtStreamAttr attribute{};
	aclrtStreamAttrValue value{};
	if (!call.fits() || !call.take(0, "stream", &stream) ||
	    !call.take(1, "stm_attr_type", &attribute) ||
	    !take_value(call.argument(2), call.place(2, "value"), attribute, &value))
		return nullptr;
	return give(
		without_gil([&] { return aclrtSetStreamAttribute(stream, attribute, &value); }));
}

PyObject *acl_rt_get_stream_attribute(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.rt.get_stream_attribute", arguments, given, 2);
	aclrtStream stream = nullptr;
	aclrtStreamAttr attribute{};
	if (!call.fits() || !call.take(0, "stream", &stream) || !call.take(1, "attr", &attribute))
		return nullptr;
	aclrtStreamAttrValue value{};
	const aclError ret =
		without_gil([&] { return aclrtGetStreamAttribute(stream, attribute, &value); });
	return give_all(give_value(attribute, value), give(ret));
}

} // namespace binding

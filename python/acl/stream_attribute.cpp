// SPDX-License-Identifier: MIT
/**
 * DOC: Attributes of streams
 *
 * The value of an attribute is a union. The dict has the field that the attribute's number names, or, for an unknown
 * one, the words of the union.
 */
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

} // namespace

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

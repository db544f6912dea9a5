// SPDX-License-Identifier: MIT
/**
 * DOC: Failures and logs
 *
 * The sentences that acl.get_recent_err_msg() gives: the binding's own, of functions that only Python has or that are
 * refused, before those of the library. acl.app_log() logs a text with the line of the Python program.
 */
#include "failure.h"

#include <cstdarg>
#include <cstdio>
#include <utility>

#include "acl/acl.h"
#include "python/call/call.h"
#include "python/call/frame.h"
#include "python/call/result.h"

namespace binding {

namespace {

thread_local char sentence[240];

} // namespace

void note_failure(const char *format, ...)
{
	va_list values;
	va_start(values, format);
	vsnprintf(sentence, sizeof(sentence), format, values);
	va_end(values);
}

PyObject *refuse(const char *function, const char *why, int count)
{
	note_failure("%s() is not supported: %s", function, why);
	if (count == 0)
		return give(0);
	if (count == 1)
		return give(ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
	Owned values(PyTuple_New(count));
	for (int i = 0; values && i < count; i++) {
		const int value = i < count - 1 ? 0 : ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
		PyObject *number = give(value);
		if (!number)
			return nullptr;
		PyTuple_SetItem(values.get(), i, number);
	}
	return values.release();
}

PyObject *acl_get_recent_err_msg(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.get_recent_err_msg", arguments, given, 0);
	if (!call.fits())
		return nullptr;
	const char *others = aclGetRecentErrMsg();
	if (sentence[0] == '\0')
		return give_text(others);
	PyObject *text =
		PyUnicode_FromFormat("%s%s%s", sentence, others ? "\n" : "", others ? others : "");
	sentence[0] = '\0';
	return text;
}

PyObject *acl_app_log(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.app_log", arguments, given, 2);
	aclLogLevel level{};
	const char *text = nullptr;
	if (!call.fits() || !call.take(0, "level", &level) || !call.take(1, "text", &text))
		return nullptr;
	const Line line = calling_line();
	aclAppLog(level, line.function, line.file, static_cast<uint32_t>(line.number), "%s", text);
	return new_reference(Py_None);
}

PyObject *acl_get_cann_attribute_list(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.get_cann_attribute_list", arguments, given, 0);
	if (!call.fits())
		return nullptr;
	const aclCannAttr *attributes = nullptr;
	size_t count = 0;
	const aclError ret = aclGetCannAttributeList(&attributes, &count);
	Owned list(PyList_New(0));
	for (size_t i = 0; list && ret == ACL_SUCCESS && i < count; i++) {
		const Owned number(give(attributes[i]));
		if (!number || PyList_Append(list.get(), number.get()) != 0)
			return nullptr;
	}
	return give_all(list.release(), give(ret));
}

} // namespace binding

// SPDX-License-Identifier: MIT
/**
 * DOC: Lines of Python programs
 *
 * For reports and for acl.app_log(): where in a Python program a call stands.
 */
#include "frame.h"

namespace binding {

namespace {

/* The text of an attribute of @code, which keeps it alive. */
const char *text_of(PyObject *code, const char *name)
{
	const Owned text = attribute_of(code, name);
	const char *bytes = text ? PyUnicode_AsUTF8AndSize(text.get(), nullptr) : nullptr;
	PyErr_Clear();
	return bytes ? bytes : "unknown";
}

} // namespace

Line line_of(PyObject *code, int number)
{
	return {Owned(new_reference(code)), text_of(code, "co_filename"), text_of(code, "co_name"),
		number};
}

Line calling_line()
{
	PyFrameObject *frame = PyEval_GetFrame();
	if (!frame)
		return {};
	const Owned code(reinterpret_cast<PyObject *>(PyFrame_GetCode(frame)));
	return line_of(code.get(), PyFrame_GetLineNumber(frame));
}

} // namespace binding

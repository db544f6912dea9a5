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
	const Owned text(PyObject_GetAttrString(code, name));
	const char *bytes = text ? PyUnicode_AsUTF8AndSize(text.get(), nullptr) : nullptr;
	PyErr_Clear();
	return bytes ? bytes : "unknown";
}

} // namespace

Line calling_line()
{
	Line line;
	PyFrameObject *frame = PyEval_GetFrame();
	if (!frame)
		return line;
	line.number = PyFrame_GetLineNumber(frame);
	line.code = Owned(reinterpret_cast<PyObject *>(PyFrame_GetCode(frame)));
	line.file = text_of(line.code.get(), "co_filename");
	line.function = text_of(line.code.get(), "co_name");
	return line;
}

} // namespace binding

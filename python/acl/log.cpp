// SPDX-License-Identifier: MIT
/**
 * DOC: Logs of programs
 *
 * acl.app_log() logs a text together with the line of the Python program.
 */
#include "acl/acl.h"
#include "python/call/call.h"
#include "python/call/frame.h"

namespace binding {

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

} // namespace binding

// SPDX-License-Identifier: MIT
#pragma once

#include "python_api.h"
#include "unpu/sanitizer.h"

namespace binding {

/** struct Line - a line of a Python program. The texts belong to the code object. */
struct Line {
	Owned code;
	const char *file = "unknown";
	const char *function = "unknown";
	int number = 0;
};

/** line_of() - line @number of @code, a code object. */
Line line_of(PyObject *code, int number);

/** calling_line() - the line that called a function of the binding. */
Line calling_line();

/**
 * class CallSite - while it exists, and the library records or checks, the Python frames of the thread are the call
 * stack of its calls.
 *
 * Context: a thread that has the GIL when it is made. It may be gone without the GIL.
 */
class CallSite {
public:
	CallSite()
	{
		if (unpu_san_records()) [[unlikely]]
			tell();
	}
	~CallSite()
	{
		if (is_told_) [[unlikely]]
			forget();
	}
	CallSite(const CallSite &) = delete;
	CallSite &operator=(const CallSite &) = delete;

private:
	void tell();
	void forget();

	bool is_told_ = false;
	unpu_san_stack own_{}; /* of a stack that is not kept */
	const unpu_san_stack *before_ = nullptr;
};

} // namespace binding

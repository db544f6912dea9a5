// SPDX-License-Identifier: MIT
#pragma once

namespace binding {

/** watch_exit() - from now on the end of the interpreter is known. Return: false with an error set. */
bool watch_exit();

/**
 * class PythonCall - a thread of the library, or of a report, that calls Python. At the end of the interpreter no new
 * one begins, and the end waits for those that run.
 */
class PythonCall {
public:
	PythonCall();
	~PythonCall();
	PythonCall(const PythonCall &) = delete;
	PythonCall &operator=(const PythonCall &) = delete;

	/** allowed() - whether Python may be called. */
	bool allowed() const { return allowed_; }

private:
	bool allowed_;
};

} // namespace binding

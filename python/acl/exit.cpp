// SPDX-License-Identifier: MIT
/**
 * DOC: The end of the interpreter
 *
 * A thread that asks for the GIL while the interpreter ends is ended by it, with frames of the library on its stack.
 * So a function that atexit calls, while everything still works, stops new calls and waits for those that run.
 */
#include "exit.h"

#include <ctime>

#include <pthread.h>

#include "python/call/call.h"

namespace binding {

namespace {

/* A callback that never returns must not keep the process from its end. */
constexpr time_t MOST_SECONDS = 10;

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* protects the following */
pthread_cond_t none_runs = PTHREAD_COND_INITIALIZER;
bool ends = false;
int running = 0;

bool wait_for_calls()
{
	timespec deadline{};
	clock_gettime(CLOCK_MONOTONIC, &deadline);
	deadline.tv_sec += MOST_SECONDS;
	pthread_mutex_lock(&mutex);
	ends = true;
	int error = 0;
	while (running > 0 && error == 0)
		error = pthread_cond_clockwait(&none_runs, &mutex, CLOCK_MONOTONIC, &deadline);
	pthread_mutex_unlock(&mutex);
	return error == 0;
}

PyObject *end_calls(PyObject *, PyObject *)
{
	without_gil(wait_for_calls);
	return new_reference(Py_None);
}

PyMethodDef end_calls_method = {"end_calls", end_calls, METH_NOARGS, nullptr};

/* The child of a fork has none of the threads that were calling. */
void forget_calls()
{
	pthread_mutex_init(&mutex, nullptr);
	pthread_cond_init(&none_runs, nullptr);
	running = 0;
}

} // namespace

bool watch_exit()
{
	pthread_atfork(nullptr, nullptr, forget_calls);
	Owned atexit(PyImport_ImportModule("atexit"));
	Owned function(atexit ? PyCFunction_New(&end_calls_method, nullptr) : nullptr);
	if (!function)
		return false;
	const Owned done(PyObject_CallMethod(atexit.get(), "register", "O", function.get()));
	return static_cast<bool>(done);
}

PythonCall::PythonCall()
{
	pthread_mutex_lock(&mutex);
	allowed_ = !ends;
	running += allowed_ ? 1 : 0;
	pthread_mutex_unlock(&mutex);
}

PythonCall::~PythonCall()
{
	if (!allowed_)
		return;
	pthread_mutex_lock(&mutex);
	if (--running == 0)
		pthread_cond_signal(&none_runs);
	pthread_mutex_unlock(&mutex);
}

} // namespace binding

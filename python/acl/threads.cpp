// SPDX-License-Identifier: MIT
/**
 * DOC: Threads that process reports
 *
 * acl.util.start_thread() gives the number of a thread that acl.rt.subscribe_report() takes: its pthread_t.
 * acl.util.stop_thread() joins it; it does not ask the thread to end, which the program does by its own means.
 */
#include <cerrno>
#include <cstdlib>

#include <pthread.h>
#include <unistd.h>

#include "acl/acl.h"
#include "exit.h"
#include "failure.h"
#include "python/call/call.h"
#include "python/call/result.h"

namespace binding {

namespace {

/* The function of a new thread. */
struct Work {
	PyObject *function;
	PyObject *argument;
};

/* A thread that may be stopped. Threads do not outlive a fork. */
struct Thread {
	pthread_t id;
	pid_t process;
	Thread *next;
};

/* Belongs to the thread that has the GIL. */
Thread *threads = nullptr;

void *run(void *given)
{
	auto *work = static_cast<Work *>(given);
	PyGILState_STATE state;
	{
		/* An interpreter that ends has no room for a new thread. What the thread holds ends with it. */
		const PythonCall beginning;
		if (!beginning.allowed()) {
			free(work);
			return nullptr;
		}
		state = PyGILState_Ensure();
	}
	PyObject *result = PyObject_CallFunctionObjArgs(work->function, work->argument, nullptr);
	if (!result)
		PyErr_WriteUnraisable(work->function);
	Py_XDECREF(result);
	Py_DECREF(work->function);
	Py_DECREF(work->argument);
	PyGILState_Release(state);
	free(work);
	return nullptr;
}

/* Starts a thread. Return: an error number. */
int start(PyObject *function, PyObject *argument, pthread_t *id)
{
	auto *work = static_cast<Work *>(malloc(sizeof(Work)));
	auto *thread = static_cast<Thread *>(malloc(sizeof(Thread)));
	if (!work || !thread) {
		free(work);
		free(thread);
		return ENOMEM;
	}
	*work = {new_reference(function), new_reference(argument)};
	const int error = pthread_create(&thread->id, nullptr, run, work);
	if (error) {
		Py_DECREF(work->function);
		Py_DECREF(work->argument);
		free(work);
		free(thread);
		return error;
	}
	thread->process = getpid();
	thread->next = threads;
	threads = thread;
	*id = thread->id;
	return 0;
}

/* Takes a thread of this process out of the list. Return: whether it was there. */
bool take_out(pthread_t id)
{
	for (Thread **place = &threads; *place; place = &(*place)->next) {
		Thread *thread = *place;
		if (!pthread_equal(thread->id, id) || thread->process != getpid())
			continue;
		*place = thread->next;
		free(thread);
		return true;
	}
	return false;
}

} // namespace

PyObject *acl_util_start_thread(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.util.start_thread", arguments, given, 2);
	if (!call.fits())
		return nullptr;
	if (!PyCallable_Check(call.argument(0))) {
		PyErr_SetString(PyExc_TypeError,
				"acl.util.start_thread() argument 1 (fn) must be callable");
		return nullptr;
	}
	if (!PyList_Check(call.argument(1)) && !PyTuple_Check(call.argument(1))) {
		PyErr_SetString(PyExc_TypeError,
				"acl.util.start_thread() argument 2 (args) must be list");
		return nullptr;
	}
	pthread_t id{};
	const int error = start(call.argument(0), call.argument(1), &id);
	if (error)
		note_failure("acl.util.start_thread(): a thread cannot be made, error %d", error);
	return give_all(give(id), give(error ? ACL_ERROR_RT_RESOURCE_ALLOC_FAIL : ACL_SUCCESS));
}

PyObject *acl_util_stop_thread(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.util.stop_thread", arguments, given, 1);
	pthread_t id{};
	if (!call.fits() || !call.take(0, "thread", &id))
		return nullptr;
	if (pthread_equal(id, pthread_self())) {
		note_failure("acl.util.stop_thread(): a thread cannot wait for itself");
		return give(ACL_ERROR_INVALID_PARAM);
	}
	if (!take_out(id)) {
		note_failure("acl.util.stop_thread(): %llu is no thread of acl.util.start_thread()",
			     static_cast<unsigned long long>(id));
		return give(ACL_ERROR_INVALID_PARAM);
	}
	without_gil([&] { return pthread_join(id, nullptr); });
	return give(ACL_SUCCESS);
}

} // namespace binding

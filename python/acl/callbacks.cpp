// SPDX-License-Identifier: MIT
/**
 * DOC: Callbacks
 *
 * The library calls a function of C with a number; a dict has the Python function and its data under that number. So
 * a call that comes after its entry is gone does nothing, and entries can be dropped when a stream is destroyed before
 * its callbacks ran. An entry of a captured launch is called at every replay and stays until its model is gone.
 * An exception of a callback is printed by sys.unraisablehook.
 */
#include <utility>

#include "acl/acl.h"
#include "callbacks.h"
#include "exit.h"
#include "python/call/call.h"
#include "python/call/result.h"

namespace binding {

namespace {

/* The following belong to the thread that has the GIL. */
PyObject *pending = nullptr; /* number -> (function, data, stream, model or 0) */
uint64_t last_number = 0;
PyObject *on_exception = nullptr;

enum Field { FUNCTION, DATA, STREAM, MODEL };

PyObject *pending_callbacks()
{
	if (!pending)
		pending = PyDict_New();
	return pending;
}

void *handle_of(PyObject *entry, Field field)
{
	return PyLong_AsVoidPtr(PyTuple_GetItem(entry, field));
}

void call_function(PyObject *function, PyObject *argument)
{
	const Owned result(PyObject_CallFunctionObjArgs(function, argument, nullptr));
	if (!result)
		PyErr_WriteUnraisable(function);
}

/* Calls the entry @number, if it is still there. */
void call_entry(PyObject *number)
{
	PyObject *found = PyDict_GetItemWithError(pending_callbacks(), number);
	if (!found)
		return;
	const Owned entry(new_reference(found));
	if (!handle_of(found, MODEL))
		PyDict_DelItem(pending, number);
	call_function(PyTuple_GetItem(entry.get(), FUNCTION), PyTuple_GetItem(entry.get(), DATA));
}

void run_callback(void *number)
{
	const PythonCall python;
	if (!python.allowed())
		return;
	const PyGILState_STATE state = PyGILState_Ensure();
	{
		const Owned key(PyLong_FromVoidPtr(number));
		if (key)
			call_entry(key.get());
		PyErr_Clear();
	}
	PyGILState_Release(state);
}

void report_exception(aclrtExceptionInfo *info)
{
	const PythonCall python;
	if (!python.allowed())
		return;
	const PyGILState_STATE state = PyGILState_Ensure();
	if (on_exception) {
		const Owned function(new_reference(on_exception));
		const Owned address(PyLong_FromVoidPtr(info));
		if (address)
			call_function(function.get(), address.get());
		PyErr_Clear();
	}
	PyGILState_Release(state);
}

bool add_entry(PyObject *number, PyObject *function, PyObject *data, void *stream, void *model)
{
	const Owned entry(Py_BuildValue("(OONN)", function, data, PyLong_FromVoidPtr(stream),
					PyLong_FromVoidPtr(model)));
	return entry && PyDict_SetItem(pending_callbacks(), number, entry.get()) == 0;
}

/* The model that @stream is being captured into, or nullptr. */
aclmdlRI model_of(aclrtStream stream)
{
	aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
	aclmdlRI model = nullptr;
	const aclError ret = aclmdlRICaptureGetInfo(stream, &status, &model);
	const bool captures = ret == ACL_SUCCESS && status == ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE;
	return captures ? model : nullptr;
}

/* Whether what an entry waits for no longer exists: its model, or its stream. */
bool has_ended(PyObject *entry)
{
	if (aclmdlRI model = handle_of(entry, MODEL)) {
		uint32_t id = 0;
		return aclmdlRIGetId(model, &id) != ACL_SUCCESS;
	}
	int32_t id = 0;
	return aclrtStreamGetId(handle_of(entry, STREAM), &id) != ACL_SUCCESS;
}

/* Launches entry @number. Return: false with an error set. */
bool launch(PyObject *number, PyObject *function, PyObject *data, aclrtCallbackBlockType block,
	    aclrtStream stream, aclError *ret)
{
	aclrtStream real = stream;
	if (!real && aclrtCtxGetCurrentDefaultStream(&real) != ACL_SUCCESS)
		real = nullptr;
	if (!add_entry(number, function, data, real, nullptr))
		return false;
	*ret = without_gil([&] {
		return aclrtLaunchCallback(run_callback, PyLong_AsVoidPtr(number), block, stream);
	});
	if (*ret != ACL_SUCCESS)
		return PyDict_DelItem(pending, number) == 0;
	aclmdlRI model = model_of(stream);
	return !model || add_entry(number, function, data, real, model);
}

} // namespace

void sweep_callbacks()
{
	if (!pending || PyDict_Size(pending) == 0)
		return;
	const Owned numbers(PyDict_Keys(pending));
	bool ended = false;
	for (Py_ssize_t i = 0; numbers && i < PyList_Size(numbers.get()); i++) {
		PyObject *number = PyList_GetItem(numbers.get(), i);
		PyObject *entry = PyDict_GetItemWithError(pending, number);
		if (!entry || !has_ended(entry))
			continue;
		PyDict_DelItem(pending, number);
		ended = true;
	}
	PyErr_Clear();
	/* The questions whether a stream exists left sentences. */
	if (ended)
		(void)aclGetRecentErrMsg();
}

PyObject *acl_rt_launch_callback(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.rt.launch_callback", arguments, given, 4);
	aclrtCallbackBlockType block{};
	aclrtStream stream = nullptr;
	if (!call.fits() || !call.take(2, "block_type", &block) || !call.take(3, "stream", &stream))
		return nullptr;
	PyObject *function = call.argument(0);
	if (!PyCallable_Check(function)) {
		PyErr_SetString(PyExc_TypeError,
				"acl.rt.launch_callback() argument 1 (fn) must be callable");
		return nullptr;
	}
	const Owned number(PyLong_FromUnsignedLongLong(++last_number));
	aclError ret = ACL_SUCCESS;
	if (!number || !launch(number.get(), function, call.argument(1), block, stream, &ret))
		return nullptr;
	return give(ret);
}

PyObject *acl_rt_set_exception_info_callback(PyObject *, PyObject *const *arguments,
					     Py_ssize_t given)
{
	const Call call("acl.rt.set_exception_info_callback", arguments, given, given == 0 ? 0 : 1);
	if (!call.fits())
		return nullptr;
	PyObject *function = given == 0 || call.argument(0) == Py_None ? nullptr : call.argument(0);
	if (function && !PyCallable_Check(function)) {
		PyErr_SetString(PyExc_TypeError,
				"acl.rt.set_exception_info_callback() argument 1 (fn) "
				"must be callable or None");
		return nullptr;
	}
	Owned before(std::exchange(on_exception, new_reference(function)));
	const aclError ret = without_gil([&] {
		return aclrtSetExceptionInfoCallback(function ? report_exception : nullptr);
	});
	if (ret != ACL_SUCCESS)
		Py_XDECREF(std::exchange(on_exception, before.release()));
	return give(ret);
}

} // namespace binding

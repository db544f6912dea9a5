// SPDX-License-Identifier: MIT
/**
 * DOC: Datasets
 *
 * A dataset is a list of data buffers, each with a description of a tensor or none. It lives in the binding: no model
 * can be loaded here, but programs fill datasets and look into them without one. A dataset owns neither its buffers
 * nor its descriptions.
 */
#include "acl/acl.h"
#include "failure.h"
#include "python/call/call.h"
#include "python/call/result.h"

namespace binding {

namespace {

/* The following belong to the thread that has the GIL. */
PyObject *datasets = nullptr; /* number -> list of (buffer, description) */
uint64_t last_number = 0;
/* Numbers look like addresses, so that none is a small integer by accident. */
constexpr uint64_t STEP = 4096;

/* The list of a dataset, borrowed. Return: nullptr where there is none, with the failure noted. */
PyObject *find(uint64_t dataset, const char *function)
{
	const Owned number(give(dataset));
	PyObject *list =
		datasets && number ? PyDict_GetItemWithError(datasets, number.get()) : nullptr;
	PyErr_Clear();
	if (!list)
		note_failure("%s(): %llu is no dataset", function,
			     static_cast<unsigned long long>(dataset));
	return list;
}

/* Element @index of a dataset, borrowed. Return: nullptr where there is none, with the failure noted. */
PyObject *find_element(PyObject *list, size_t index, const char *function)
{
	const auto size = static_cast<size_t>(PyList_Size(list));
	if (index < size)
		return PyList_GetItem(list, static_cast<Py_ssize_t>(index));
	note_failure("%s(): the index is %zu; the dataset has %zu buffers", function, index, size);
	return nullptr;
}

/* A getter by index: the buffer (0) or the description (1). */
PyObject *get_part(const Call &call, const char *function, Py_ssize_t part)
{
	uint64_t dataset = 0;
	size_t index = 0;
	if (!call.fits() || !call.take(0, "dataset", &dataset) || !call.take(1, "index", &index))
		return nullptr;
	PyObject *list = find(dataset, function);
	PyObject *element = list ? find_element(list, index, function) : nullptr;
	return element ? new_reference(PyTuple_GetItem(element, part)) : give(0);
}

} // namespace

PyObject *acl_mdl_create_dataset(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.mdl.create_dataset", arguments, given, 0);
	if (!call.fits())
		return nullptr;
	if (!datasets)
		datasets = PyDict_New();
	last_number += STEP;
	Owned number(give(last_number));
	const Owned list(PyList_New(0));
	if (!datasets || !number || !list ||
	    PyDict_SetItem(datasets, number.get(), list.get()) != 0)
		return nullptr;
	return number.release();
}

PyObject *acl_mdl_destroy_dataset(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.mdl.destroy_dataset", arguments, given, 1);
	uint64_t dataset = 0;
	if (!call.fits() || !call.take(0, "dataset", &dataset))
		return nullptr;
	if (!find(dataset, "acl.mdl.destroy_dataset"))
		return give(ACL_ERROR_INVALID_PARAM);
	if (PyDict_DelItem(datasets, call.argument(0)) != 0)
		return nullptr;
	return give(ACL_SUCCESS);
}

PyObject *acl_mdl_add_dataset_buffer(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const char *function = "acl.mdl.add_dataset_buffer";
	const Call call(function, arguments, given, 2);
	uint64_t dataset = 0;
	uint64_t buffer = 0;
	if (!call.fits() || !call.take(0, "dataset", &dataset) || !call.take(1, "buffer", &buffer))
		return nullptr;
	PyObject *list = find(dataset, function);
	if (list && buffer == 0)
		note_failure("%s(): buffer is 0", function);
	if (!list || buffer == 0)
		return give_all(give(dataset), give(ACL_ERROR_INVALID_PARAM));
	const Owned element(give_all(give(buffer), give(0)));
	if (!element || PyList_Append(list, element.get()) != 0)
		return nullptr;
	return give_all(give(dataset), give(ACL_SUCCESS));
}

PyObject *acl_mdl_get_dataset_num_buffers(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const char *function = "acl.mdl.get_dataset_num_buffers";
	const Call call(function, arguments, given, 1);
	uint64_t dataset = 0;
	if (!call.fits() || !call.take(0, "dataset", &dataset))
		return nullptr;
	PyObject *list = find(dataset, function);
	return give(list ? PyList_Size(list) : 0);
}

PyObject *acl_mdl_get_dataset_buffer(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const char *function = "acl.mdl.get_dataset_buffer";
	return get_part(Call(function, arguments, given, 2), function, 0);
}

PyObject *acl_mdl_get_dataset_tensor_desc(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const char *function = "acl.mdl.get_dataset_tensor_desc";
	return get_part(Call(function, arguments, given, 2), function, 1);
}

PyObject *acl_mdl_set_dataset_tensor_desc(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const char *function = "acl.mdl.set_dataset_tensor_desc";
	const Call call(function, arguments, given, 3);
	uint64_t dataset = 0;
	uint64_t description = 0;
	size_t index = 0;
	if (!call.fits() || !call.take(0, "dataset", &dataset) ||
	    !call.take(1, "desc", &description) || !call.take(2, "index", &index))
		return nullptr;
	PyObject *list = find(dataset, function);
	PyObject *element = list ? find_element(list, index, function) : nullptr;
	if (!element)
		return give_all(give(dataset), give(ACL_ERROR_INVALID_PARAM));
	PyObject *buffer = new_reference(PyTuple_GetItem(element, 0));
	/* SetItem takes the reference over, also when it fails. */
	PyObject *changed = give_all(buffer, give(description));
	if (!changed || PyList_SetItem(list, static_cast<Py_ssize_t>(index), changed) != 0)
		return nullptr;
	return give_all(give(dataset), give(ACL_SUCCESS));
}

} // namespace binding

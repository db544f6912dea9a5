// SPDX-License-Identifier: MIT
/**
 * DOC: Datasets
 *
 * A dataset is a list of data buffers, each with a description of a tensor or none. Models run on the dataset of C. The
 * descriptions lie here, by the handle of the dataset, because models of one shape do not need them. A dataset owns
 * neither its buffers nor its descriptions.
 */
#include <vector>

#include "acl/acl.h"
#include "acl/acl_mdl.h"
#include "failure.h"
#include "python/acl/structs.h"
#include "python/call/call.h"
#include "python/call/result.h"

namespace binding {

namespace {

/* The following belong to the thread that has the GIL. */
PyObject *datasets = nullptr; /* handle -> list of (buffer, description) */

aclmdlDataset *handle_of(uint64_t number)
{
	return reinterpret_cast<aclmdlDataset *>(static_cast<uintptr_t>(number));
}

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
	aclmdlDataset *made = aclmdlCreateDataset();
	Owned number(give(static_cast<const void *>(made)));
	const Owned list(PyList_New(0));
	if (!made || !datasets || !number || !list ||
	    PyDict_SetItem(datasets, number.get(), list.get()) != 0) {
		if (made)
			(void)aclmdlDestroyDataset(made);
		return made ? nullptr : give(0);
	}
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
	return give(aclmdlDestroyDataset(handle_of(dataset)));
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
	const aclError ret = aclmdlAddDatasetBuffer(
		handle_of(dataset),
		reinterpret_cast<aclDataBuffer *>(static_cast<uintptr_t>(buffer)));
	if (ret != ACL_SUCCESS)
		return give_all(give(dataset), give(ret));
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

PyObject *acl_mdl_set_config_opt(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.mdl.set_config_opt", arguments, given, 3);
	aclmdlConfigHandle *handle = nullptr;
	aclmdlConfigAttr attr{};
	const char *text = nullptr;
	int32_t priority = 0;
	uint64_t number = 0;
	if (!call.fits() || !call.take(0, "handle", &handle) || !call.take(1, "attr", &attr))
		return nullptr;
	if (attr == ACL_MDL_PRIORITY_INT32) {
		if (!call.take(2, "value", &priority))
			return nullptr;
		return give(aclmdlSetConfigOpt(handle, attr, &priority, sizeof(priority)));
	}
	if (PyUnicode_Check(call.argument(2))) {
		if (!call.take(2, "value", &text))
			return nullptr;
		return give(aclmdlSetConfigOpt(handle, attr, &text, sizeof(text)));
	}
	if (!call.take(2, "value", &number))
		return nullptr;
	return give(aclmdlSetConfigOpt(handle, attr, &number, sizeof(number)));
}

PyObject *acl_mdl_get_input_dynamic_dims(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.mdl.get_input_dynamic_dims", arguments, given, 3);
	aclmdlDesc *desc = nullptr;
	size_t index = 0;
	size_t count = 0;
	size_t real = 0;
	if (!call.fits() || !call.take(0, "desc", &desc) || !call.take(1, "index", &index) ||
	    !call.take(2, "gear_count", &count))
		return nullptr;
	aclError ret = aclmdlGetInputDynamicGearCount(desc, index, &real);
	std::vector<aclmdlIODims> dims(ret == ACL_SUCCESS && count == real ? count : 0);
	/* With another count the call tells what is wrong, and writes nothing. */
	aclmdlIODims none;
	if (ret == ACL_SUCCESS)
		ret = aclmdlGetInputDynamicDims(desc, index, dims.empty() ? &none : dims.data(),
						count);
	Owned list(PyList_New(0));
	for (const aclmdlIODims &each : dims) {
		const Owned element(give(each));
		if (!list || !element || PyList_Append(list.get(), element.get()) != 0)
			return nullptr;
	}
	return list ? give_all(list.release(), give(ret)) : nullptr;
}

} // namespace binding

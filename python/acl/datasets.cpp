// SPDX-License-Identifier: MIT
/**
 * DOC: Models
 *
 * Calls of models whose arguments or results differ from those of C: some give back what they got, and one value has
 * several types.
 */
#include <vector>

#include "acl/acl.h"
#include "acl/acl_mdl.h"
#include "python/acl/structs.h"
#include "python/call/call.h"
#include "python/call/result.h"

namespace binding {

PyObject *acl_mdl_add_dataset_buffer(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.mdl.add_dataset_buffer", arguments, given, 2);
	aclmdlDataset *dataset = nullptr;
	aclDataBuffer *buffer = nullptr;
	if (!call.fits() || !call.take(0, "dataset", &dataset) || !call.take(1, "buffer", &buffer))
		return nullptr;
	const aclError ret = aclmdlAddDatasetBuffer(dataset, buffer);
	return give_all(new_reference(call.argument(0)), give(ret));
}

PyObject *acl_mdl_set_dataset_tensor_desc(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.mdl.set_dataset_tensor_desc", arguments, given, 3);
	aclmdlDataset *dataset = nullptr;
	aclTensorDesc *desc = nullptr;
	size_t index = 0;
	if (!call.fits() || !call.take(0, "dataset", &dataset) || !call.take(1, "desc", &desc) ||
	    !call.take(2, "index", &index))
		return nullptr;
	const aclError ret = aclmdlSetDatasetTensorDesc(dataset, desc, index);
	return give_all(new_reference(call.argument(0)), give(ret));
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

PyObject *acl_mdl_set_exec_config_opt(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.mdl.set_exec_config_opt", arguments, given, 3);
	aclmdlExecConfigHandle *handle = nullptr;
	aclmdlExecConfigAttr attr{};
	int32_t value = 0;
	if (!call.fits() || !call.take(0, "handle", &handle) || !call.take(1, "attr", &attr) ||
	    !call.take(2, "value", &value))
		return nullptr;
	return give(aclmdlSetExecConfigOpt(handle, attr, &value, sizeof(value)));
}

PyObject *acl_mdl_get_input_dynamic_dims(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.mdl.get_input_dynamic_dims", arguments, given, 3);
	aclmdlDesc *desc = nullptr;
	int64_t index = 0; /* reserved: programs give -1 */
	size_t count = 0;
	size_t real = 0;
	if (!call.fits() || !call.take(0, "desc", &desc) || !call.take(1, "index", &index) ||
	    !call.take(2, "gear_count", &count))
		return nullptr;
	aclError ret = aclmdlGetInputDynamicGearCount(desc, static_cast<size_t>(index), &real);
	std::vector<aclmdlIODims> dims(ret == ACL_SUCCESS && count == real ? count : 0);
	/* With another count the call tells what is wrong, and writes nothing. */
	aclmdlIODims none;
	if (ret == ACL_SUCCESS)
		ret = aclmdlGetInputDynamicDims(desc, static_cast<size_t>(index),
						dims.empty() ? &none : dims.data(), count);
	Owned list(PyList_New(0));
	for (const aclmdlIODims &each : dims) {
		const Owned element(give(each));
		if (!list || !element || PyList_Append(list.get(), element.get()) != 0)
			return nullptr;
	}
	return list ? give_all(list.release(), give(ret)) : nullptr;
}

} // namespace binding

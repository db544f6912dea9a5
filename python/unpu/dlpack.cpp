// SPDX-License-Identifier: MIT
/**
 * DOC: DLPack capsules
 *
 * A consumer that refuses a capsule drops it with its exception set, and a consumer may delete a tensor in a thread of
 * its own or after the end of the interpreter. So what ends a capsule or a tensor is no Python function.
 */
#include <cstdlib>
#include <new>

#include "python/call/call.h"
#include "python/call/sequence.h"

namespace binding {

namespace {

constexpr const char *NAME = "dltensor";

/* The structs of DLPack before its version 1. */
struct DlTensor {
	void *data;
	int32_t device_type;
	int32_t device_id;
	int32_t ndim;
	uint8_t code;
	uint8_t bits;
	uint16_t lanes;
	int64_t *shape;
	int64_t *strides;
	uint64_t byte_offset;
};

struct DlManaged {
	DlTensor tensor;
	void *context; /* the object that is kept alive, a reference */
	void (*deleter)(DlManaged *managed);
};

/* Takes the GIL, as the consumer may not have it. After the end of the interpreter nothing can be freed. */
void delete_tensor(DlManaged *managed)
{
	if (!Py_IsInitialized())
		return;
	const PyGILState_STATE state = PyGILState_Ensure();
	Py_XDECREF(static_cast<PyObject *>(managed->context));
	PyGILState_Release(state);
	free(managed->tensor.shape);
	delete managed;
}

/* Frees the tensor of an unused capsule. A consumer renames the capsule that it takes, and frees the tensor. */
void destroy_capsule(PyObject *capsule)
{
	PyObject *type = nullptr;
	PyObject *value = nullptr;
	PyObject *traceback = nullptr;
	PyErr_Fetch(&type, &value, &traceback);
	if (PyCapsule_IsValid(capsule, NAME))
		delete_tensor(static_cast<DlManaged *>(PyCapsule_GetPointer(capsule, NAME)));
	PyErr_Restore(type, value, traceback);
}

/* A copy of the shape, at least one element long, or nullptr with a MemoryError. */
int64_t *copy_of(const Sequence<int64_t> &shape)
{
	auto *copy = static_cast<int64_t *>(calloc(shape.size() + 1, sizeof(int64_t)));
	if (!copy)
		PyErr_NoMemory();
	for (size_t i = 0; copy && i < shape.size(); i++)
		copy[i] = shape.data()[i];
	return copy;
}

} // namespace

PyObject *unpu__native_dlpack_capsule(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("unpu._native.dlpack_capsule", arguments, given, 7);
	DlTensor tensor{};
	Sequence<int64_t> shape;
	if (!call.fits() || !call.take(1, "data", &tensor.data) ||
	    !shape.read(call.argument(2), call.place(2, "shape")) ||
	    !call.take(3, "code", &tensor.code) || !call.take(4, "bits", &tensor.bits) ||
	    !call.take(5, "device_type", &tensor.device_type) ||
	    !call.take(6, "device_id", &tensor.device_id))
		return nullptr;
	tensor.lanes = 1;
	tensor.ndim = static_cast<int32_t>(shape.size());
	tensor.shape = copy_of(shape);
	if (!tensor.shape)
		return nullptr;
	auto *managed = new (std::nothrow)
		DlManaged{tensor, new_reference(call.argument(0)), delete_tensor};
	if (!managed) {
		Py_DECREF(call.argument(0));
		free(tensor.shape);
		return PyErr_NoMemory();
	}
	PyObject *capsule = PyCapsule_New(managed, NAME, destroy_capsule);
	if (!capsule)
		delete_tensor(managed);
	return capsule;
}

} // namespace binding

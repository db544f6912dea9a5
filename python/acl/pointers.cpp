// SPDX-License-Identifier: MIT
/**
 * DOC: Addresses of Python objects
 *
 * acl.util turns bytes and arrays into addresses and back. An address is borrowed: the object has to live as long as
 * it is used. numpy is imported by the functions that return arrays, when they are called.
 */
#include "kept_bytes.h"
#include "python/call/buffer_view.h"
#include "python/call/call.h"
#include "python/call/result.h"

namespace binding {

namespace {

/* PyBUF_WRITE, which the limited interface has from 3.11 on only. */
constexpr int WRITABLE = 0x200;

/* The names of numpy's types by their numbers. */
struct Type {
	int number;
	const char *name;
};
constexpr Type TYPES[] = {
	{0, "bool"},	 {1, "int8"},	    {2, "uint8"},	{3, "int16"},
	{4, "uint16"},	 {5, "int32"},	    {6, "uint32"},	{7, "int64"},
	{8, "uint64"},	 {9, "longlong"},   {10, "ulonglong"},	{11, "float32"},
	{12, "float64"}, {14, "complex64"}, {15, "complex128"}, {23, "float16"},
};

const char *type_name(int number)
{
	for (const Type &type : TYPES) {
		if (type.number == number)
			return type.name;
	}
	PyErr_Format(PyExc_ValueError,
		     "acl.util.ptr_to_numpy() argument 3 (type) is %d, which is no number of a "
		     "numpy type",
		     number);
	return nullptr;
}

/* An array over @bytes bytes at @address. */
Owned array_over(PyObject *numpy, void *address, Py_ssize_t bytes, PyObject *type)
{
	const Owned view(PyMemoryView_FromMemory(static_cast<char *>(address), bytes, WRITABLE));
	if (!view)
		return Owned();
	return Owned(PyObject_CallMethod(numpy, "frombuffer", "OO", view.get(), type));
}

/* Bytes of an array, or -1 with an error set. */
Py_ssize_t bytes_of(PyObject *shape, PyObject *type)
{
	const Owned item = attribute_of(type, "itemsize");
	Py_ssize_t bytes = item ? PyLong_AsSsize_t(item.get()) : -1;
	for (Py_ssize_t i = 0; bytes >= 0 && i < PyTuple_Size(shape); i++) {
		const Py_ssize_t length =
			PyNumber_AsSsize_t(PyTuple_GetItem(shape, i), PyExc_OverflowError);
		if (length == -1 && PyErr_Occurred())
			return -1;
		if (length < 0 || __builtin_mul_overflow(bytes, length, &bytes)) {
			PyErr_Format(PyExc_ValueError,
				     "acl.util.ptr_to_numpy() argument 2 (shape) is %R: too large, "
				     "or negative",
				     shape);
			return -1;
		}
	}
	return bytes;
}

bool warn(const char *text)
{
	return PyErr_WarnEx(PyExc_DeprecationWarning, text, 1) == 0;
}

} // namespace

PyObject *acl_util_bytes_to_ptr(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.util.bytes_to_ptr", arguments, given, 1);
	if (!call.fits())
		return nullptr;
	PyObject *bytes = call.argument(0);
	if (!PyBytes_Check(bytes)) {
		PyErr_SetString(PyExc_TypeError,
				"acl.util.bytes_to_ptr() argument 1 (data) must be bytes");
		return nullptr;
	}
	keep_bytes(bytes);
	return give(static_cast<const void *>(PyBytes_AsString(bytes)));
}

PyObject *acl_util_ptr_to_bytes(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.util.ptr_to_bytes", arguments, given, 2);
	const void *address = nullptr;
	int64_t size = 0;
	if (!call.fits() || !call.take(0, "ptr", &address) || !call.take(1, "size", &size))
		return nullptr;
	if (size < 0 || (!address && size > 0)) {
		PyErr_Format(PyExc_ValueError,
			     "acl.util.ptr_to_bytes(): %lld bytes at address %zu cannot be read",
			     static_cast<long long>(size), reinterpret_cast<size_t>(address));
		return nullptr;
	}
	if (size > 0 && !check_kept_bytes(address, "acl.util.ptr_to_bytes"))
		return nullptr;
	const char *bytes = size > 0 ? static_cast<const char *>(address) : "";
	return PyBytes_FromStringAndSize(bytes, static_cast<Py_ssize_t>(size));
}

PyObject *acl_util_numpy_to_ptr(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.util.numpy_to_ptr", arguments, given, 1);
	if (!call.fits() || !warn("acl.util.numpy_to_ptr() is deprecated: for what is copied to a "
				  "device keep data = array.tobytes() "
				  "and use bytes_to_ptr(data); for a result use "
				  "acl.rt.malloc_host() and ptr_to_numpy()"))
		return nullptr;
	const BufferView view(call.argument(0));
	if (!view.ok())
		return nullptr;
	if (!view.is_contiguous() && !warn("acl.util.numpy_to_ptr(): the array is not contiguous; "
					   "numpy_contiguous_to_ptr() copies it"))
		return nullptr;
	return give(view.address());
}

PyObject *acl_util_numpy_contiguous_to_ptr(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.util.numpy_contiguous_to_ptr", arguments, given, 1);
	if (!call.fits())
		return nullptr;
	const Owned numpy(PyImport_ImportModule("numpy"));
	Owned array(
		numpy ? PyObject_CallMethod(numpy.get(), "ascontiguousarray", "O", call.argument(0))
		      : nullptr);
	if (!array)
		return nullptr;
	const BufferView view(array.get());
	if (!view.ok())
		return nullptr;
	return give_all(give(view.address()), array.release());
}

PyObject *acl_util_ptr_to_numpy(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.util.ptr_to_numpy", arguments, given, 3);
	void *address = nullptr;
	int number = 0;
	if (!call.fits() || !call.take(0, "ptr", &address) || !call.take(2, "type", &number))
		return nullptr;
	PyObject *shape = call.argument(1);
	if (!PyTuple_Check(shape)) {
		PyErr_SetString(PyExc_TypeError,
				"acl.util.ptr_to_numpy() argument 2 (shape) must be tuple");
		return nullptr;
	}
	const char *name = type_name(number);
	const Owned numpy(name ? PyImport_ImportModule("numpy") : nullptr);
	const Owned type(numpy ? PyObject_CallMethod(numpy.get(), "dtype", "s", name) : nullptr);
	const Py_ssize_t bytes = type ? bytes_of(shape, type.get()) : -1;
	if (bytes < 0)
		return nullptr;
	if (bytes == 0)
		return PyObject_CallMethod(numpy.get(), "empty", "OO", shape, type.get());
	if (!address) {
		PyErr_SetString(PyExc_ValueError, "acl.util.ptr_to_numpy() argument 1 (ptr) is 0");
		return nullptr;
	}
	const Owned array = array_over(numpy.get(), address, bytes, type.get());
	return array ? PyObject_CallMethod(array.get(), "reshape", "(O)", shape) : nullptr;
}

} // namespace binding

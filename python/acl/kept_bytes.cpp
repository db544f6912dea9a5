// SPDX-License-Identifier: MIT
/**
 * DOC: Pointers into bytes that no longer exist
 *
 * A program that writes bytes_to_ptr(array.tobytes()) gets the address of an object that is freed at once. In checking
 * mode the binding keeps a reference to each object whose address was given. When a call reads from such an object, or
 * writes into it, and the binding's reference is the only one, the program has let go of it: the binding calls the
 * report function with a sentence that has the lines of both. The call itself finds memory there, as the object is
 * kept.
 *
 * The newest objects are kept, MOST of them and MOST_BYTES at most.
 */
#include "kept_bytes.h"

#include "python/call/call.h"
#include "python/call/frame.h"

namespace binding {

namespace {

constexpr size_t MOST = 1024;
constexpr size_t MOST_BYTES = size_t{256} << 20;

struct Kept {
	PyObject *bytes;
	PyObject *line; /* a str */
};

/* The following belong to the thread that has the GIL. A ring: the oldest is at first. */
PyObject *report = nullptr;
Kept kept[MOST];
size_t first = 0;
size_t count = 0;
size_t kept_size = 0;

void drop_oldest()
{
	Kept &oldest = kept[first];
	kept_size -= static_cast<size_t>(PyBytes_Size(oldest.bytes));
	Py_DECREF(oldest.bytes);
	Py_XDECREF(oldest.line);
	first = (first + 1) % MOST;
	count--;
}

PyObject *text_of(const Line &line)
{
	return PyUnicode_FromFormat("%s:%d in %s()", line.file, line.number, line.function);
}

/* The newest kept object that has @address, or nullptr. */
const Kept *find(const char *address)
{
	for (size_t i = count; i > 0; i--) {
		const Kept &candidate = kept[(first + i - 1) % MOST];
		const char *begin = PyBytes_AsString(candidate.bytes);
		if (address >= begin && address < begin + PyBytes_Size(candidate.bytes))
			return &candidate;
	}
	return nullptr;
}

} // namespace

void keep_bytes(PyObject *bytes)
{
	if (!report)
		return;
	const auto size = static_cast<size_t>(PyBytes_Size(bytes));
	while (count > 0 && (count == MOST || kept_size + size > MOST_BYTES))
		drop_oldest();
	kept[(first + count) % MOST] = {new_reference(bytes), text_of(calling_line())};
	PyErr_Clear();
	kept_size += size;
	count++;
}

bool check_kept_bytes(const void *address, const char *function, Use use)
{
	if (!report) [[likely]]
		return true;
	const Kept *found = find(static_cast<const char *>(address));
	if (!found || !found->line || Py_REFCNT(found->bytes) > 1)
		return true;
	const Owned here(text_of(calling_line()));
	const Owned sentence(
		here ? PyUnicode_FromFormat("%s() at %U %s a bytes object that no longer exists; "
					    "bytes_to_ptr() gave its address at %U",
					    function, here.get(),
					    use == Use::READ ? "reads from" : "writes into",
					    found->line)
		     : nullptr);
	if (!sentence)
		return false;
	const Owned done(PyObject_CallFunctionObjArgs(report, sentence.get(), nullptr));
	return static_cast<bool>(done);
}

PyObject *acl_util__check_bytes(PyObject *, PyObject *const *arguments, Py_ssize_t given)
{
	const Call call("acl.util._check_bytes", arguments, given, 1);
	if (!call.fits())
		return nullptr;
	if (call.argument(0) != Py_None && !PyCallable_Check(call.argument(0))) {
		PyErr_SetString(
			PyExc_TypeError,
			"acl.util._check_bytes() argument 1 (report) must be callable or None");
		return nullptr;
	}
	PyObject *wanted = call.argument(0) == Py_None ? nullptr : new_reference(call.argument(0));
	Owned before(std::exchange(report, wanted));
	while (!report && count > 0)
		drop_oldest();
	return new_reference(Py_None);
}

} // namespace binding

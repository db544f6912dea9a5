// SPDX-License-Identifier: MIT
/**
 * DOC: The buffer protocol
 *
 * The binding reads the addresses of arrays by it, so that it needs no numpy to be built. Its functions are in every
 * CPython, but Python.h hides them from extensions that ask for the limited interface of 3.10.
 */
#include "buffer_view.h"

#if Py_LIMITED_API < 0x030b0000
extern "C" {
int PyObject_GetBuffer(PyObject *object, void *view, int flags);
void PyBuffer_Release(void *view);
}
#endif

namespace binding {

namespace {

constexpr int STRIDES = 0x10 | 0x08; /* PyBUF_STRIDES */

} // namespace

BufferView::BufferView(PyObject *object) : ok_(PyObject_GetBuffer(object, &view_, STRIDES) == 0) {}

BufferView::~BufferView()
{
	if (ok_)
		PyBuffer_Release(&view_);
}

bool BufferView::is_contiguous() const
{
	Py_ssize_t step = view_.item_bytes;
	for (int i = view_.dimensions - 1; i >= 0; i--) {
		if (view_.shape[i] != 1 && view_.strides[i] != step)
			return false;
		step *= view_.shape[i];
	}
	return true;
}

} // namespace binding

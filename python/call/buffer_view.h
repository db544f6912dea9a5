// SPDX-License-Identifier: MIT
#pragma once

#include "python_api.h"

namespace binding {

/** class BufferView - the memory of an object that has the buffer protocol, as numpy's arrays have. */
class BufferView {
public:
	/** BufferView() - opens the object's memory. Where it fails, ok() is false and an error is set. */
	explicit BufferView(PyObject *object);
	~BufferView();
	BufferView(const BufferView &) = delete;
	BufferView &operator=(const BufferView &) = delete;

	bool ok() const { return ok_; }
	const void *address() const { return view_.address; }
	/** is_contiguous() - whether its elements lie one after the other, the last index fastest. */
	bool is_contiguous() const;

private:
	/* Py_buffer, which the limited interface has from 3.11 on only. It is the same in 3.10. */
	struct View {
		void *address;
		PyObject *object;
		Py_ssize_t bytes;
		Py_ssize_t item_bytes;
		int readonly;
		int dimensions;
		char *format;
		Py_ssize_t *shape;
		Py_ssize_t *strides;
		Py_ssize_t *suboffsets;
		void *internal;
	};

	View view_{};
	bool ok_;
};

} // namespace binding

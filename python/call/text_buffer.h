// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>

#include "result.h"

namespace binding {

/** class TextBuffer - room for a text that a C function writes. */
class TextBuffer {
public:
	TextBuffer() = default;
	TextBuffer(const TextBuffer &) = delete;
	TextBuffer &operator=(const TextBuffer &) = delete;
	~TextBuffer() { free(bytes_); }

	/** reserve() - makes room for @bytes. Return: false with an OverflowError or a MemoryError. */
	bool reserve(uint64_t bytes)
	{
		if (bytes > MOST) {
			PyErr_Format(PyExc_OverflowError,
				     "a text of %llu bytes is wanted; %llu at most",
				     static_cast<unsigned long long>(bytes),
				     static_cast<unsigned long long>(MOST));
			return false;
		}
		bytes_ = static_cast<char *>(calloc(1, bytes + 1));
		if (!bytes_)
			PyErr_NoMemory();
		return bytes_ != nullptr;
	}
	char *data() const { return bytes_; }
	PyObject *give() const { return give_text(bytes_); }

private:
	static constexpr uint64_t MOST = 1 << 20;

	char *bytes_ = nullptr;
};

} // namespace binding

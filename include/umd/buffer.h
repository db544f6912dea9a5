// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/result.h"
#include "umd/handle.h"

namespace umd {

/** struct Buffer - a reference to memory of the host, with an area for its owner's notes. Lock: the
 * table's. */
struct Buffer {
	static constexpr size_t NOTES_BYTES = 96;

	uint64_t handle = 0;
	std::shared_ptr<std::byte[]> memory;
	size_t bytes = 0;
	size_t used = 0; /* of @bytes, as the program says */
	std::byte notes[NOTES_BYTES] = {};
	std::vector<uint64_t> chain; /* of the first one of a chain: the handles of the others */
	uint64_t head = 0;	     /* of the others: the first one's handle */
};

/**
 * class Buffers - all buffers of the process. Those of one chain live and end together.
 * Context: any thread. Return: the calls set the sentence of what they return; INVALID_HANDLE for
 * what is no live buffer.
 */
class Buffers {
public:
	/** allocate() - Return: NO_MEMORY. */
	base::Result<void *> allocate(size_t bytes);
	/** release() - a buffer and, if it is the first one, its chain.
	 * Return: INVALID_ARGUMENT for another member of a chain. */
	base::Status release(const void *handle);

	/** refer() - a new buffer with the same memory, and a copy of the rest. It is in no chain. */
	base::Result<void *> refer(const void *handle);

	/** memory() - its address and all its bytes. */
	base::Status memory(const void *handle, void *&address, size_t &bytes);
	/** set_used(), used() - Return: INVALID_ARGUMENT for more than the buffer has. */
	base::Status set_used(const void *handle, size_t used);
	base::Result<size_t> used(const void *handle);

	/** write_notes(), read_notes() - [offset, offset + bytes) is inside the notes. */
	base::Status write_notes(const void *handle, const void *from, size_t bytes, size_t offset);
	base::Status read_notes(const void *handle, void *to, size_t bytes, size_t offset);

	/** append() - Return: INVALID_ARGUMENT for a buffer that is in a chain, or heads one. */
	base::Status append(const void *head, const void *handle);
	/** count() - buffers of the chain, the first one too. */
	base::Result<uint32_t> count(const void *head);
	/** at() - Return: INVALID_ARGUMENT past the end. */
	base::Result<void *> at(const void *head, uint32_t index);

private:
	base::Result<Buffer *> find(const char *name, const void *handle);
	void end(Buffer &buffer);

	std::mutex mutex_;
	HandleTable<Buffer, Kind::BUFFER> table_;
};

} // namespace umd

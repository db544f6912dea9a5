// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "umd/handle.h"
#include "umd/process.h"

namespace umd {

/* Bytes of the private area that each buffer has besides its data. */
constexpr size_t BUFFER_PRIVATE_BYTES = 96;

/** struct Buffer - host memory that goes through queues; the head of a chain has the others. */
struct Buffer {
	HandleWord handle;
	std::shared_ptr<std::byte> data; /* shared by its references */
	size_t bytes = 0;
	size_t used = 0;
	std::array<std::byte, BUFFER_PRIVATE_BYTES> area{};
	std::vector<Buffer *> chain; /* what was appended, in order */
	bool appended = false;	     /* in another one's chain */
	bool queued = false;	     /* a queue owns it */
};

/**
 * class Buffers - the buffers of the process. Handles are the user's. Context: any thread. Each
 * function sets its sentence; all return NULL_POINTER for NULL and INVALID_HANDLE for what is no
 * live buffer, or is in a queue.
 */
class Buffers {
public:
	static Buffers &get() { return Process::own<Buffers>(); }

	/** allocate() - Return: NO_MEMORY, NO_RESOURCE past the number of buffers there can be. */
	base::Result<void *> allocate(size_t bytes);
	/** free() - and the chain with it. Return: IN_USE for one that was appended to a chain. */
	base::Status free(const void *handle);

	base::Status data(const void *handle, void **address, size_t *bytes);
	/** set_length() - Return: INVALID_ARGUMENT past the end. */
	base::Status set_length(const void *handle, size_t used);
	base::Status length(const void *handle, size_t *used);

	/** write_area(), read_area() - Return: INVALID_ENUM past the private area. */
	base::Status write_area(const void *handle, const void *from, size_t bytes, size_t offset);
	base::Status read_area(const void *handle, void *to, size_t bytes, size_t offset);

	/** share() - a new buffer over the same memory, with length and area as they are now. */
	base::Result<void *> share(const void *handle);

	/** append() - Return: INVALID_ARGUMENT for a buffer that is in a chain or heads one. */
	base::Status append(const void *head, const void *handle);
	base::Status chain_length(const void *head, uint32_t *count);
	/** at() - 0 is the head itself. Return: INVALID_ARGUMENT past the end. */
	base::Status at(const void *head, uint32_t index, void **handle);

	/** give_to_queue() - the handle is no one's until take_from_queue().
	 * Return: INVALID_ARGUMENT for one that was appended to a chain. */
	base::Result<Buffer *> give_to_queue(const void *handle);
	void *take_from_queue(Buffer &buffer);
	/** drop() - a queue's buffer goes with its chain. */
	void drop(Buffer &buffer);
	/** share_queued() - as share(), of a queue's buffer and for a queue. */
	base::Result<Buffer *> share_queued(const Buffer &buffer);

private:
	base::Result<Buffer *> find(const void *handle, const char *name);
	base::Result<Buffer *> make(std::shared_ptr<std::byte> data, size_t bytes);
	base::Result<Buffer *> copy_reference(const Buffer &buffer);
	void release(Buffer &buffer);

	base::Mutex mutex_{"Buffers::mutex_"};
	HandleTable<Buffer, Kind::BUFFER> buffers_;
};

} // namespace umd

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "base/result.h"
#include "base/sync/mutex.h"
#include "umd/core/handle/handle.h"
#include "umd/core/process/process.h"

namespace umd {

/* Bytes of the private area that each buffer has besides its data. */
constexpr size_t BUFFER_PRIVATE_BYTES = 96;

/** struct Buffer - host memory that is passed through queues. The head of a chain owns the others. */
struct Buffer {
	HandleWord handle;
	std::shared_ptr<std::byte> data; /* memory that its references share */
	size_t bytes = 0;
	size_t used = 0;
	std::array<std::byte, BUFFER_PRIVATE_BYTES> area{};
	std::vector<Buffer *> chain; /* the appended buffers, in order */
	bool is_appended = false;    /* the buffer is in the chain of another buffer */
	bool is_queued = false;	     /* a queue owns the buffer */
};

/**
 * class Buffers - the buffers of the process, by API handle. Context: any thread. Each function sets the
 * error message. All return NULL_POINTER for NULL, and INVALID_HANDLE if the handle is not that of a live
 * buffer or the buffer is in a queue.
 */
class Buffers {
public:
	static Buffers &get() { return Process::own<Buffers>(); }

	/** allocate() - allocates a buffer. Return: NO_MEMORY, NO_RESOURCE if all buffers are in use. */
	base::Result<void *> allocate(size_t bytes);
	/** free() - frees the buffer and its chain. Return: IN_USE for a buffer in another one's chain. */
	base::Status free(const void *handle);

	base::Status data(const void *handle, void **address, size_t *bytes);
	/** set_length() - sets the length of the data. Return: INVALID_ARGUMENT beyond the end. */
	base::Status set_length(const void *handle, size_t used);
	base::Status length(const void *handle, size_t *used);

	/** write_area(), read_area() - access the private area. Return: INVALID_ENUM beyond its end. */
	base::Status write_area(const void *handle, const void *from, size_t bytes, size_t offset);
	base::Status read_area(const void *handle, void *to, size_t bytes, size_t offset);

	/** share() - makes a new buffer with the same memory and a copy of the length and the private
	 * area. */
	base::Result<void *> share(const void *handle);

	/** append() - adds a buffer to a chain. Return: INVALID_ARGUMENT for a buffer that is in a chain or
	 * heads one. */
	base::Status append(const void *head, const void *handle);
	base::Status chain_length(const void *head, uint32_t *count);
	/** at() - a buffer of a chain. @index: 0 is the head itself. Return: INVALID_ARGUMENT beyond the
	 * end. */
	base::Status at(const void *head, uint32_t index, void **handle);

	/** give_to_queue() - a queue owns the buffer and its handle is invalid until take_from_queue().
	 * Return: INVALID_ARGUMENT for a buffer in another one's chain. */
	base::Result<Buffer *> give_to_queue(const void *handle);
	void *take_from_queue(Buffer &buffer);
	/** drop() - frees a buffer that a queue owns, and its chain. */
	void drop(Buffer &buffer);
	/** share_queued() - as share(), for a buffer that a queue owns; a queue owns the result. */
	base::Result<Buffer *> share_queued(const Buffer &buffer);

private:
	base::Result<Buffer *> find(const void *handle, const char *name) REQUIRES(mutex_);
	base::Result<Buffer *> make(std::shared_ptr<std::byte> data, size_t bytes) REQUIRES(mutex_);
	base::Result<Buffer *> copy_reference(const Buffer &buffer) REQUIRES(mutex_);
	void release(Buffer &buffer) REQUIRES(mutex_);

	base::Mutex mutex_{"Buffers::mutex_"};
	HandleTable<Buffer, Kind::BUFFER> buffers_ GUARDED_BY(mutex_);
};

} // namespace umd

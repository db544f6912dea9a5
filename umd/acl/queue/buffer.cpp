// SPDX-License-Identifier: MIT
/**
 * DOC: Buffers
 *
 * Host memory with a length and a private area, known by handles, so that it can change hands without
 * being copied. A reference is a buffer of its own over the same memory.
 */
#include "buffer.h"

#include <cstring>
#include <new>

#include <fmt/format.h>

#include "umd/core/process/error.h"

namespace umd {

using base::Result;
using base::Status;

static constexpr std::align_val_t ALIGNMENT{64};

Result<Buffer *> Buffers::find(const void *handle, const char *name)
{
	if (!handle)
		return set_error(Status::NULL_POINTER, fmt::format("{} is NULL", name));
	Buffer *buffer = buffers_.get(handle);
	if (!buffer)
		return set_error(Status::INVALID_HANDLE,
				 fmt::format("{} {} is not a live buffer: it was freed, or is "
					     "something else",
					     name, fmt::ptr(handle)));
	if (buffer->is_queued)
		return set_error(Status::INVALID_HANDLE,
				 fmt::format("{} {} is in a queue; acltdtDequeueBuf "
					     "returns it",
					     name, fmt::ptr(handle)));
	return buffer;
}

Result<Buffer *> Buffers::make(std::shared_ptr<std::byte> data, size_t bytes)
{
	Buffer *buffer = buffers_.create();
	if (!buffer)
		return set_error(Status::NO_RESOURCE, "there are too many buffers; free some");
	buffer->data = std::move(data);
	buffer->bytes = bytes;
	buffer->used = 0;
	buffer->area = {};
	buffer->chain.clear();
	buffer->is_appended = buffer->is_queued = false;
	return buffer;
}

Result<void *> Buffers::allocate(size_t bytes)
{
	if (bytes == 0)
		return set_error(Status::NULL_POINTER, "size is 0; it must be positive");
	auto *memory = static_cast<std::byte *>(operator new(bytes, ALIGNMENT, std::nothrow));
	if (!memory)
		return set_error(
			Status::NO_MEMORY,
			fmt::format(
				"there is no memory for a buffer of {} bytes; free other buffers",
				bytes));
	std::shared_ptr<std::byte> data(
		memory, [](std::byte *freed) { operator delete(freed, ALIGNMENT); });
	std::lock_guard lock(mutex_);
	auto buffer = TRY(make(std::move(data), bytes));
	return buffers_.pointer(*buffer);
}

void Buffers::release(Buffer &buffer)
{
	for (Buffer *each : buffer.chain) {
		each->data.reset();
		buffers_.destroy(*each);
	}
	buffer.chain.clear();
	buffer.data.reset();
	buffers_.destroy(buffer);
}

Status Buffers::free(const void *handle)
{
	std::lock_guard lock(mutex_);
	auto buffer = TRY(find(handle, "buf"));
	if (buffer->is_appended)
		return set_error(
			Status::IN_USE,
			fmt::format(
				"buf {} was appended to a chain and goes with its head; free that",
				fmt::ptr(handle)));
	release(*buffer);
	return Status::OK;
}

Status Buffers::data(const void *handle, void **address, size_t *bytes)
{
	std::lock_guard lock(mutex_);
	auto buffer = TRY(find(handle, "buf"));
	*address = buffer->data.get();
	*bytes = buffer->bytes;
	return Status::OK;
}

Status Buffers::set_length(const void *handle, size_t used)
{
	std::lock_guard lock(mutex_);
	auto buffer = TRY(find(handle, "buf"));
	if (used > buffer->bytes)
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("len is {}; the buffer has {} bytes", used, buffer->bytes));
	buffer->used = used;
	return Status::OK;
}

Status Buffers::length(const void *handle, size_t *used)
{
	std::lock_guard lock(mutex_);
	auto buffer = TRY(find(handle, "buf"));
	*used = buffer->used;
	return Status::OK;
}

static Status check_area(size_t bytes, size_t offset)
{
	if (bytes <= BUFFER_PRIVATE_BYTES && offset <= BUFFER_PRIVATE_BYTES - bytes)
		return Status::OK;
	return set_error(Status::INVALID_ENUM,
			 fmt::format("offset {} and size {} go past the private area of {} bytes",
				     offset, bytes, BUFFER_PRIVATE_BYTES));
}

Status Buffers::write_area(const void *handle, const void *from, size_t bytes, size_t offset)
{
	std::lock_guard lock(mutex_);
	auto buffer = TRY(find(handle, "buf"));
	TRY(check_area(bytes, offset));
	memcpy(buffer->area.data() + offset, from, bytes);
	return Status::OK;
}

Status Buffers::read_area(const void *handle, void *to, size_t bytes, size_t offset)
{
	std::lock_guard lock(mutex_);
	auto buffer = TRY(find(handle, "buf"));
	TRY(check_area(bytes, offset));
	memcpy(to, buffer->area.data() + offset, bytes);
	return Status::OK;
}

Result<Buffer *> Buffers::copy_reference(const Buffer &buffer)
{
	auto made = make(buffer.data, buffer.bytes);
	if (!made)
		return made;
	(*made)->used = buffer.used;
	(*made)->area = buffer.area;
	return made;
}

Result<void *> Buffers::share(const void *handle)
{
	std::lock_guard lock(mutex_);
	auto buffer = TRY(find(handle, "buf"));
	auto made = TRY(copy_reference(*buffer));
	return buffers_.pointer(*made);
}

Status Buffers::append(const void *head, const void *handle)
{
	std::lock_guard lock(mutex_);
	auto first = TRY(find(head, "headBuf"));
	auto buffer = TRY(find(handle, "buf"));
	if (first == buffer || buffer->is_appended || !buffer->chain.empty())
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("buf {} is in a chain already, or heads one",
					     fmt::ptr(handle)));
	if (first->is_appended)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("headBuf {} is in a chain, but is not its head",
					     fmt::ptr(head)));
	buffer->is_appended = true;
	first->chain.push_back(buffer);
	return Status::OK;
}

Status Buffers::chain_length(const void *head, uint32_t *count)
{
	std::lock_guard lock(mutex_);
	auto first = TRY(find(head, "headBuf"));
	*count = static_cast<uint32_t>(first->chain.size() + 1);
	return Status::OK;
}

Status Buffers::at(const void *head, uint32_t index, void **handle)
{
	std::lock_guard lock(mutex_);
	auto first = TRY(find(head, "headBuf"));
	size_t count = first->chain.size() + 1;
	if (index >= count)
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("index is {}; the chain has {} buffers", index, count));
	*handle = buffers_.pointer(index == 0 ? *first : *first->chain[index - 1]);
	return Status::OK;
}

Result<Buffer *> Buffers::give_to_queue(const void *handle)
{
	std::lock_guard lock(mutex_);
	auto buffer = find(handle, "buf");
	if (!buffer)
		return buffer;
	if ((*buffer)->is_appended)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("buf {} is in a chain; enqueue the chain's head",
					     fmt::ptr(handle)));
	(*buffer)->is_queued = true;
	for (Buffer *each : (*buffer)->chain)
		each->is_queued = true;
	return buffer;
}

void *Buffers::take_from_queue(Buffer &buffer)
{
	std::lock_guard lock(mutex_);
	buffer.is_queued = false;
	for (Buffer *each : buffer.chain)
		each->is_queued = false;
	return buffers_.pointer(buffer);
}

void Buffers::drop(Buffer &buffer)
{
	std::lock_guard lock(mutex_);
	release(buffer);
}

Result<Buffer *> Buffers::share_queued(const Buffer &buffer)
{
	std::lock_guard lock(mutex_);
	auto made = copy_reference(buffer);
	if (!made)
		return made;
	(*made)->is_queued = true;
	for (const Buffer *each : buffer.chain) {
		auto linked = copy_reference(*each);
		if (!linked) {
			release(**made);
			return linked;
		}
		(*linked)->is_appended = (*linked)->is_queued = true;
		(*made)->chain.push_back(*linked);
	}
	return made;
}

} // namespace umd

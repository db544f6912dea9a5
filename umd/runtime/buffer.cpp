// SPDX-License-Identifier: MIT
/**
 * DOC: Buffers
 *
 * Memory of the host that several owners refer to. The program writes and reads it itself; what the
 * runtime keeps are the references, the chains and the owners' notes.
 */
#include "umd/buffer.h"

#include <cstring>
#include <new>

#include <fmt/format.h>

#include "umd/error.h"

namespace umd {

using base::Result;
using base::Status;

static constexpr std::align_val_t ALIGNMENT{64};

Result<Buffer *> Buffers::find(const char *name, const void *handle)
{
	if (Buffer *buffer = table_.get(handle))
		return buffer;
	return set_error(
		Status::INVALID_HANDLE,
		fmt::format("{} {} is not a live buffer: it was freed, or is something else", name,
			    fmt::ptr(handle)));
}

static std::shared_ptr<std::byte[]> take_memory(size_t bytes)
{
	auto *memory = static_cast<std::byte *>(::operator new(bytes, ALIGNMENT, std::nothrow));
	if (!memory)
		return nullptr;
	return {memory, [](std::byte *gone) { ::operator delete(gone, ALIGNMENT); }};
}

Result<void *> Buffers::allocate(size_t bytes)
{
	auto memory = bytes <= PTRDIFF_MAX ? take_memory(bytes) : nullptr;
	std::lock_guard lock(mutex_);
	Buffer *buffer = memory ? table_.create() : nullptr;
	if (!buffer)
		return set_error(Status::NO_MEMORY,
				 fmt::format("{} bytes of host memory are not to be had", bytes));
	buffer->memory = std::move(memory);
	buffer->bytes = bytes;
	buffer->used = 0;
	memset(buffer->notes, 0, sizeof(buffer->notes));
	return table_.pointer(*buffer);
}

void Buffers::end(Buffer &buffer)
{
	buffer.memory.reset();
	buffer.chain.clear();
	buffer.head = 0;
	table_.destroy(buffer);
}

Status Buffers::release(const void *handle)
{
	std::lock_guard lock(mutex_);
	auto found = find("buf", handle);
	if (!found)
		return found.status();
	Buffer &buffer = **found;
	if (buffer.head)
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("buf {} is part of a chain; free the first buffer of it",
				    fmt::ptr(handle)));
	for (uint64_t other : buffer.chain)
		end(*table_.get(reinterpret_cast<void *>(other)));
	end(buffer);
	return Status::OK;
}

Result<void *> Buffers::refer(const void *handle)
{
	std::lock_guard lock(mutex_);
	auto found = find("buf", handle);
	if (!found)
		return found.status();
	Buffer *copy = table_.create();
	if (!copy)
		return set_error(Status::NO_MEMORY, "there are too many buffers");
	copy->memory = (*found)->memory;
	copy->bytes = (*found)->bytes;
	copy->used = (*found)->used;
	memcpy(copy->notes, (*found)->notes, sizeof(copy->notes));
	return table_.pointer(*copy);
}

Status Buffers::memory(const void *handle, void *&address, size_t &bytes)
{
	std::lock_guard lock(mutex_);
	auto found = find("buf", handle);
	if (!found)
		return found.status();
	address = (*found)->memory.get();
	bytes = (*found)->bytes;
	return Status::OK;
}

Status Buffers::set_used(const void *handle, size_t used)
{
	std::lock_guard lock(mutex_);
	auto found = find("buf", handle);
	if (!found)
		return found.status();
	if (used > (*found)->bytes)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("len is {}, but the buffer has {} bytes", used,
					     (*found)->bytes));
	(*found)->used = used;
	return Status::OK;
}

Result<size_t> Buffers::used(const void *handle)
{
	std::lock_guard lock(mutex_);
	auto found = find("buf", handle);
	if (!found)
		return found.status();
	return (*found)->used;
}

Status Buffers::write_notes(const void *handle, const void *from, size_t bytes, size_t offset)
{
	std::lock_guard lock(mutex_);
	auto found = find("buf", handle);
	if (!found)
		return found.status();
	memcpy((*found)->notes + offset, from, bytes);
	return Status::OK;
}

Status Buffers::read_notes(const void *handle, void *to, size_t bytes, size_t offset)
{
	std::lock_guard lock(mutex_);
	auto found = find("buf", handle);
	if (!found)
		return found.status();
	memcpy(to, (*found)->notes + offset, bytes);
	return Status::OK;
}

Status Buffers::append(const void *head, const void *handle)
{
	std::lock_guard lock(mutex_);
	auto first = find("headBuf", head);
	if (!first)
		return first.status();
	auto added = find("buf", handle);
	if (!added)
		return added.status();
	if (head == handle || (*added)->head || !(*added)->chain.empty())
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("buf {} is part of a chain already", fmt::ptr(handle)));
	if ((*first)->head)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("headBuf {} is not the first buffer of its chain",
					     fmt::ptr(head)));
	(*added)->head = (*first)->handle;
	(*first)->chain.push_back((*added)->handle);
	return Status::OK;
}

Result<uint32_t> Buffers::count(const void *head)
{
	std::lock_guard lock(mutex_);
	auto found = find("headBuf", head);
	if (!found)
		return found.status();
	return static_cast<uint32_t>((*found)->chain.size()) + 1;
}

Result<void *> Buffers::at(const void *head, uint32_t index)
{
	std::lock_guard lock(mutex_);
	auto found = find("headBuf", head);
	if (!found)
		return found.status();
	const auto &chain = (*found)->chain;
	if (index > chain.size())
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("index is {}, but the chain has {} buffers", index,
					     chain.size() + 1));
	return index == 0 ? table_.pointer(**found) : reinterpret_cast<void *>(chain[index - 1]);
}

} // namespace umd

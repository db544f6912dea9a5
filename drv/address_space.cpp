// SPDX-License-Identifier: MIT
/**
 * DOC: Address space
 *
 * Device addresses are addresses of this process: device memory is named by a range that is reserved
 * PROT_NONE, so that a host that dereferences a device pointer faults as it would on hardware, and
 * pinned memory is named by the place where the host maps it. The aperture is a private second
 * mapping of the client's own device segments, for synchronous copies.
 */
#include "drv/address_space.h"

#include <algorithm>
#include <cstring>

#include <sys/mman.h>

#include "hal/topology.h"
#include "uapi/operator.h"

namespace drv {

using base::Result;
using base::Status;

static constexpr uint64_t GRANULE = base::HUGE_PAGE_BYTES;
static constexpr uint64_t PINNED_WINDOW_BYTES = uint64_t{64} << 30;

Status AddressSpace::reserve(Window &window, uint64_t bytes)
{
	auto range = base::reserve_range(bytes, GRANULE);
	if (!range)
		return range.status();
	window.range = range.take();
	window.heap = std::make_unique<Heap>(bytes);
	window.table.assign(bytes / GRANULE, nullptr);
	return Status::OK;
}

Result<std::unique_ptr<AddressSpace>> AddressSpace::create(hal::Device &device, Mailbox &mailbox,
							   uint64_t window_bytes)
{
	std::unique_ptr<AddressSpace> space(new AddressSpace(device, mailbox));
	uint64_t most = window_bytes ? base::round_up(window_bytes, GRANULE) : UINT64_MAX;
	/* Twice the memory: address space that is fragmented must not fail before memory does. */
	uint64_t device_bytes = base::round_up(device.bar().memory_bytes, GRANULE) * 2;
	TRY(reserve(space->device_window_, std::min(device_bytes, most)));
	TRY(reserve(space->pinned_window_, std::min(PINNED_WINDOW_BYTES, most)));
	return space;
}

AddressSpace::~AddressSpace()
{
	/* Pinned chunks lie inside the reservation and go with it. */
	for (auto &chunk : chunks_) {
		if (chunk->place == Place::PINNED)
			chunk->window.release();
	}
}

Place AddressSpace::place(uint64_t address) const
{
	if (device_window_.holds(address))
		return Place::DEVICE;
	return pinned_window_.holds(address) ? Place::PINNED : Place::OUTSIDE;
}

Chunk *AddressSpace::find(uint64_t address) const
{
	Place kind = place(address);
	if (kind == Place::OUTSIDE)
		return nullptr;
	const Window &in = window(kind);
	return base::load_acquire(in.table[(address - in.start()) / GRANULE]);
}

std::byte *AddressSpace::aperture(uint64_t va, uint64_t bytes) const
{
	Chunk *chunk = find(va);
	if (!chunk || va - chunk->va > chunk->bytes || bytes > chunk->bytes - (va - chunk->va))
		return nullptr;
	return chunk->window.data() + (va - chunk->va);
}

void AddressSpace::enter(const Chunk &chunk, Chunk *entry)
{
	Window &in = chunk.place == Place::DEVICE ? device_window_ : pinned_window_;
	uint64_t first = (chunk.va - in.start()) / GRANULE;
	for (uint64_t i = 0; i < base::round_up(chunk.bytes, GRANULE) / GRANULE; i++)
		base::store_release(in.table[first + i], entry);
}

Status AddressSpace::map_on_device(const Chunk &chunk)
{
	unpu_message message{};
	message.type = UNPU_MSG_MAP;
	message.map.va = chunk.va;
	message.map.bytes = chunk.bytes;
	message.map.segment = chunk.segment;
	message.map.access = UNPU_ACCESS_READ | UNPU_ACCESS_WRITE;
	return mailbox_.call(message);
}

void AddressSpace::destroy_segment(uint64_t segment)
{
	unpu_message message{};
	message.type = UNPU_MSG_SEGMENT_DESTROY;
	message.segment.segment = segment;
	(void)mailbox_.call(message);
}

Status AddressSpace::build(Chunk &chunk, uint64_t segment)
{
	auto shared = device_.take_segment(segment);
	if (!shared)
		return shared.status();
	chunk.segment = segment;
	chunk.pages = shared->pages;
	void *where = chunk.place == Place::PINNED ? reinterpret_cast<void *>(chunk.va) : nullptr;
	auto memory = base::map_shared(shared->fd, chunk.bytes, true, chunk.pages, where);
	if (!memory)
		return memory.status();
	chunk.window = memory.take();
	return map_on_device(chunk);
}

Result<Chunk *> AddressSpace::create_chunk(Place place, uint64_t bytes, unpu_page_kind wish,
					   int32_t node)
{
	std::lock_guard lock(mutex_);
	Window &in = place == Place::DEVICE ? device_window_ : pinned_window_;
	if (bytes > in.range.bytes())
		return Status::NO_MEMORY;
	bytes = base::round_up(bytes, GRANULE);
	auto offset = in.heap->allocate(bytes, GRANULE);
	if (!offset)
		return Status::NO_MEMORY;
	unpu_message message{};
	message.type = UNPU_MSG_SEGMENT_CREATE;
	message.segment.kind = place == Place::DEVICE ? UNPU_SEGMENT_DEVICE : UNPU_SEGMENT_PINNED;
	message.segment.bytes = bytes;
	message.segment.pages = wish;
	Status status = mailbox_.call(message);
	if (status != Status::OK) {
		in.heap->release(*offset);
		return status;
	}
	auto chunk = std::make_unique<Chunk>(place, in.start() + *offset, bytes);
	status = build(*chunk, message.segment.segment);
	Chunk *raw = chunk.get();
	chunks_.push_back(std::move(chunk));
	if (status == Status::OK) {
		hal::place_on_node(raw->window.data(), bytes, node);
		enter(*raw, raw);
		return raw;
	}
	destroy_segment(message.segment.segment);
	in.heap->release(*offset);
	chunks_.pop_back();
	return status;
}

void AddressSpace::destroy_chunk(Chunk *chunk)
{
	std::lock_guard lock(mutex_);
	unpu_message message{};
	message.type = UNPU_MSG_UNMAP;
	message.map.va = chunk->va;
	message.map.bytes = chunk->bytes;
	(void)mailbox_.call(message);
	destroy_segment(chunk->segment);
	enter(*chunk, nullptr);
	Window &in = chunk->place == Place::DEVICE ? device_window_ : pinned_window_;
	if (chunk->place == Place::PINNED) {
		/* Give the range back to the reservation instead of leaving a hole. */
		base::Mapping gone = std::move(chunk->window);
		mmap(gone.data(), gone.bytes(), PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
		gone.release();
	}
	in.heap->release(chunk->va - in.start());
	std::erase_if(chunks_, [&](const auto &entry) { return entry.get() == chunk; });
}

} // namespace drv

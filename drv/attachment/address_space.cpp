// SPDX-License-Identifier: MIT
/**
 * DOC: Address space
 *
 * Device addresses are virtual addresses of this process. Device memory has a range that is reserved with
 * PROT_NONE: a host thread that dereferences a device pointer faults as it would on hardware. Pinned memory
 * has the address at which the host maps it. The aperture is a second, private mapping of the client's device
 * segments; synchronous copies use it.
 */
#include "address_space.h"

#include <algorithm>
#include <cstring>

#include <sys/mman.h>

#include "base/clock.h"
#include "base/os/numa.h"
#include "base/os/reserve.h"
#include "hal/topology.h"
#include "uapi/operator.h"

namespace drv {

using base::Result;
using base::Status;

static constexpr uint64_t CHUNK_GRANULE = base::HUGE_PAGE_BYTES;
static constexpr uint64_t PINNED_WINDOW_BYTES = uint64_t{64} << 30;

Status AddressSpace::open_window(Window &window, uint64_t bytes)
{
	auto range = TRY(base::reserve_up_to(bytes, CHUNK_GRANULE));
	window.range = std::move(range);
	window.heap = std::make_unique<Heap>(window.range.bytes());
	window.table = base::Zeroed<Chunk *>(window.range.bytes() / CHUNK_GRANULE);
	return Status::OK;
}

Result<std::unique_ptr<AddressSpace>> AddressSpace::create(hal::Device &device, Mailbox &mailbox,
							   uint64_t window_bytes)
{
	std::unique_ptr<AddressSpace> space(new AddressSpace(device, mailbox));
	uint64_t most = window_bytes ? base::round_up(window_bytes, CHUNK_GRANULE) : UINT64_MAX;
	/* Twice the memory size, so that a fragmented window does not run out before the memory does. */
	uint64_t device_bytes = base::round_up(device.bar().memory_bytes, CHUNK_GRANULE) * 2;
	TRY(open_window(space->device_window_, std::min(device_bytes, most)));
	TRY(open_window(space->pinned_window_, std::min(PINNED_WINDOW_BYTES, most)));
	return space;
}

/* Unmaps all of the window except the ranges that keep() named. */
void AddressSpace::unmap_but_kept(Window &window)
{
	const uint64_t end = window.start() + window.range.bytes();
	uint64_t next = window.start();
	auto unmap = [&](uint64_t to) {
		if (to > next)
			(void)base::Mapping(reinterpret_cast<void *>(next), to - next);
	};
	for (const KeptRange &kept : kept_) {
		if (!window.holds(kept.va))
			continue;
		unmap(kept.va);
		next = kept.va + kept.bytes;
	}
	unmap(end);
	window.range.release();
}

AddressSpace::~AddressSpace()
{
	while (!adopted_.empty())
		give_up(adopted_.begin()->first);
	leave_reservations();
	/* Pinned chunks lie inside the window's reservation, which unmaps them. */
	for (auto *list : {&chunks_, &viewed_}) {
		for (auto &chunk : *list) {
			if (chunk->place == Place::PINNED)
				chunk->window.release();
		}
	}
	unmap_but_kept(device_window_);
	unmap_but_kept(pinned_window_);
}

const AddressSpace::Window *AddressSpace::window_of(uint64_t address) const
{
	if (device_window_.holds(address))
		return &device_window_;
	return pinned_window_.holds(address) ? &pinned_window_ : nullptr;
}

Place AddressSpace::place(uint64_t address) const
{
	const Window *in = window_of(address);
	if (in)
		return in == &device_window_ ? Place::DEVICE : Place::PINNED;
	const ReservedAddresses &reserved = ReservedAddresses::get();
	if (reserved.holds(address)) {
		const AddressSpace *owner = reserved.owner(address);
		return !owner || owner == this ? Place::DEVICE : Place::OUTSIDE;
	}
	return adopted(address) ? Place::PINNED : Place::OUTSIDE;
}

Chunk *AddressSpace::find(uint64_t address) const
{
	const Window *in = window_of(address);
	if (!in)
		return ReservedAddresses::get().find(address, this);
	return base::load_acquire(in->table[(address - in->start()) / CHUNK_GRANULE]);
}

std::byte *Chunk::aperture(uint64_t address, uint64_t size) const
{
	const uint64_t offset = address - va;
	if (offset > bytes || size > bytes - offset || !window.data())
		return nullptr;
	return window.data() + offset;
}

std::byte *AddressSpace::aperture(uint64_t va, uint64_t bytes) const
{
	const Chunk *chunk = find(va);
	return chunk ? chunk->aperture(va, bytes) : nullptr;
}

void AddressSpace::enter(const Chunk &chunk, Chunk *entry)
{
	Window &in = chunk.place == Place::DEVICE ? device_window_ : pinned_window_;
	uint64_t first = (chunk.va - in.start()) / CHUNK_GRANULE;
	for (uint64_t i = 0; i < base::round_up(chunk.bytes, CHUNK_GRANULE) / CHUNK_GRANULE; i++)
		base::store_release(in.table[first + i], entry);
}

Chunk *AddressSpace::list(std::unique_ptr<Chunk> chunk)
{
	chunk->place_in_list = chunks_.size();
	chunks_.push_back(std::move(chunk));
	return chunks_.back().get();
}

/* Takes a destroyed chunk out of the list. */
std::unique_ptr<Chunk> AddressSpace::unlist(const Chunk &chunk)
{
	const size_t place = chunk.place_in_list;
	std::swap(chunks_[place], chunks_.back());
	chunks_[place]->place_in_list = place;
	std::unique_ptr<Chunk> taken = std::move(chunks_.back());
	chunks_.pop_back();
	return taken;
}

/* Unmaps the chunk on the host. Its addresses stay reserved, and may then be used again. */
void AddressSpace::drop_window(Chunk &chunk)
{
	Window &in = chunk.place == Place::DEVICE ? device_window_ : pinned_window_;
	if (chunk.place == Place::PINNED) {
		base::unmap_in_place(chunk.window.data(), chunk.window.bytes());
		chunk.window.release();
	}
	in.heap->release(chunk.va - in.start());
}

void AddressSpace::drop_left_windows()
{
	std::erase_if(viewed_, [&](const std::unique_ptr<Chunk> &chunk) REQUIRES(mutex_) {
		if (is_viewed_(chunk.get()))
			return false;
		if (!chunk->has_pieces)
			drop_window(*chunk);
		return true;
	});
	for (const auto &[va, chunk] : attached_)
		drop_left_pieces(*chunk);
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

Result<SegmentFile> AddressSpace::create_segment(unpu_segment_kind kind, uint64_t bytes,
						 unpu_page_kind wish, uint32_t flags)
{
	unpu_msg_segment wanted{};
	wanted.kind = kind;
	wanted.bytes = bytes;
	wanted.pages = wish;
	wanted.flags = flags;
	TRY(mailbox_.create_segment(wanted));
	auto shared = device_.take_segment(wanted.segment);
	if (shared && shared->bytes >= bytes && shared->pages <= wish)
		return SegmentFile{wanted.segment, shared.take()};
	destroy_segment(wanted.segment);
	return shared ? Status::NO_MEMORY : shared.status();
}

Status AddressSpace::build(Chunk &chunk, const SegmentFile &segment)
{
	chunk.segment = segment.id;
	chunk.pages = segment.shared.pages;
	void *where = chunk.place == Place::PINNED ? reinterpret_cast<void *>(chunk.va) : nullptr;
	chunk.window = TRY(device_.map(segment.shared.fd, chunk.bytes, chunk.pages, where));
	return map_on_device(chunk);
}

Result<Chunk *> AddressSpace::create_chunk(Place place, uint64_t bytes, unpu_page_kind wish,
					   int32_t node)
{
	std::lock_guard lock(mutex_);
	Window &in = place == Place::DEVICE ? device_window_ : pinned_window_;
	drop_left_windows();
	if (bytes > in.range.bytes())
		return Status::NO_MEMORY;
	bytes = base::round_up(bytes, CHUNK_GRANULE);
	auto offset = in.heap->allocate(bytes, CHUNK_GRANULE);
	if (!offset)
		return Status::NO_MEMORY;
	auto segment = create_segment(
		place == Place::DEVICE ? UNPU_SEGMENT_DEVICE : UNPU_SEGMENT_PINNED, bytes, wish, 0);
	if (!segment) {
		in.heap->release(*offset);
		return segment.status();
	}
	auto chunk = std::make_unique<Chunk>(place, in.start() + *offset, bytes);
	Status status = build(*chunk, *segment);
	Chunk *raw = list(std::move(chunk));
	if (status == Status::OK) {
		raw->node = node;
		/* A failure is ignored: the kernel then chooses the node. */
		if (node >= 0)
			(void)base::bind_pages(raw->window.data(), bytes, node);
		enter(*raw, raw);
		announce(*raw);
		return raw;
	}
	destroy_segment(segment->id);
	in.heap->release(*offset);
	(void)unlist(*raw);
	return status;
}

Status AddressSpace::call_range(unpu_message_type type, uint64_t va, uint64_t bytes)
{
	unpu_message message{};
	message.type = type;
	message.map.va = va;
	message.map.bytes = bytes;
	return mailbox_.call(message);
}

/* Without a free engine the command processor does long work itself, in pieces. Until its end the work holds its
 * memory, and the firmware answers a request to unmap that memory with IN_USE. Each request gives the firmware time
 * for one piece, so this function repeats the request. */
Status AddressSpace::unmap(uint64_t va, uint64_t bytes)
{
	const uint64_t deadline = base::deadline_after(device_.answer_limit_ns());
	Status status;
	do {
		status = call_range(UNPU_MSG_UNMAP, va, bytes);
	} while (status == Status::IN_USE && base::now_ns() < deadline);
	return status;
}

void AddressSpace::announce(const Chunk &chunk)
{
	if (chunk.place != Place::DEVICE)
		return;
	for (MemoryWatcher *watcher : watchers_)
		watcher->chunk_added(chunk);
}

void AddressSpace::watch(MemoryWatcher &watcher)
{
	std::lock_guard lock(mutex_);
	watchers_.push_back(&watcher);
	for (const auto &chunk : chunks_) {
		if (chunk->place == Place::DEVICE)
			watcher.chunk_added(*chunk);
	}
}

void AddressSpace::unwatch(MemoryWatcher &watcher)
{
	std::lock_guard lock(mutex_);
	std::erase(watchers_, &watcher);
	for (const auto &chunk : chunks_) {
		if (chunk->place == Place::DEVICE)
			watcher.chunk_removed(*chunk);
	}
}

void AddressSpace::note_host_range_removed(uint64_t va)
{
	for (MemoryWatcher *watcher : watchers_)
		watcher->host_range_removed(va);
}

Status AddressSpace::with_host_range(uint64_t address,
				     const std::function<Status(const HostRange &)> &visit)
{
	std::lock_guard lock(mutex_);
	const Chunk *chunk = pinned_window_.holds(address) ? find(address) : nullptr;
	const HostRange range = chunk ? HostRange{chunk->va, chunk->bytes, chunk->segment,
						  UNPU_ACCESS_READ | UNPU_ACCESS_WRITE}
				      : find_adopted(address);
	return range.bytes == 0 ? Status::INVALID_ARGUMENT : visit(range);
}

/* Without a descriptor the host can't map the segment: only the device can access the range. */
Status AddressSpace::build_import(Chunk &chunk, const ImportedSegment &segment)
{
	chunk.segment = segment.id;
	chunk.pages = segment.shared.pages;
	if (segment.shared.fd.valid())
		chunk.window = TRY(device_.map(segment.shared.fd, segment.bytes, chunk.pages));
	return map_on_device(chunk);
}

Result<Chunk *> AddressSpace::import_chunk(const ImportedSegment &segment)
{
	std::lock_guard lock(mutex_);
	Window &in = device_window_;
	Status status = Status::NO_MEMORY;
	auto offset = segment.bytes <= in.range.bytes()
			      ? in.heap->allocate(base::round_up(segment.bytes, CHUNK_GRANULE),
						  CHUNK_GRANULE)
			      : Result<uint64_t>(Status::NO_MEMORY);
	if (offset) {
		auto chunk =
			std::make_unique<Chunk>(Place::DEVICE, in.start() + *offset, segment.bytes);
		status = build_import(*chunk, segment);
		if (status == Status::OK) {
			Chunk *raw = list(std::move(chunk));
			enter(*raw, raw);
			announce(*raw);
			return raw;
		}
		in.heap->release(*offset);
	}
	destroy_segment(segment.id);
	return status;
}

void AddressSpace::destroy_chunk(Chunk *chunk)
{
	std::lock_guard lock(mutex_);
	if (chunk->place == Place::DEVICE) {
		for (MemoryWatcher *watcher : watchers_)
			watcher->chunk_removed(*chunk);
	} else {
		note_host_range_removed(chunk->va);
	}
	(void)unmap(chunk->va, chunk->bytes);
	destroy_segment(chunk->segment);
	enter(*chunk, nullptr);
	std::unique_ptr<Chunk> pending = unlist(*chunk);
	drop_left_windows();
	if (is_viewed_ && is_viewed_(chunk))
		viewed_.push_back(std::move(pending));
	else
		drop_window(*pending);
}

} // namespace drv

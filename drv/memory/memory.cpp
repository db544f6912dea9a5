// SPDX-License-Identifier: MIT
/**
 * DOC: Memory
 *
 * Buffer objects. Many small objects share a chunk; a large object has its own chunk. A small object goes to
 * the oldest chunk with room, and to the first fit in it, because that bounds the fragmentation. An empty
 * chunk goes back to the device, except for one that is kept for the next small object.
 */
#include "memory.h"

#include <algorithm>
#include <utility>

#include "drv/channel/channel_set.h"
#include "hal/topology.h"
#include "pages_apart.h"

namespace drv {

using base::Result;
using base::Status;

static constexpr uint64_t DEVICE_CHUNK_BYTES = uint64_t{32} << 20;
static constexpr uint64_t PINNED_CHUNK_BYTES = base::HUGE_PAGE_BYTES;
/* Alignment of device memory objects: programs rely on more than a cache line. */
static constexpr uint64_t DEVICE_UNIT = 512;
/* Pinned objects of at least PINNED_ALIGNMENT bytes are aligned to it. Smaller ones are packed more densely,
 * because a low RLIMIT_MEMLOCK allows only few locked pages. */
static constexpr uint64_t PINNED_ALIGNMENT = 512;
static constexpr uint64_t PINNED_UNIT = 64;

static unsigned slot(Place place)
{
	return place == Place::DEVICE ? 0 : 1;
}

static uint64_t usual_bytes(Place place)
{
	return place == Place::DEVICE ? DEVICE_CHUNK_BYTES : PINNED_CHUNK_BYTES;
}

/* Whether pages are locked per object, because the chunk could not be locked as a whole. */
static bool locks_pages(const Chunk &chunk)
{
	return chunk.place == Place::PINNED && !chunk.is_locked;
}

static uint64_t unit_of(Place place)
{
	if (place == Place::DEVICE)
		return DEVICE_UNIT;
	return PagesApart::is_on() ? base::kernel_page_bytes() : PINNED_UNIT;
}

/* @by_pages: pages are locked per object; a large object then begins at a page, so that it locks no more
 * pages than it needs. */
static uint64_t alignment_of(Place place, uint64_t bytes, bool by_pages)
{
	if (place == Place::DEVICE)
		return DEVICE_UNIT;
	const uint64_t page = base::kernel_page_bytes();
	if (PagesApart::is_on() || (by_pages && bytes >= page))
		return page;
	return bytes >= PINNED_ALIGNMENT ? PINNED_ALIGNMENT : PINNED_UNIT;
}

/* The size of a free range that surely has room for an aligned object of @bytes. */
static uint64_t room_for(Place place, uint64_t bytes, bool by_pages)
{
	const uint64_t slack = alignment_of(place, bytes, by_pages) - unit_of(place);
	const uint64_t taken = base::round_up(bytes, unit_of(place));
	return std::max(taken, std::min(taken + slack, usual_bytes(place)));
}

Memory::~Memory() = default;

unpu_page_kind Memory::wished(unpu_page_kind wish, int32_t node) const
{
	if (pages_ == hal::PagePolicy::SMALL)
		return UNPU_PAGE_4K;
	if (pages_ == hal::PagePolicy::THP)
		return UNPU_PAGE_THP;
	if (pages_ == hal::PagePolicy::HUGETLB)
		wish = UNPU_PAGE_HUGETLB;
	/* Huge pages of the pool are allocated on the device's node, before another node could be requested. */
	return node >= 0 && wish == UNPU_PAGE_HUGETLB ? UNPU_PAGE_THP : wish;
}

Result<Chunk *> Memory::grow(Place place, uint64_t bytes, unpu_page_kind wish, int32_t node)
{
	wish = wished(wish, node);
	const uint64_t usual = usual_bytes(place);
	uint64_t wanted = std::max(bytes, usual);
	/* Other processes need memory too. So the new chunk is only as large as the memory that this process
	 * uses already. */
	if (place == Place::DEVICE && set_.hal().serves_others()) {
		const uint64_t used_bytes = base::round_up(used(place), base::HUGE_PAGE_BYTES);
		wanted = std::max(bytes, std::clamp(used_bytes, base::HUGE_PAGE_BYTES, usual));
	}
	auto chunk = set_.space().create_chunk(place, wanted, wish, node);
	if (!chunk && bytes < wanted)
		chunk = set_.space().create_chunk(place, bytes, wish, node);
	if (!chunk)
		return chunk;
	if (place == Place::PINNED && (*chunk)->bytes <= PINNED_CHUNK_BYTES) {
		std::byte *start = (*chunk)->window.data();
		Status populated = hal::populate(start, (*chunk)->bytes);
		if (populated != Status::OK) {
			set_.space().destroy_chunk(*chunk);
			return populated;
		}
		(*chunk)->is_locked = hal::lock_pages(start, (*chunk)->bytes) == Status::OK;
	}
	Chunk &made = **chunk;
	Chunks &chunks = chunks_of(made);
	made.age = ++chunks_made_;
	made.is_shared = made.bytes <= usual;
	chunks.all.emplace(made.age, &made);
	if (made.is_shared) {
		chunks.room[locks_pages(made)].insert(made.age, made.bytes);
		chunks.empty++;
	}
	return chunk;
}

Memory::Chunks &Memory::chunks_of(const Chunk &chunk)
{
	return chunks_[slot(chunk.place)][chunk.node];
}

void Memory::note_room(Chunk &chunk)
{
	if (chunk.is_shared)
		chunks_of(chunk).room[locks_pages(chunk)].resize(chunk.age, chunk.heap.largest());
}

/* The oldest chunk with room. A large object takes the spare chunk if it is large enough. */
Chunk *Memory::find_room(Place place, uint64_t bytes, int32_t node)
{
	Chunks &chunks = chunks_[slot(place)][node];
	if (bytes > usual_bytes(place)) {
		bool suits = chunks.spare && bytes <= chunks.spare->bytes;
		return suits ? std::exchange(chunks.spare, nullptr) : nullptr;
	}
	auto found = chunks.room[0].first(room_for(place, bytes, false));
	if (found.size == 0)
		found = chunks.room[1].first(room_for(place, bytes, true));
	return found.size == 0 ? nullptr : chunks.all.at(found.key);
}

/* struct Pages - a range of pages of a chunk, in the kernel's page size, because the kernel locks and unlocks
 * whole pages. */
struct Pages {
	uint64_t first;
	uint64_t end;

	uint64_t bytes() const { return (end - first) * base::kernel_page_bytes(); }
	std::byte *start(const Chunk &chunk) const
	{
		return chunk.window.data() + first * base::kernel_page_bytes();
	}
};

static Pages pages_of(uint64_t offset, uint64_t bytes)
{
	const uint64_t page = base::kernel_page_bytes();
	return {offset / page, base::round_up(offset + bytes, page) / page};
}

/* The pages that no object uses. Only the first and the last page of an object can be shared. */
static Pages without_users(const Chunk &chunk, Pages pages)
{
	if (chunk.page_users[pages.first] != 0)
		pages.first++;
	if (pages.end > pages.first && chunk.page_users[pages.end - 1] != 0)
		pages.end--;
	return pages;
}

/* Locks the pages of an object if the whole chunk could not be locked. */
Status Memory::pin(Chunk &chunk, uint64_t offset, uint64_t bytes, std::string &why)
{
	if (chunk.is_locked)
		return Status::OK;
	chunk.page_users.resize(chunk.bytes / base::kernel_page_bytes());
	const Pages all = pages_of(offset, bytes);
	const Pages fresh = without_users(chunk, all);
	if (fresh.bytes() != 0) {
		TRY(hal::populate(fresh.start(chunk), fresh.bytes()));
		Status status = hal::lock_pages(fresh.start(chunk), fresh.bytes());
		if (status != Status::OK) {
			why = hal::memlock_sentence(fresh.bytes());
			return status;
		}
	}
	for (uint64_t page = all.first; page < all.end; page++)
		chunk.page_users[page]++;
	return Status::OK;
}

void Memory::unpin(Chunk &chunk, uint64_t offset, uint64_t bytes)
{
	if (!locks_pages(chunk))
		return;
	const Pages all = pages_of(offset, bytes);
	for (uint64_t page = all.first; page < all.end; page++)
		chunk.page_users[page]--;
	const Pages idle = without_users(chunk, all);
	if (idle.bytes() != 0)
		hal::unlock_pages(idle.start(chunk), idle.bytes());
}

Result<Bo> Memory::cut_from(Chunk &chunk, uint64_t bytes, std::string &why)
{
	const uint64_t taken = base::round_up(bytes, unit_of(chunk.place));
	const bool was_empty = chunk.heap.empty();
	auto offset = TRY(
		chunk.heap.allocate(taken, alignment_of(chunk.place, bytes, locks_pages(chunk))));
	if (chunk.place == Place::PINNED) {
		Status status = pin(chunk, offset, taken, why);
		if (status != Status::OK) {
			chunk.heap.release(offset);
			return status;
		}
	}
	Chunks &chunks = chunks_of(chunk);
	chunks.used_bytes += taken;
	chunks.empty -= was_empty && chunk.is_shared;
	note_room(chunk);
	Bo bo = Bo::in_chunk(chunk, chunk.va + offset, bytes, Use::PLAIN);
	bo.generation = ++generation_;
	return bo;
}

Result<Bo> Memory::cut(Place place, uint64_t bytes, unpu_page_kind wish, int32_t node,
		       std::string &why)
{
	if (Chunk *chunk = find_room(place, bytes, node))
		return cut_from(*chunk, bytes, why);
	auto grown = TRY(grow(place, base::round_up(bytes, base::PAGE_BYTES), wish, node));
	return cut_from(*grown, bytes, why);
}

/* Adds the object to the prefault queue, except for memory that was added before. */
void Memory::look_ahead(const Bo &bo)
{
	Chunk &chunk = *bo.chunk;
	uint64_t first = bo.va - chunk.va;
	uint64_t last = first + bo.bytes;
	if (bo.bytes < Prefault::LEAST_BYTES ||
	    (first >= chunk.ahead_first && last <= chunk.ahead_last))
		return;
	prefault_.add(chunk.window.data() + first, bo.bytes);
	if (first <= chunk.ahead_last && last >= chunk.ahead_first) {
		first = std::min(first, chunk.ahead_first);
		last = std::max(last, chunk.ahead_last);
	}
	chunk.ahead_first = first;
	chunk.ahead_last = last;
}

void Memory::add_object(const Bo &bo)
{
	if (latest_ != objects_.end())
		earlier_ = latest_;
	latest_ = objects_.emplace_hint(earlier_, bo.va, bo);
	log_made(bo);
}

Result<Bo> Memory::try_allocate(Place place, uint64_t bytes, unpu_page_kind wish, std::string &why,
				Use use, int32_t node, uint64_t slack)
{
	std::vector<Fence> older = set_.few_pending();
	std::lock_guard lock(mutex_);
	auto bo = cut(place, bytes, wish, node, why);
	if (!bo)
		return bo;
	bo->use = use;
	bo->slack = slack;
	/* The pages of pinned memory are present already. */
	if (place == Place::DEVICE)
		look_ahead(*bo);
	if (!older.empty())
		older_.emplace(bo->va, std::move(older));
	add_object(*bo);
	note_peak();
	return bo;
}

Result<Bo> Memory::allocate(Place place, uint64_t bytes, unpu_page_kind wish, std::string &why,
			    Use use, int32_t node, uint64_t slack)
{
	if (set_.hal().lost())
		return Status::DEVICE_LOST;
	set_.reap();
	return with_room([&] { return try_allocate(place, bytes, wish, why, use, node, slack); });
}

uint64_t Memory::retired()
{
	return set_.retired();
}

bool Memory::wait_retired(uint64_t seen, uint64_t deadline_ns)
{
	return set_.wait_retired(seen, deadline_ns);
}

Result<Bo> Memory::allocate_managed(uint64_t bytes)
{
	set_.reap();
	auto chunk = TRY(with_room([&] {
		return set_.space().create_chunk(Place::PINNED, bytes, wished(UNPU_PAGE_THP, -1),
						 -1);
	}));
	chunk->is_managed = true;
	Bo bo = Bo::in_chunk(*chunk, chunk->va, chunk->bytes, Use::MANAGED);
	enter(bo);
	return bo;
}

void Memory::enter(Bo bo)
{
	std::lock_guard lock(mutex_);
	bo.generation = ++generation_;
	add_object(bo);
}

Result<Bo> Memory::take(Place place, uint64_t address, Use use, PendingFree &pending)
{
	std::lock_guard lock(mutex_);
	auto found = latest_;
	if (found == objects_.end() || found->first != address)
		found = objects_.find(address);
	if (found == objects_.end() || found->second.use != use || found->second.place != place)
		return Status::INVALID_ARGUMENT;
	Bo bo = found->second;
	if (found == latest_)
		latest_ = objects_.end();
	if (found == earlier_)
		earlier_ = objects_.end();
	/* Unlike erase(), this does not search for the next object. */
	(void)objects_.extract(found);
	if (auto noted = older_.find(address); noted != older_.end()) {
		pending.older = std::move(noted->second);
		older_.erase(noted);
	}
	log_freed(bo);
	freed_[frees_++ % freed_.size()] = {bo.va, bo.asked_bytes()};
	pending.logs.swap(old_logs_);
	base::store_release(epoch_, next_epoch());
	return bo;
}

Result<Bo> Memory::remove(Place place, uint64_t address, Use use)
{
	PendingFree pending;
	auto bo = take(place, address, use, pending);
	free_logs(pending);
	return bo;
}

void Memory::protect(uint64_t address, uint32_t access)
{
	std::lock_guard lock(mutex_);
	auto found = objects_.find(address);
	if (found != objects_.end())
		found->second.access = access;
	base::store_release(epoch_, next_epoch());
}

void Memory::give_up(const Bo &bo)
{
	if (bo.use == Use::MANAGED)
		end_chunk(bo.chunk);
	else
		reclaim(bo.chunk, bo.va - bo.chunk->va);
}

Status Memory::free(Place place, uint64_t address, Use use, std::vector<Fence> others)
{
	PendingFree pending;
	auto bo = TRY(take(place, address, use, pending));
	free_logs(pending);
	prefault_.forget(bo.chunk->window.data() + (bo.va - bo.chunk->va), bo.bytes);
	if (others.empty()) [[likely]]
		set_.defer([this, left = bo] { give_up(left); }, bo.bytes, pending.older);
	else
		set_.defer(
			[this, left = bo, fences = std::move(others)] {
				set_.defer_after(fences, [this, left] { give_up(left); });
			},
			bo.bytes, pending.older);
	set_.reap();
	return Status::OK;
}

Result<Bo> Memory::import(const ImportedSegment &segment)
{
	set_.reap();
	auto chunk = TRY(set_.space().import_chunk(segment));
	Bo bo = Bo::in_chunk(*chunk, chunk->va, segment.bytes, Use::IMPORTED);
	enter(bo);
	return bo;
}

Status Memory::close(uint64_t address)
{
	auto bo = TRY(remove(Place::DEVICE, address, Use::IMPORTED));
	set_.defer([this, chunk = bo.chunk] { end_chunk(chunk); });
	set_.reap();
	return Status::OK;
}

void Memory::reclaim(Chunk *chunk, uint64_t offset)
{
	std::lock_guard lock(mutex_);
	log_.drop(chunk->va + offset);
	Chunks &chunks = chunks_of(*chunk);
	uint64_t bytes = chunk->heap.release(offset);
	chunks.used_bytes -= bytes;
	note_room(*chunk);
	unpin(*chunk, offset, bytes);
	if (!chunk->heap.empty())
		return;
	if (chunk->is_shared && chunks.empty == 0) {
		chunks.empty = 1;
		return;
	}
	if (!chunk->is_shared && !chunks.spare && chunk->bytes <= DEVICE_CHUNK_BYTES) {
		chunks.spare = chunk;
		return;
	}
	give_back(chunk);
}

void Memory::give_back(Chunk *chunk)
{
	Chunks &chunks = chunks_of(*chunk);
	chunks.all.erase(chunk->age);
	if (chunk->is_shared)
		chunks.room[locks_pages(*chunk)].erase(chunk->age);
	set_.space().destroy_chunk(chunk);
}

/* Returns the chunks that are kept for the next object, and the rings of parked channels, to the device.
 * Return: whether it has returned a chunk or a ring. */
bool Memory::give_back_idle()
{
	const bool had_channels = set_.pool().clear();
	std::lock_guard lock(mutex_);
	std::vector<Chunk *> idle;
	for (auto &by_node : chunks_) {
		for (auto &[node, chunks] : by_node) {
			chunks.spare = nullptr;
			chunks.empty = 0;
			for (const auto &[age, chunk] : chunks.all) {
				if (chunk->heap.empty())
					idle.push_back(chunk);
			}
		}
	}
	for (Chunk *chunk : idle)
		give_back(chunk);
	return had_channels || !idle.empty();
}

void Memory::count_physical(int64_t bytes)
{
	std::lock_guard lock(mutex_);
	physical_bytes_ += bytes;
	note_peak();
}

size_t Memory::live()
{
	std::lock_guard lock(mutex_);
	return objects_.size();
}

uint64_t Memory::in_use_bytes(Place place)
{
	std::lock_guard lock(mutex_);
	return used(place);
}

uint64_t Memory::slack_bytes()
{
	std::lock_guard lock(mutex_);
	uint64_t bytes = 0;
	for (const auto &[node, chunks] : chunks_[slot(Place::DEVICE)]) {
		for (const auto &[age, chunk] : chunks.all)
			bytes += chunk->bytes - std::min(chunk->bytes, chunk->heap.used_bytes());
	}
	return bytes;
}

uint64_t Memory::peak_bytes()
{
	std::lock_guard lock(mutex_);
	return peak_bytes_;
}

void Memory::note_peak()
{
	peak_bytes_ = std::max(peak_bytes_, used(Place::DEVICE));
}

uint64_t Memory::used(Place place) const
{
	uint64_t bytes = place == Place::DEVICE ? static_cast<uint64_t>(physical_bytes_) : 0;
	for (const auto &[node, chunks] : chunks_[slot(place)])
		bytes += chunks.used_bytes;
	return bytes;
}

} // namespace drv

// SPDX-License-Identifier: MIT
/**
 * DOC: contents of pinned memory in flight
 *
 * Loads and stores of the program are in no trace. With UNPU_SANITIZE_HOST the runtime compares what the device finds
 * in pinned memory with what has to be there, and tells the trace where they differ.
 * Documentation/adr/0291-contents-of-host-memory.rst has the reasons, and what the judge makes of it.
 */
#include "comparison.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/os/mapped.h"
#include "drv/channel/cookie.h"
#include "drv/channel/packets.h"
#include "umd/core/copy/host_copy.h"
#include "umd/core/hang/ready.h"

namespace umd::recorder {

/* How much memory a process takes for it, and the longest copy. */
static constexpr uint64_t MOST_SLOT_BYTES = uint64_t{64} << 20;
static constexpr uint64_t MOST_COPY_BYTES = uint64_t{16} << 20;
/* A row is compared in parts of so many bytes; a copy of more parts is not compared. */
static constexpr uint64_t PART_BYTES = 4096;
static constexpr uint64_t MOST_PARTS = 8192;
/* A program may poll a word that a copy writes; such short targets get no pattern. */
static constexpr uint64_t SHORT_TARGET_BYTES = 64;
static constexpr unsigned char PATTERN = 0xff; /* no number, in each type of floats */
/* A pattern that the device can write at once is waited for no longer than that. */
static constexpr uint64_t PATTERN_WAIT_NS = base::NS_PER_S;
/* More changed ranges than that are told as one. */
static constexpr size_t MOST_RANGES = 16;

/* Calls visit(address, offset in the slot, bytes) for each part of one side of a copy. */
template <class Visit>
static void each_part(const Box &box, const void *start, uint64_t pitch, uint64_t slice,
		      Visit &&visit)
{
	uint64_t offset = 0;
	for (uint64_t row = 0; row < box.depth * box.height; row++) {
		const std::byte *from = static_cast<const std::byte *>(start) +
					row / box.height * slice + row % box.height * pitch;
		for (uint64_t at = 0; at < box.width; at += PART_BYTES) {
			const uint64_t bytes = std::min(PART_BYTES, box.width - at);
			visit(from + at, offset, bytes);
			offset += bytes;
		}
	}
}

/*
 * A change of one word always gives another hash: each step maps words and lanes one to one. Four lanes let the
 * processor multiply while it loads. The program may write meanwhile; that is what is looked for.
 */
#if defined(__SANITIZE_THREAD__)
[[gnu::no_sanitize("thread")]]
#endif
static uint64_t
hash_of(const std::byte *at, uint64_t bytes)
{
	constexpr uint64_t FACTOR = 0x9e3779b97f4a7c15;
	uint64_t lanes[4] = {1, 2, 3, bytes};
	uint64_t words[4];
	while (bytes > 0) {
		const uint64_t now = std::min<uint64_t>(bytes, sizeof(words));
		if (now < sizeof(words))
			memset(words, 0, sizeof(words));
		memcpy(words, at, now);
		for (unsigned i = 0; i < 4; i++)
			lanes[i] = std::rotl((lanes[i] ^ words[i]) * FACTOR, 29);
		at += now;
		bytes -= now;
	}
	uint64_t hash = 0;
	for (const uint64_t lane : lanes)
		hash = std::rotl((hash ^ lane) * FACTOR, 31);
	return hash;
}

static bool is_pattern(const std::byte *at, uint64_t bytes)
{
	return std::all_of(at, at + bytes,
			   [](std::byte byte) { return byte == std::byte{PATTERN}; });
}

static uint64_t parts_of(const Box &box)
{
	return box.depth * box.height * ((box.width + PART_BYTES - 1) / PART_BYTES);
}

/* A copy that the device makes, and of which all is known. */
static bool is_copy(const unpu_packet &packet, const void *page, Box &box)
{
	const auto *op = static_cast<const unpu_operator *>(page);
	const auto call = static_cast<Call>(drv::decode_cookie(packet.cookie).call);
	const bool is_box = packet.opcode == UNPU_OP_OPERATOR && page && call == Call::MEMCPY_BOX;
	return (packet.opcode == UNPU_OP_COPY || is_box) &&
	       copied_box(graph_task(packet, is_box ? op : nullptr), box);
}

/* Memory of the host that the device reaches. */
static bool is_pinned(const Stream &stream, const void *address)
{
	return side_of(address, stream.context) == Side::HOST;
}

/* The program may have unmapped memory that it registered; the device refuses the copy then. */
static bool can_read(const Box &box)
{
	uint64_t dst_bytes = 0;
	uint64_t src_bytes = 0;
	return reaches_of(box, dst_bytes, src_bytes) == base::Status::OK &&
	       base::is_mapped(number(box.src), src_bytes);
}

std::unique_ptr<Detour> Detour::begin(Stream &stream, const unpu_packet &packet, const void *page,
				      uint16_t &flags)
{
	const Recorder *recorder = Recorder::get();
	const uint32_t checks = recorder ? recorder->host_checks() : 0;
	Box box{};
	if (checks == 0 || !is_copy(packet, page, box))
		return nullptr;
	const uint64_t bytes = box.width * box.height * box.depth;
	const bool is_source = checks & HOST_DIGEST && is_pinned(stream, box.src) && can_read(box);
	const bool is_target = !is_source && checks & HOST_LATE && bytes == box.width &&
			       bytes > SHORT_TARGET_BYTES && is_pinned(stream, box.dst);
	if (!is_source && !is_target)
		return nullptr;
	std::byte *slot = nullptr;
	if (bytes <= MOST_COPY_BYTES && parts_of(box) <= MOST_PARTS)
		slot = Comparisons::get().take_slot(stream.context->device(), bytes);
	flags = slot ? san::COMMAND_COMPARED : san::COMMAND_UNCOMPARED;
	if (!slot)
		return nullptr;
	std::unique_ptr<Detour> made(new Detour(stream, box, is_target, slot, bytes));
	const Box in{slot,	box.width,     box.width * box.height,
		     box.src,	box.src_pitch, box.src_slice,
		     box.width, box.height,    box.depth};
	const Box out{box.dst,	 box.dst_pitch, box.dst_slice,
		      slot,	 box.width,	box.width * box.height,
		      box.width, box.height,	box.depth};
	if (is_source) {
		made->add_copy(in, packet.cookie);
		made->add_copy(out, packet.cookie);
		return made;
	}
	const auto target = reinterpret_cast<uint64_t>(box.dst);
	made->packets_[made->count_++] = {
		drv::fill_packet(packet.cookie, target, bytes, PATTERN, 1)};
	made->group_ = {
		drv::copy_packet(packet.cookie, reinterpret_cast<uint64_t>(slot), target, bytes),
		packet};
	made->grouped_ = made->group_.size();
	return made;
}

Detour::Detour(Stream &stream, const Box &box, bool is_target, std::byte *slot, uint64_t bytes)
	: stream_(stream), is_idle_(stream.channel->idle())
{
	compared_.device = DeviceRef(*stream.context->open);
	compared_.number = Recorder::get()->next_number();
	compared_.box = box;
	compared_.is_target = is_target;
	compared_.slot = slot;
	compared_.bytes = bytes;
}

Detour::~Detour()
{
	if (!is_kept_)
		Comparisons::get().give_slot(&stream_.context->device(), compared_.slot,
					     compared_.bytes);
}

void Detour::add_copy(const Box &box, uint64_t cookie)
{
	if (box.height * box.depth == 1) {
		packets_[count_++] = {drv::copy_packet(cookie, reinterpret_cast<uint64_t>(box.dst),
						       reinterpret_cast<uint64_t>(box.src),
						       box.width)};
		return;
	}
	unpu_operator &page = pages_[count_];
	page = box_operator(box);
	packets_[count_++] = {drv::operator_packet(cookie, 0), &page, sizeof(page)};
}

/* The marker is in the first word of each part of the slot, and is neither there in the source nor in the pattern. */
void Detour::read()
{
	const Box &box = compared_.box;
	uint64_t &marker = compared_.marker;
	marker = mix(compared_.number) & ~uint64_t{1};
	if (!compared_.is_target)
		compared_.hashes.reserve(parts_of(box));
	each_part(box, box.src, box.src_pitch, box.src_slice,
		  [&](const std::byte *from, uint64_t offset, uint64_t bytes) {
			  if (!compared_.is_target)
				  compared_.hashes.push_back(hash_of(from, bytes));
			  memcpy(compared_.slot + offset, &marker,
				 std::min<uint64_t>(bytes, sizeof(marker)));
		  });
}

/* The fill is the packet before the group. Nothing is waited for that may wait for the caller: behind such work the
 * pattern comes late, and shows less. */
void Detour::await_pattern(const drv::Fence &last) const
{
	const drv::Fence fill{last.sem, last.value - grouped_};
	if (is_idle_)
		(void)stream_.context->device().wait(fill, base::deadline_after(PATTERN_WAIT_NS));
	else
		(void)run_ready(*stream_.context->open, {&fill, 1}, base::now_ns());
}

void Detour::keep(const drv::Fence &fence)
{
	is_kept_ = true;
	compared_.fence = fence;
	if (compared_.is_target)
		await_pattern(fence);
	Comparisons::get().add(std::move(compared_));
}

std::byte *Comparisons::take_slot(drv::Device &device, uint64_t bytes)
{
	if (bytes_.fetch_add(bytes) + bytes > MOST_SLOT_BYTES) {
		look_through();
		if (bytes_.load() > MOST_SLOT_BYTES) {
			bytes_ -= bytes;
			return nullptr;
		}
	}
	std::string why;
	auto bo = device.memory().allocate(drv::Place::PINNED, bytes, UNPU_PAGE_THP, why);
	if (bo)
		return reinterpret_cast<std::byte *>(bo->va);
	bytes_ -= bytes;
	return nullptr;
}

void Comparisons::give_slot(drv::Device *device, std::byte *slot, uint64_t bytes)
{
	if (device)
		(void)device->memory().free(drv::Place::PINNED, reinterpret_cast<uint64_t>(slot));
	bytes_ -= bytes;
}

void Comparisons::add(Compared &&one)
{
	constexpr size_t LOOK_EVERY = 16;
	bool is_time = false;
	{
		std::lock_guard lock(mutex_);
		left_.push_back(std::move(one));
		is_any_ = true;
		is_time = left_.size() % LOOK_EVERY == 0;
	}
	if (is_time)
		look_through();
}

static bool has_ended(const Compared &one)
{
	const DeviceHold device = one.device.hold();
	return !device || device->hal().lost() || device->done(one.fence);
}

void Comparisons::look_through()
{
	std::vector<Compared> ended;
	{
		std::lock_guard lock(mutex_);
		std::erase_if(left_, [&](Compared &one) {
			if (!has_ended(one))
				return false;
			ended.push_back(std::move(one));
			return true;
		});
		is_any_ = !left_.empty();
	}
	for (const Compared &one : ended)
		finish(one);
}

/* Adds a range to @changed, to the last one if they meet. */
static void add_range(Operands &changed, const Compared &one, const std::byte *at, uint64_t bytes)
{
	const auto address = reinterpret_cast<uint64_t>(at);
	if (changed.count() > 0) {
		Operand &last = changed.last();
		if (last.address + last.run == address || changed.count() == MOST_RANGES) {
			last.run = address + bytes - last.address;
			return;
		}
	}
	changed.add(address, bytes, san::Access::WRITE,
		    one.is_target ? Role::DESTINATION : Role::SOURCE);
}

/* Return: false if the device has not made the copy, as when it was dropped or has failed. */
static bool compare(const Compared &one, Operands &changed)
{
	const Box &box = one.box;
	const bool to = one.is_target;
	bool has_copied = true;
	size_t part = 0;
	each_part(box, to ? box.dst : box.src, to ? box.dst_pitch : box.src_pitch,
		  to ? box.dst_slice : box.src_slice,
		  [&](const std::byte *at, uint64_t offset, uint64_t bytes) {
			  const std::byte *found = one.slot + offset;
			  /* A few bytes at the end of a row may be as those of the marker. */
			  if (bytes >= sizeof(one.marker) || one.bytes < sizeof(one.marker))
				  has_copied &= memcmp(found, &one.marker,
						       std::min<uint64_t>(bytes,
									  sizeof(one.marker))) != 0;
			  const bool is_same = to ? is_pattern(found, bytes)
						  : hash_of(found, bytes) == one.hashes[part++];
			  if (!is_same)
				  add_range(changed, one, at, bytes);
		  });
	return has_copied;
}

void Comparisons::finish(const Compared &one)
{
	const DeviceHold device = one.device.hold();
	Recorder *recorder = Recorder::get();
	if (!device || device->hal().lost()) {
		bytes_ -= one.bytes;
		return;
	}
	Operands changed;
	const bool has_copied = compare(one, changed);
	if (recorder)
		recorder->write(
			{.kind = san::Kind::COMPARED,
			 .flags = static_cast<uint16_t>(one.is_target ? san::COMPARED_TARGET : 0),
			 .object = one.number,
			 .site = NO_SITE},
			has_copied ? &changed : nullptr);
	give_slot(&*device, one.slot, one.bytes);
}

} // namespace umd::recorder

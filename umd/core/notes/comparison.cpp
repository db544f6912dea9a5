// SPDX-License-Identifier: MIT
/**
 * DOC: checking pinned memory while a copy is in flight
 *
 * A trace does not contain the loads and stores of the program. With UNPU_SANITIZE_HOST the runtime compares
 * the bytes that the device finds in pinned memory with the expected bytes, and records differences in the
 * trace. Documentation/adr/0291-contents-of-host-memory.rst has the reasons, and how the judge uses the
 * records.
 */
#include "comparison.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "check_budget.h"
#include "drv/device.h"
#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/side.h"
#include "umd/core/process/call.h"
#include "umd/core/task/task.h"
#include "umd/core/watch/ready.h"

namespace umd::recorder {

/* How much memory a process uses for this check. It also limits the longest copy. */
static constexpr uint64_t MOST_SLOT_BYTES = uint64_t{64} << 20;
static constexpr uint64_t MOST_COPY_BYTES = uint64_t{16} << 20;
/* A copy with more parts than this is not compared. */
static constexpr uint64_t MOST_PARTS = 8192;
/* A program may poll a word that a copy writes, so such short targets get no pattern. */
static constexpr uint64_t SHORT_TARGET_BYTES = 64;
static constexpr unsigned char PATTERN = 0xff; /* is NaN in each floating-point type */
/* The longest wait for a pattern that the device can write at once. */
static constexpr uint64_t PATTERN_WAIT_NS = base::NS_PER_S;
/* The first FIRST_SOURCES copies of a process, and launches of a graph, are compared when the host learns of
 * their end. After that only a random sample is, because a mistake in a loop happens again. */
static constexpr uint64_t FIRST_SOURCES = 256;
static constexpr uint64_t LATER_SOURCES = 4;
static constexpr uint64_t FIRST_LAUNCHES = 16;
static constexpr uint64_t LATER_LAUNCHES = 64;
/* The most copies that are kept while the host does not know that they have ended. */
static constexpr size_t MOST_KEPT = 1024;

static bool is_pattern(const std::byte *at, uint64_t bytes)
{
	return std::all_of(at, at + bytes,
			   [](std::byte byte) { return byte == std::byte{PATTERN}; });
}

/* Whether the packet is a copy by the device whose ranges are all known. */
static bool is_copy(const unpu_packet &packet, const void *page, Box &box)
{
	const auto *op = static_cast<const unpu_operator *>(page);
	const Call call = kind_of_call(static_cast<Call>(drv::decode_cookie(packet.cookie).call));
	const bool is_box = packet.opcode == UNPU_OP_OPERATOR && page && call == Call::MEMCPY_BOX;
	return (packet.opcode == UNPU_OP_COPY || is_box) &&
	       copied_box(graph_task(packet, is_box ? op : nullptr), box);
}

/* Whether the address is in host memory that the device can access. */
static bool is_pinned(const Stream &stream, const void *address)
{
	return side_of(address, stream.context) == Side::HOST;
}

static bool is_chosen(uint64_t count, uint64_t first, uint64_t later)
{
	return count < first || mix(count) % later == 0;
}

std::unique_ptr<ShadowCopy> ShadowCopy::begin(Stream &stream, const unpu_packet &packet,
					      const void *page, uint16_t &flags)
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
	if (checks == HOST_DIGEST && !CheckBudget::allows(bytes))
		return nullptr;
	std::byte *slot = nullptr;
	if (bytes <= MOST_COPY_BYTES && parts_of(box) <= MOST_PARTS)
		slot = Comparisons::get().take_slot(stream.context->device(), bytes);
	flags = slot ? san::COMMAND_COMPARED : san::COMMAND_UNCOMPARED;
	if (!slot)
		return nullptr;
	std::unique_ptr<ShadowCopy> made(new ShadowCopy(stream, box, is_target, slot, bytes));
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

ShadowCopy::ShadowCopy(Stream &stream, const Box &box, bool is_target, std::byte *slot,
		       uint64_t bytes)
	: stream_(stream), is_idle_(stream.channel->idle())
{
	compared_.device = DeviceRef(*stream.context->open);
	compared_.number = Recorder::get()->next_number();
	compared_.box = box;
	compared_.is_target = is_target;
	compared_.slot = slot;
	compared_.has_source = !is_target && is_chosen(Comparisons::get().count_source(),
						       FIRST_SOURCES, LATER_SOURCES);
	compared_.bytes = bytes;
}

ShadowCopy::~ShadowCopy()
{
	if (!is_kept_)
		Comparisons::get().give_slot(&stream_.context->device(), compared_.slot,
					     compared_.bytes);
}

void ShadowCopy::add_copy(const Box &box, uint64_t cookie)
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

/* Each part of the slot begins with the marker. The marker differs from all words at these places of the
 * source, and from the pattern. So a marker that is still there shows that the device has not copied. */
void ShadowCopy::read()
{
	const Box &box = compared_.box;
	uint64_t &marker = compared_.marker;
	marker = mix(compared_.number) & ~uint64_t{1};
	if (!compared_.is_target)
		compared_.digest.read(box);
	each_part(box, box.src, box.src_pitch, box.src_slice,
		  [&](const std::byte *, uint64_t offset, uint64_t bytes) {
			  memcpy(compared_.slot + offset, &marker,
				 std::min<uint64_t>(bytes, sizeof(marker)));
		  });
}

/* Waits for the fill, which is the packet before the group. It does not wait if earlier work may depend on
 * the caller, which could deadlock. Then the pattern is written late, and finds fewer mistakes. */
void ShadowCopy::await_pattern(const drv::Fence &last) const
{
	const drv::Fence fill{last.sem, last.value - grouped_};
	if (is_idle_)
		(void)stream_.context->device().wait(fill, base::deadline_after(PATTERN_WAIT_NS));
	else
		(void)await_ready(*stream_.context->open, {&fill, 1}, base::now_ns());
}

void ShadowCopy::keep(const drv::Fence &fence)
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
		look_through({});
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
		look_through({});
}

static bool has_ended(const Compared &one)
{
	const DeviceHold device = one.device.hold();
	return !device || device->hal().lost() || device->done(one.fence);
}

/* Compares the source when the host learns that the copy has ended. The source is not freed during this,
 * because forget_sources() waits for the lock. */
static void compare_source(Compared &one)
{
	const DeviceHold device = one.device.hold();
	if (!device || device->hal().lost() || one.is_target || !one.has_source)
		return;
	one.after = std::make_unique<Operands>();
	one.digest.add_changed(*one.after);
}

bool Comparisons::Known::covers(const Compared &one) const
{
	return is_all || (one.device.state == device.state && one.device.epoch == device.epoch &&
			  one.fence.sem == fence.sem && one.fence.value <= fence.value);
}

void Comparisons::look_through(const Known &known)
{
	HostGuard::tell();
	const uint64_t now_ns = base::now_ns();
	std::vector<Compared> ended;
	uint64_t forgotten = 0;
	{
		std::lock_guard lock(mutex_);
		forgotten = forgotten_;
		std::erase_if(left_, [&](Compared &one) {
			const bool is_known = known.covers(one);
			/* A copy without a slot is compared only when the host learns of its end. */
			if ((!one.slot && !is_known) || !has_ended(one))
				return false;
			if (is_known)
				compare_source(one);
			one.has_source &= !is_known;
			ended.push_back(std::move(one));
			return true;
		});
		is_any_ = !left_.empty();
	}
	std::erase_if(ended, [&](Compared &one) { return !finish(one); });
	if (!ended.empty())
		keep(std::move(ended), forgotten);
	CheckBudget::spend(now_ns);
}

/* Keeps the copies without a difference so far, because their sources are compared later. */
void Comparisons::keep(std::vector<Compared> &&ended, uint64_t forgotten)
{
	std::vector<Compared> dropped;
	{
		std::lock_guard lock(mutex_);
		if (forgotten == forgotten_) {
			left_.insert(left_.end(), std::make_move_iterator(ended.begin()),
				     std::make_move_iterator(ended.end()));
			ended.clear();
		}
		is_any_ = !left_.empty();
		size_t more = left_.size() - std::min(left_.size(), MOST_KEPT);
		std::erase_if(left_, [&](Compared &one) {
			if (more == 0 || one.slot)
				return false;
			more--;
			dropped.push_back(std::move(one));
			return true;
		});
	}
	for (auto *list : {&ended, &dropped}) {
		for (const Compared &one : *list)
			tell(one, nullptr, 0);
	}
}

void Comparisons::forget()
{
	std::lock_guard lock(mutex_);
	forgotten_++;
	for (Compared &one : left_)
		one.has_source = false;
}

static void forget_sources()
{
	HostGuard::open();
	if (Comparisons *mine = Process::find<Comparisons>())
		mine->forget();
}

/* Return: false if the device has not made the copy, because it was dropped or has failed. */
static bool compare(const Compared &one, Operands &changed)
{
	const Box &box = one.box;
	const bool to = one.is_target;
	bool has_copied = true;
	size_t part = 0;
	each_part(
		box, to ? box.dst : box.src, to ? box.dst_pitch : box.src_pitch,
		to ? box.dst_slice : box.src_slice,
		[&](const std::byte *at, uint64_t offset, uint64_t bytes) {
			const std::byte *found = one.slot + offset;
			/* A part shorter than the marker, at the end of a row, may equal the marker's bytes
			 * by chance. */
			if (bytes >= sizeof(one.marker) || one.bytes < sizeof(one.marker))
				has_copied &=
					memcmp(found, &one.marker,
					       std::min<uint64_t>(bytes, sizeof(one.marker))) != 0;
			const bool is_same =
				to ? is_pattern(found, bytes)
				   : hash_of(found, bytes) == one.digest.hashes()[part++];
			if (!is_same)
				add_part(changed, at, bytes, to ? Role::DESTINATION : Role::SOURCE);
		});
	return has_copied;
}

void Comparisons::tell(const Compared &one, const Operands *changed, uint16_t flags)
{
	if (Recorder *recorder = Recorder::get())
		recorder->write({.kind = san::Kind::COMPARED,
				 .flags = flags,
				 .object = one.number,
				 .site = NO_SITE},
				changed);
}

/* Return: whether the source still has to be compared. */
bool Comparisons::finish(Compared &one)
{
	const DeviceHold device = one.device.hold();
	if (!device || device->hal().lost()) {
		bytes_ -= one.bytes;
		return false;
	}
	Operands changed;
	const bool has_copied = !one.slot || compare(one, changed);
	if (std::byte *slot = std::exchange(one.slot, nullptr))
		give_slot(&*device, slot, std::exchange(one.bytes, 0));
	if (changed.count() > 0 || !has_copied || one.is_target)
		tell(one, has_copied ? &changed : nullptr,
		     one.is_target ? uint16_t{san::COMPARED_TARGET} : uint16_t{0});
	else if (one.has_source)
		return true;
	else
		tell(one, one.after.get(), san::COMPARED_AFTER);
	return false;
}

std::unique_ptr<LaunchDigest> LaunchDigest::begin(Stream &stream, const std::vector<Box> &copies,
						  bool is_plain, uint64_t count, uint16_t &flags)
{
	HostGuard::open();
	Recorder *recorder = Recorder::get();
	if (!recorder || copies.empty() || (recorder->host_checks() & HOST_DIGEST) == 0 ||
	    !is_chosen(count, FIRST_LAUNCHES, LATER_LAUNCHES))
		return nullptr;
	std::unique_ptr<LaunchDigest> made(new LaunchDigest);
	uint64_t bytes = 0;
	for (const Box &box : copies) {
		if (!is_pinned(stream, box.src) || !can_read(box))
			continue;
		made->sources_.push_back(box);
		bytes += box.width * box.height * box.depth;
	}
	if (made->sources_.empty())
		return nullptr;
	is_plain = is_plain && bytes <= MOST_COPY_BYTES;
	flags = is_plain ? san::COMMAND_COMPARED : san::COMMAND_UNCOMPARED;
	if (!is_plain)
		return nullptr;
	made->compared_.device = DeviceRef(*stream.context->open);
	made->compared_.number = recorder->next_number();
	return made;
}

void LaunchDigest::read()
{
	for (const Box &box : sources_)
		compared_.digest.read(box);
}

void LaunchDigest::keep(const drv::Fence &fence)
{
	compared_.fence = fence;
	Comparisons::get().add(std::move(compared_));
}

void observe_comparisons()
{
	observer.look.fill(Comparisons::look);
	observer.look_behind.fill([](OpenDevice &device, const drv::Fence &fence) {
		Comparisons::look_behind(DeviceRef(device), fence);
	});
	observer.look_behind_event.fill(Comparisons::look_behind);
	observer.look_behind_all.fill(Comparisons::look_behind_all);
	observer.forget_sources.fill(forget_sources);
}

} // namespace umd::recorder

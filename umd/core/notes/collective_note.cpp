// SPDX-License-Identifier: MIT
/**
 * DOC: trace records of collective operations
 *
 * In the trace, a collective operation is one command, which uses the buffers of the call. The signals of the
 * operation come before the command, and its waits come after it. So the work of other ranks after their
 * calls is ordered after the work of this rank before its call. It is not ordered after the command itself,
 * because the interface does not guarantee that.
 */
#include "collective_note.h"
#include "collective_entries.h"
#include "host_guard.h"
#include "notes.h"

#include <algorithm>

#include "umd/core/object/stream_object.h"

namespace umd::recorder {

using san::Kind;

/* Adds the uses of one kind. Uses that touch are merged. */
static void add_uses(Operands &operands, std::vector<CollectiveNote::Use> uses, bool is_write,
		     uint16_t flags)
{
	constexpr size_t MOST_OF_A_KIND = Operands::MOST / 2 - 1;
	std::erase_if(uses, [&](const CollectiveNote::Use &use) {
		return use.is_write != is_write || use.bytes == 0;
	});
	std::sort(uses.begin(), uses.end(),
		  [](const CollectiveNote::Use &left, const CollectiveNote::Use &right) {
			  return left.address < right.address;
		  });
	const size_t before = operands.count();
	uint64_t end = 0;
	for (const CollectiveNote::Use &use : uses) {
		const bool is_first = operands.count() == before;
		const bool is_full = operands.count() == before + MOST_OF_A_KIND;
		if (!is_first && (use.address <= end || is_full)) {
			Operand &last = operands.last();
			if (use.address > end)
				last.flags |= san::OPERAND_PARTIAL;
			end = std::max(end, use.address + use.bytes);
			last.run = end - last.address;
			continue;
		}
		operands.add(use.address, use.bytes,
			     is_write ? san::Access::WRITE : san::Access::READ,
			     is_write ? Role::DESTINATION : Role::SOURCE)
			.flags = flags;
		end = use.address + use.bytes;
	}
}

void CollectiveNote::add_to(Operands &operands) const
{
	/* The operation may read bytes that were never written, as a copy may. */
	add_uses(operands, uses, false, static_cast<uint16_t>(computes ? 0 : san::OPERAND_SCRATCH));
	add_uses(operands, uses, true, 0);
}

std::vector<uint64_t> CollectiveNote::words() const
{
	std::vector<uint64_t> words = {call | uint64_t{computes} << 8, uses.size(), signals.size(),
				       waits.size()};
	for (const Use &use : uses)
		words.insert(words.end(), {use.address, use.bytes, uint64_t{use.is_write}});
	words.insert(words.end(), signals.begin(), signals.end());
	words.insert(words.end(), waits.begin(), waits.end());
	return words;
}

CollectiveNote CollectiveNote::of(const std::vector<uint64_t> &words)
{
	CollectiveNote note;
	auto at = words.begin() + 4;
	note.call = static_cast<uint8_t>(words[0]);
	note.computes = words[0] >> 8 != 0;
	for (uint64_t i = 0; i < words[1]; i++, at += 3)
		note.uses.push_back({at[0], at[1], at[2] != 0});
	const auto signals_end = at + static_cast<std::ptrdiff_t>(words[2]);
	note.signals.assign(at, signals_end);
	note.waits.assign(signals_end, signals_end + static_cast<std::ptrdiff_t>(words[3]));
	return note;
}

void note_point_passed(const StreamPoint &point, Stream &stream)
{
	Recorder *recorder = Recorder::get();
	if (recorder && point.latch != 0)
		recorder->write({.kind = Kind::AWAIT,
				 .flags = san::LATCH_AT_LEAST,
				 .stream = stream_number(stream),
				 .object = point.latch,
				 .value = point.value});
}

void note_point_reached(const StreamPoint &point, Stream &stream)
{
	Recorder *recorder = Recorder::get();
	if (recorder && point.latch != 0)
		recorder->write({.kind = Kind::SIGNAL,
				 .flags = san::SIGNAL_SET,
				 .stream = stream_number(stream),
				 .object = point.latch,
				 .value = point.value});
}

CollectiveEntries CollectiveEntries::begin(Stream &stream, const CollectiveNote &note)
{
	CollectiveEntries taken;
	Recorder *recorder = Recorder::get();
	if (!recorder)
		return taken;
	const uint32_t number = stream_number(stream);
	const uint32_t label = recorder->call_label(note.call);
	for (const uint64_t latch : note.signals)
		taken.entries_.push_back(recorder->reserve({.kind = Kind::SIGNAL,
							    .flags = san::SIGNAL_ADD,
							    .stream = number,
							    .object = latch,
							    .value = 1,
							    .label = label}));
	Operands operands;
	note.add_to(operands);
	taken.entries_.push_back(recorder->reserve({.kind = Kind::COMMAND,
						    .flags = CallNotes::mine().command_flags,
						    .stream = number,
						    .object = recorder->next_number(),
						    .label = label},
						   &operands));
	for (const uint64_t latch : note.waits)
		taken.entries_.push_back(recorder->reserve({.kind = Kind::AWAIT,
							    .flags = san::LATCH_CONSUME,
							    .stream = number,
							    .object = latch,
							    .label = label}));
	return taken;
}

uint64_t collective_latch(std::span<const uint8_t> name, uint32_t kind, uint32_t from, uint32_t to)
{
	uint64_t hash = uint64_t{kind} << 48 | uint64_t{from} << 24 | to;
	for (const uint8_t byte : name)
		hash = mix(hash ^ byte);
	return hash | 1;
}

void note_collective_began(uint64_t latch)
{
	HostGuard::open();
	Recorder *recorder = Recorder::get();
	if (recorder)
		recorder->write(
			{.kind = Kind::SIGNAL, .flags = san::SIGNAL_RESET, .object = latch});
}

void note_collective_failed(uint64_t latch)
{
	Recorder *recorder = Recorder::get();
	if (recorder)
		recorder->write({.kind = Kind::SIGNAL,
				 .flags = san::SIGNAL_ADD,
				 .object = latch,
				 .value = UINT32_MAX});
}

void note_collective_shared()
{
	if (Recorder *recorder = Recorder::get())
		recorder->begin_sharing();
}

} // namespace umd::recorder

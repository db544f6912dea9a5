// SPDX-License-Identifier: MIT
/**
 * DOC: notes of memory
 *
 * A block is physical memory; its number is unique in all processes. An allocation is a block with an address.
 */
#include "notes.h"

#include <cstring>

#include "host_guard.h"
#include "umd/core/memory/side.h"

namespace umd::recorder {

using san::Kind;

static constexpr uint64_t OBJECT_UNIT = 64;

static uint64_t address_of(const void *address)
{
	return reinterpret_cast<uint64_t>(address);
}

/* The driver allocates in units of 64 bytes, and copies may use the whole unit. */
static void note_allocation(const Allocated &allocated)
{
	Recorder *recorder = Recorder::get();
	if (!recorder)
		return;
	const CallNotes &call = CallNotes::mine();
	const uint64_t whole = base::round_up(allocated.bytes + allocated.padding, OBJECT_UNIT);
	/* The bytes after registered memory also belong to the program, so there is no slack. */
	const bool is_registered =
		(allocated.flags & san::ALLOC_HOST) && (allocated.flags & san::ALLOC_DEFINED);
	recorder->write({.kind = Kind::ALLOC,
			 .flags = static_cast<uint16_t>(allocated.flags | call.memory_flags),
			 .stream = call.stream,
			 .object = allocated.block != 0 ? allocated.block : recorder->next_number(),
			 .address = address_of(allocated.address),
			 .bytes = whole,
			 .value = is_registered ? 0 : whole - allocated.bytes});
}

static Entry begin_free(const void *address, const char *word)
{
	const CallNotes &call = CallNotes::mine();
	if (call.memory_flags & san::WAITS || side_of(address) != Side::DEVICE)
		HostGuard::open();
	HostGuard::tell();
	Recorder *recorder = Recorder::get();
	if (!recorder)
		return {};
	return recorder->reserve({.kind = Kind::FREE,
				  .flags = call.memory_flags,
				  .stream = call.stream,
				  .address = address_of(address),
				  .label = recorder->label(word)});
}

static void note_given_back(const void *address, uint64_t bytes)
{
	HostGuard::open();
	if (!is_on())
		return;
	begin_free(address, "$host_unregister").publish();
	note_allocation({address, bytes, san::ALLOC_HOST | san::ALLOC_DEFINED});
}

static uint64_t note_block(uint64_t bytes, bool host)
{
	Recorder *recorder = Recorder::get();
	if (!recorder)
		return 0;
	const uint64_t block = recorder->next_number();
	recorder->write({.kind = Kind::ALLOC,
			 .flags = static_cast<uint16_t>(host ? san::ALLOC_HOST : 0),
			 .object = block,
			 .bytes = bytes});
	return block;
}

static Entry begin_map(uint64_t address, uint64_t bytes, uint64_t block)
{
	HostGuard::open();
	Recorder *recorder = Recorder::get();
	if (!recorder || block == 0)
		return {};
	return recorder->reserve(
		{.kind = Kind::MAP, .object = block, .address = address, .bytes = bytes});
}

static Entry begin_unmap(uint64_t address, uint64_t bytes, bool in_stream)
{
	HostGuard::open();
	Recorder *recorder = Recorder::get();
	if (!recorder)
		return {};
	return recorder->reserve({.kind = Kind::UNMAP,
				  .flags = in_stream ? san::UNMAP_IN_STREAM : uint16_t{0},
				  .stream = in_stream ? CallNotes::mine().stream : san::HOST,
				  .address = address,
				  .bytes = bytes});
}

/* A word that a stream writes has its address as the number of its latch. */
static void note_acquire(const void *address, uint64_t bytes)
{
	HostGuard::open();
	HostGuard::tell();
	Recorder *recorder = Recorder::get();
	if (!recorder || !address || bytes == 0)
		return;
	const auto first = reinterpret_cast<uint64_t>(address);
	uint64_t value = 0;
	if (bytes == sizeof(uint32_t) || bytes == sizeof(uint64_t))
		memcpy(&value, address, bytes);
	recorder->write({.kind = Kind::ACQUIRE,
			 .object = recorder->number_of(first),
			 .address = first,
			 .bytes = bytes,
			 .value = value,
			 .label = recorder->label("unpu_san_acquire")});
}

uint64_t number_of_key(const unpu_export_key &key)
{
	if (Recorder *recorder = Recorder::get())
		recorder->begin_sharing();
	return mix(key.nonce ^ mix(key.object)) | 1;
}

/* From now on the address refers to a block that other processes know. Accesses that are already in flight
 * are not recorded for the new block. */
static void note_export(const void *address, uint64_t bytes, const unpu_export_key &key)
{
	HostGuard::open();
	if (is_on())
		note_allocation({address, bytes, san::ALLOC_DEFINED, number_of_key(key)});
}

static void note_import(uint64_t address, uint64_t bytes, const unpu_export_key &key)
{
	if (is_on())
		begin_map(address, bytes, number_of_key(key)).publish();
}

void observe_memory()
{
	observer.note_allocation.fill(note_allocation);
	observer.number_of_key.fill(number_of_key);
	observer.begin_free.fill(begin_free);
	observer.note_given_back.fill(note_given_back);
	observer.note_block.fill(note_block);
	observer.begin_unmap.fill(begin_unmap);
	observer.note_acquire.fill(note_acquire);
	observer.note_export.fill(note_export);
	observer.note_import.fill(note_import);
	observer.begin_map.fill(begin_map);
}

} // namespace umd::recorder

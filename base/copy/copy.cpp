// SPDX-License-Identifier: MIT
/**
 * DOC: Copies
 *
 * The fastest way to copy depends on the machine: the string instruction can be twice as fast as memcpy() on
 * one CPU and a fifth slower on another. So the first copies of each size class try all methods in turn and
 * measure them. The method with the lowest median time wins: one copy can find its source in a cache, and
 * another one can be preempted. A copy that touches a page for the first time is not counted, because such a
 * page takes several times as long as its bytes.
 *
 * Stores that bypass the caches are used for large copies only. They make the copy faster and its target
 * slower to read, and a measurement of the copy does not show the slower reads. Data that fits into the
 * caches is mostly read soon.
 *
 * Threads read and write the table without a lock. Its words are hints: a lost update makes a copy slower,
 * never wrong.
 */
#include "copy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include <sys/resource.h>

#include "base/clock.h"
#include "base/sync/ordering.h"

namespace base {

namespace {

struct Method {
	const char *name;
	void (*copy)(std::byte *to, const std::byte *from, size_t bytes);
};

void copy_plain(std::byte *to, const std::byte *from, size_t bytes)
{
	memcpy(to, from, bytes);
}

constexpr Method METHODS[] = {
	{"plain", copy_plain},
	{"string", copy_string},
	{"streamed", copy_streamed},
};

/* Below this size memcpy() is as good as the other methods, and reading the clock costs more than the copy. */
constexpr size_t LEAST_BYTES = 4096;
constexpr unsigned FIRST_WIDTH = std::bit_width(LEAST_BYTES);
constexpr unsigned SIZES =
	/* each size class is four times as large as the previous one; the last class has no upper bound */
	9;
constexpr uint32_t TRIES = 8; /* number of measurements per method */
/* The classes below 4 MiB use all methods except the last one. */
constexpr unsigned CACHED_SIZES = 5;

/* struct Trials - the measurements of one method. */
struct Trials {
	uint32_t tried;
	std::array<uint64_t, TRIES> costs; /* nanoseconds per GiB */
};

/* struct Size - the measurements of one size class. */
struct alignas(64) Size {
	uint32_t chosen; /* 1 + number of the method; 0 while measuring */
	std::array<Trials, std::size(METHODS)> trials;
};

Size sizes[SIZES];

Size &size_of(size_t bytes)
{
	unsigned step = (static_cast<unsigned>(std::bit_width(bytes)) - FIRST_WIDTH) / 2;
	return sizes[std::min(step, SIZES - 1)];
}

size_t methods_of(const Size &size)
{
	return std::size(METHODS) - (&size - sizes < CACHED_SIZES ? 1 : 0);
}

/* How many page faults this thread has had so far. */
uint64_t page_faults()
{
	rusage used{};
	getrusage(RUSAGE_THREAD, &used);
	return static_cast<uint64_t>(used.ru_minflt + used.ru_majflt);
}

uint64_t median(const Trials &trials)
{
	std::array<uint64_t, TRIES> sorted;
	std::transform(trials.costs.begin(), trials.costs.end(), sorted.begin(),
		       [](const uint64_t &cost) { return load_relaxed(cost); });
	std::sort(sorted.begin(), sorted.end());
	return sorted[TRIES / 2];
}

void choose(Size &size)
{
	auto fastest = std::min_element(size.trials.begin(), size.trials.begin() + methods_of(size),
					[](const Trials &left, const Trials &right) {
						return median(left) < median(right);
					});
	store_relaxed(size.chosen, 1 + static_cast<uint32_t>(fastest - size.trials.begin()));
}

void copy_and_measure(Size &size, std::byte *to, const std::byte *from, size_t bytes)
{
	const size_t methods = methods_of(size);
	uint32_t method = 0;
	while (method + 1 < methods && load_relaxed(size.trials[method].tried) >= TRIES)
		method++;
	Trials &trials = size.trials[method];
	const uint64_t faults = page_faults();
	const uint64_t start_ns = now_ns();
	METHODS[method].copy(to, from, bytes);
	const uint64_t cost = ((now_ns() - start_ns) << 30) / bytes;
	if (page_faults() != faults)
		return;
	const uint32_t turn = fetch_add(trials.tried, uint32_t{1});
	if (turn < TRIES)
		store_relaxed(trials.costs[turn], cost);
	if (turn + 1 >= TRIES && method + 1 == methods)
		choose(size);
}

} // namespace

void copy_piece(void *to, const void *from, size_t bytes, size_t whole)
{
	auto *target = static_cast<std::byte *>(to);
	const auto *source = static_cast<const std::byte *>(from);
	if (bytes < LEAST_BYTES || overlap({target, bytes}, {source, bytes})) {
		memmove(target, source, bytes);
		return;
	}
	Size &size = size_of(std::max(bytes, whole));
	uint32_t chosen = load_relaxed(size.chosen);
	if (chosen != 0) [[likely]]
		METHODS[chosen - 1].copy(target, source, bytes);
	else
		copy_and_measure(size, target, source, bytes);
}

const char *copy_method(size_t bytes)
{
	uint32_t chosen = bytes < LEAST_BYTES ? 1 : load_relaxed(size_of(bytes).chosen);
	return chosen == 0 ? "" : METHODS[chosen - 1].name;
}

} // namespace base

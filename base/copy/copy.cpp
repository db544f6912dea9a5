// SPDX-License-Identifier: MIT
/**
 * DOC: Copies
 *
 * The fastest way to copy depends on the machine: the string instruction can be twice as fast as memcpy()
 * on one CPU and a fifth slower on another. So the first copies of each size class try all methods in turn
 * and measure them. The method with the lowest best-case time wins. The best case counts because page faults
 * and preemption lengthen a copy whatever its method is.
 *
 * Threads read and write the table without a lock. Its words are hints: a lost update makes a copy
 * slower, never wrong.
 */
#include "copy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

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
	{"streamed", copy_streamed},
	{"string", copy_string},
};

/* Below this size memcpy() is as good as the other methods, and reading the clock costs more than the copy. */
constexpr size_t LEAST_BYTES = 4096;
constexpr unsigned FIRST_WIDTH = std::bit_width(LEAST_BYTES);
constexpr unsigned SIZES =
	9; /* each class is four times the one before; the last has no upper bound */
constexpr uint32_t TRIES = 8; /* measurements per method */

/* struct Size - the measurements of one size class. */
struct alignas(64) Size {
	uint32_t chosen; /* 1 + number of the method; 0 while measuring */
	uint32_t tries;
	std::array<uint64_t, std::size(METHODS)>
		costs; /* lowest nanoseconds per GiB; 0: not measured */
};

Size sizes[SIZES];

Size &size_of(size_t bytes)
{
	unsigned step = (static_cast<unsigned>(std::bit_width(bytes)) - FIRST_WIDTH) / 2;
	return sizes[std::min(step, SIZES - 1)];
}

void copy_and_measure(Size &size, std::byte *to, const std::byte *from, size_t bytes)
{
	uint32_t turn = fetch_add(size.tries, uint32_t{1});
	uint32_t method = turn / TRIES % std::size(METHODS);
	uint64_t start_ns = now_ns();
	METHODS[method].copy(to, from, bytes);
	uint64_t cost = ((now_ns() - start_ns) << 30) / bytes;
	uint64_t best = load_relaxed(size.costs[method]);
	if (best == 0 || cost < best)
		store_relaxed(size.costs[method], cost);
	if (turn + 1 < TRIES * std::size(METHODS))
		return;
	auto fastest = std::min_element(size.costs.begin(), size.costs.end(),
					[](uint64_t &left, uint64_t &right) {
						return load_relaxed(left) < load_relaxed(right);
					});
	store_relaxed(size.chosen, 1 + static_cast<uint32_t>(fastest - size.costs.begin()));
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

/* SPDX-License-Identifier: MIT */
/*
 * DOC: Pattern
 *
 * Which elements an instruction of the vector unit touches. An instruction is a number of repeats; a repeat is 8
 * blocks of 32 bytes of the widest operand. The mask selects elements of a repeat; strides say where the blocks of
 * each operand lie. A pattern is cut into runs of elements that follow each other in all operands, so that each
 * operation is one loop over contiguous elements.
 */
#ifndef UNPU_ASCENDC_VECTOR_PATTERN_H
#define UNPU_ASCENDC_VECTOR_PATTERN_H

#include "unpu_ascendc/tensor/local_tensor.h"

namespace unpu::lang {

using AscendC::LocalTensor;

/* An operand. Strides are in bytes, from start to start. */
struct Lane {
	const char *name;
	unsigned char *base;
	uint32_t bits; /* of an element */
	uint32_t block;
	uint32_t repeat;

	uint32_t elements_per_block() const { return 256 / bits; }
	unsigned char *at(uint32_t of_repeat, uint32_t element) const
	{
		const uint32_t in_block = element % elements_per_block();

		return base + uint64_t(of_repeat) * repeat +
		       uint64_t(element / elements_per_block()) * block +
		       uint64_t(in_block) * bits / 8;
	}
};

template <class T>
inline Lane lane_of(const char *name, const LocalTensor<T> &tensor, uint32_t block_stride,
		    uint32_t repeat_stride)
{
	return {name, tensor.address_.absAddr, bits_per_element<T>, block_stride * 32,
		repeat_stride * 32};
}

struct Pattern {
	uint64_t bits[2];
	uint32_t per_repeat;
	uint32_t repeats;
	uint32_t last;		   /* elements of the last repeat; in the mode NORMAL all */
	bool is_inherited = false; /* the mask was set before the call */

	bool has(uint32_t element) const { return (bits[element / 64] >> (element % 64)) & 1; }
	/* Whether the mask selects all elements of a repeat. */
	bool is_full() const
	{
		const uint32_t low = per_repeat < 64 ? per_repeat : 64;

		return ~bits[0] << (64 - low) == 0 && (per_repeat <= 64 || bits[1] == ~0ull);
	}
	/* The number of elements in a repeat. The last repeat may have fewer. */
	uint32_t elements_of(uint32_t repeat) const
	{
		return repeat + 1 == repeats && last < per_repeat ? last : per_repeat;
	}
	/* The end of the last element that the mask selects. */
	uint32_t end() const
	{
		const uint32_t found =
			bits[1]	  ? 128 - static_cast<uint32_t>(__builtin_clzll(bits[1]))
			: bits[0] ? 64 - static_cast<uint32_t>(__builtin_clzll(bits[0]))
				  : 0;

		return found < per_repeat ? found : per_repeat;
	}
	/* How many elements the mask selects, if these are the first ones; else 0. */
	uint32_t first_elements() const
	{
		const uint32_t count = end();
		const uint64_t low = count >= 64 ? ~0ull : (1ull << count) - 1;
		const uint64_t high = count >= 128 ? ~0ull
				      : count > 64 ? (1ull << (count - 64)) - 1
						   : 0;

		return (bits[0] & low) == low && (bits[1] & high) == high ? count : 0;
	}
};

/* Bytes from the start of a repeat to the end of its first @elements elements. */
inline uint64_t reach_of_repeat(const Lane &lane, uint32_t elements)
{
	const uint32_t block = lane.elements_per_block();
	const uint32_t last_block = (elements - 1) / block;
	const uint32_t in_block =
		lane.block == 0 && last_block > 0 ? block : elements - last_block * block;

	return uint64_t(last_block) * lane.block + (uint64_t(in_block) * lane.bits + 7) / 8;
}

/* Bytes from the base of a lane to the end of what the pattern touches. The last repeat may be shorter. */
inline uint64_t reach_of(const Lane &lane, const Pattern &pattern)
{
	const uint32_t end = pattern.end();
	const uint32_t last = pattern.last < end ? pattern.last : end;

	if (pattern.repeats == 0 || last == 0)
		return 0;
	const uint64_t of_last =
		uint64_t(pattern.repeats - 1) * lane.repeat + reach_of_repeat(lane, last);
	const uint64_t before = pattern.repeats > 1 ? uint64_t(pattern.repeats - 2) * lane.repeat +
							      reach_of_repeat(lane, end)
						    : 0;

	return of_last > before ? of_last : before;
}

inline Pattern pattern_of_bits(uint64_t low, uint64_t high, uint32_t per_repeat, uint32_t repeats)
{
	Pattern pattern = {{low, high}, per_repeat, repeats, per_repeat};

	if (per_repeat <= 64) {
		pattern.bits[0] = per_repeat == 64 ? low : low & ((1ull << per_repeat) - 1);
		pattern.bits[1] = 0;
	}
	return pattern;
}

/* The first @count elements of a repeat. */
inline Pattern pattern_of_count(uint32_t count, uint32_t per_repeat, uint32_t repeats)
{
	const uint64_t low = count >= 64 ? ~0ull : (1ull << count) - 1;
	const uint64_t high = count <= 64 ? 0 : count >= 128 ? ~0ull : (1ull << (count - 64)) - 1;

	return pattern_of_bits(low, high, per_repeat, repeats);
}

/* The mode COUNTER: @total elements over as many repeats as they need. */
inline Pattern pattern_of_total(uint64_t total, uint32_t per_repeat)
{
	const uint32_t repeats = static_cast<uint32_t>((total + per_repeat - 1) / per_repeat);
	Pattern pattern = pattern_of_bits(~0ull, ~0ull, per_repeat, repeats);

	if (repeats > 0)
		pattern.last = static_cast<uint32_t>(total - uint64_t(repeats - 1) * per_repeat);
	return pattern;
}

__attribute__((noinline, cold)) inline void explain_mask(const char *call, uint64_t mask,
							 uint32_t per_repeat, uint64_t repeats,
							 Where where)
{
	/* The chip does nothing for a mask of 0. */
	if (level() == 0 || (mask == 0 && repeats <= 255 && level() == 1))
		return;
	if (repeats > 255)
		fail(where, "%s: repeat is %llu, 255 at most", call,
		     static_cast<unsigned long long>(repeats));
	fail(where, "%s: mask is %llu, but a repeat of this type has 1 to %u elements", call,
	     static_cast<unsigned long long>(mask), per_repeat);
}

/* The pattern of a call with a number of elements as mask. */
template <bool isSetMask>
inline Pattern make_pattern(const char *call, uint64_t mask, uint32_t per_repeat, uint64_t repeats,
			    Where where)
{
	const State &now = state();

	if constexpr (!isSetMask) {
		Pattern pattern = now.is_counter
					  ? pattern_of_total(now.mask[0], per_repeat)
					  : pattern_of_bits(now.mask[0], now.mask[1], per_repeat,
							    static_cast<uint32_t>(repeats));

		pattern.is_inherited = true;
		return pattern;
	}
	if (now.is_counter)
		return pattern_of_total(mask, per_repeat);
	if (__builtin_expect(mask == 0 || mask > per_repeat || repeats > 255, 0))
		explain_mask(call, mask, per_repeat, repeats, where);
	return pattern_of_count(static_cast<uint32_t>(mask), per_repeat,
				static_cast<uint32_t>(repeats));
}

/* The pattern of a call with bits as mask. */
template <bool isSetMask>
inline Pattern make_pattern(const char *call, const uint64_t mask[], uint32_t per_repeat,
			    uint64_t repeats, Where where)
{
	if (!isSetMask || state().is_counter)
		return make_pattern<isSetMask>(call, isSetMask ? mask[0] : 0, per_repeat, repeats,
					       where);
	if (__builtin_expect(repeats > 255, 0))
		explain_mask(call, 0, per_repeat, repeats, where);
	return pattern_of_bits(mask[0], per_repeat > 64 ? mask[1] : 0, per_repeat,
			       static_cast<uint32_t>(repeats));
}

/* Whether a lane has its elements one behind the other over all repeats. */
inline bool is_dense(const Lane &lane, const Pattern &pattern)
{
	return lane.block == 32 &&
	       (pattern.repeats <= 1 || lane.repeat * 8 == pattern.per_repeat * lane.bits);
}

/* The elements of a full pattern, from the first to the last. */
inline uint32_t elements_in(const Pattern &pattern)
{
	return (pattern.repeats - 1) * pattern.per_repeat + pattern.last;
}

/* Calls run(pointers, count) for each run of elements. */
template <uint32_t N, class Run>
inline void for_each_run(const Lane (&lanes)[N], const Pattern &pattern, Run run)
{
	unsigned char *at[N];
	bool all_dense = pattern.repeats > 0 && pattern.is_full();

	for (const Lane &lane : lanes)
		all_dense &= is_dense(lane, pattern);
	if (all_dense) {
		for (uint32_t k = 0; k < N; k++)
			at[k] = lanes[k].base;
		run(at, elements_in(pattern));
		return;
	}
	const uint32_t end = pattern.end();

	for (uint32_t repeat = 0; repeat < pattern.repeats; repeat++) {
		const uint32_t limit =
			repeat + 1 == pattern.repeats && pattern.last < end ? pattern.last : end;
		uint32_t first = 0;

		while (first < limit) {
			if (!pattern.has(first)) {
				first++;
				continue;
			}
			uint32_t most = limit;

			for (uint32_t k = 0; k < N; k++) {
				const uint32_t block = lanes[k].elements_per_block();
				const uint32_t next = (first / block + 1) * block;

				if (lanes[k].block != 32 && next < most)
					most = next;
				at[k] = lanes[k].at(repeat, first);
			}
			uint32_t stop = first + 1;

			while (stop < most && pattern.has(stop))
				stop++;
			run(at, stop - first);
			first = stop;
		}
	}
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_VECTOR_PATTERN_H */

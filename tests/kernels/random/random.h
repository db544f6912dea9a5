// SPDX-License-Identifier: MIT
/*
 * DOC: Random calls of the language
 *
 * A case is a call with parameters that a seed chooses. Its operands are regions of UB, which a kernel fills from
 * global memory and copies back, at a random level of checks. The test computes each byte of them by loops of its own,
 * which take elements one by one from where the documentation of the language says that they lie.
 */
#ifndef UNPU_TESTS_KERNELS_RANDOM_RANDOM_H
#define UNPU_TESTS_KERNELS_RANDOM_RANDOM_H

#include "tests/kernels/language/ub.h"

#include <cstring>
#include <functional>

namespace random_test {

using AscendC::LocalTensor;
using Bytes = std::vector<unsigned char>;

/* What a seed chooses. */
class Draw {
public:
	explicit Draw(uint64_t seed) : engine_(seed) {}

	uint32_t number(uint32_t least, uint32_t most)
	{
		return least + uint32_t(engine_() % (uint64_t(most) - least + 1));
	}
	bool one_of(uint32_t n) { return number(1, n) == 1; }
	uint64_t bits() { return engine_(); }
	template <class T> T pick(std::initializer_list<T> of)
	{
		return of.begin()[number(0, uint32_t(of.size()) - 1)];
	}

private:
	std::mt19937_64 engine_;
};

/* How a region is filled. WHOLE: small integers, whose sums are exact in each type. */
enum class Values { WHOLE, ANY, BITS };

template <class T> T value_of(Draw &draw, Values values)
{
	if (values == Values::BITS) {
		const uint64_t bits = draw.bits();
		T value;

		memcpy(&value, &bits, sizeof(T));
		return value;
	}
	if (values == Values::WHOLE)
		return T(int(draw.number(0, 8)) - 4);
	if constexpr (std::is_integral_v<T>) {
		return T(draw.bits() >> draw.number(0, 60));
	} else {
		const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 65504.0f, 6e-8f};

		if (draw.one_of(24))
			return T(special[draw.number(0, 6)]);
		return T(std::ldexp(float(int(draw.number(0, 8192)) - 4096),
				    int(draw.number(0, 16)) - 14));
	}
}

/* A region of UB. */
struct Region {
	Bytes before;
	Bytes after;

	template <class T> static Region make(Draw &draw, uint64_t bytes, Values values)
	{
		Region region;
		const size_t count = (bytes + 31) / 32 * 32 / sizeof(T);

		region.before.resize(count * sizeof(T));
		for (size_t i = 0; i < count; i++)
			region.put(region.before, i * sizeof(T), value_of<T>(draw, values));
		return region;
	}
	template <class T> static T get(const Bytes &bytes, uint64_t at)
	{
		T value;

		memcpy(&value, &bytes.at(at), sizeof(T));
		return value;
	}
	template <class T> static void put(Bytes &bytes, uint64_t at, T value)
	{
		memcpy(&bytes.at(at), &value, sizeof(T));
	}
	template <class T> T first(uint64_t at) const { return get<T>(before, at); }
};

using Tensors = std::vector<LocalTensor<uint8_t>>;

/* Fills the regions, calls @body, and fetches them again. Return: the sentence of a check, or "". */
inline std::string run(uint32_t level, std::vector<Region *> regions,
		       const std::function<void(Tensors &)> &body)
{
	using namespace AscendC;
	kernel_test::BlockHost host(level);
	std::vector<uint8_t *> memory;

	for (Region *region : regions)
		memory.push_back(host.make(region->before));
	const bool is_good = host.run(1, [&] {
		TPipe pipe;
		std::vector<TBuf<TPosition::VECCALC>> buffers(regions.size());
		std::vector<GlobalTensor<uint8_t>> global(regions.size());
		Tensors tensors;

		for (size_t i = 0; i < regions.size(); i++) {
			const uint32_t bytes = uint32_t(regions[i]->before.size());

			pipe.InitBuffer(buffers[i], bytes);
			tensors.push_back(buffers[i].Get<uint8_t>(bytes));
			global[i].SetGlobalBuffer(memory[i], bytes);
			DataCopy(tensors[i], global[i], bytes);
		}
		PipeBarrier<PIPE_ALL>();
		body(tensors);
		PipeBarrier<PIPE_ALL>();
		for (size_t i = 0; i < regions.size(); i++)
			DataCopy(global[i], tensors[i], uint32_t(regions[i]->before.size()));
	});

	for (size_t i = 0; i < regions.size(); i++)
		regions[i]->after.assign(memory[i], memory[i] + regions[i]->before.size());
	return is_good ? "" : host.failure().sentence;
}

/* Whether two numbers are the same; no number is like each other one that is none. @ulps: how far they may be apart. */
template <class T> bool is_same(T a, T b, uint32_t ulps = 0)
{
	if constexpr (std::is_integral_v<T>) {
		return a == b;
	} else {
		const float x = float(a), y = float(b);

		if (x != x || y != y)
			return x != x && y != y;
		if (x == y)
			return true;
		using Bits = std::conditional_t<sizeof(T) == 2, int16_t, int32_t>;
		Bits p, q;

		memcpy(&p, &a, sizeof(T));
		memcpy(&q, &b, sizeof(T));
		return (p < 0) == (q < 0) && uint32_t(std::abs(int64_t(p) - int64_t(q))) <= ulps;
	}
}

/* Compares a region with the bytes that the test has computed. */
template <class T>
::testing::AssertionResult agrees(const Region &region, const Bytes &wanted, uint32_t ulps = 0)
{
	for (uint64_t at = 0; at + sizeof(T) <= wanted.size(); at += sizeof(T)) {
		if (memcmp(&region.after[at], &wanted[at], sizeof(T)) == 0)
			continue;
		const T found = Region::get<T>(region.after, at),
			right = Region::get<T>(wanted, at);

		if (!is_same(found, right, ulps))
			return ::testing::AssertionFailure()
			       << "element " << at / sizeof(T) << ": " << double(float(found))
			       << ", wanted " << double(float(right));
	}
	return ::testing::AssertionSuccess();
}

/* Where elements of an operand lie. Strides are in blocks of 32 bytes. */
struct Stride {
	uint32_t size; /* of an element */
	uint32_t block = 1;
	uint32_t repeat = 8;

	uint64_t at(uint32_t of_repeat, uint32_t element) const
	{
		const uint32_t per_block = 32 / size;

		return uint64_t(of_repeat) * repeat * 32 +
		       uint64_t(element / per_block) * block * 32 + element % per_block * size;
	}
};

/* Which elements a call selects: as a number, as bits, by what an instruction before has set, or as a total. */
struct Mask {
	enum Form { COUNT, BITS, SET_BITS, COUNTER, SET_COUNTER } form = COUNT;
	uint64_t bits[2] = {0, 0};
	uint64_t count = 0; /* or the total */
	uint32_t per_repeat = 0;
	uint32_t repeats = 0;

	static Mask make(Draw &draw, uint32_t per_repeat)
	{
		Mask mask;

		mask.form = draw.pick({COUNT, COUNT, BITS, BITS, SET_BITS, COUNTER, SET_COUNTER});
		mask.per_repeat = per_repeat;
		mask.repeats = draw.one_of(8) ? draw.number(1, 20) : draw.number(1, 5);
		mask.count = draw.one_of(3) ? per_repeat : draw.number(1, per_repeat);
		if (mask.is_counter()) {
			mask.count = draw.number(1, per_repeat * mask.repeats);
			mask.repeats = uint32_t((mask.count + per_repeat - 1) / per_repeat);
		}
		do {
			const bool is_full = draw.one_of(4);

			for (uint64_t &word : mask.bits)
				word = is_full		? ~0ull
				       : draw.one_of(4) ? 0
				       : draw.one_of(2) ? draw.bits() & draw.bits()
							: draw.bits();
			if (per_repeat < 128)
				mask.bits[1] = 0;
			if (per_repeat < 64)
				mask.bits[0] &= (1ull << per_repeat) - 1;
		} while (mask.bits[0] == 0 && mask.bits[1] == 0);
		return mask;
	}

	bool is_counter() const { return form == COUNTER || form == SET_COUNTER; }
	bool is_set() const { return form == SET_BITS || form == SET_COUNTER; }
	bool has(uint32_t repeat, uint32_t i) const
	{
		if (is_counter())
			return uint64_t(repeat) * per_repeat + i < count;
		return form == COUNT ? i < count : bits[i / 64] >> (i % 64) & 1;
	}
	template <class Do> void each(Do with) const
	{
		for (uint32_t repeat = 0; repeat < repeats; repeat++)
			for (uint32_t i = 0; i < per_repeat; i++)
				if (has(repeat, i))
					with(repeat, i);
	}
	uint64_t reach(const Stride &stride) const
	{
		uint64_t end = 0;

		each([&](uint32_t repeat, uint32_t i) {
			end = std::max(end, stride.at(repeat, i) + stride.size);
		});
		return end;
	}
	/* Whether no two elements that are selected lie in one place. */
	bool is_apart(const Stride &stride) const
	{
		std::vector<bool> used(reach(stride) / stride.size);
		bool is_free = true;

		each([&](uint32_t repeat, uint32_t i) {
			const uint64_t at = stride.at(repeat, i) / stride.size;

			is_free &= !used[at];
			used[at] = true;
		});
		return is_free;
	}

	/* Sets the mode and calls call(mask), which is of the flag, or masked(mask) with a mask that was set before. */
	template <class T, class Call, class SetCall> void with(Call call, SetCall masked) const
	{
		using namespace AscendC;

		if (is_counter())
			SetMaskCount();
		else
			SetMaskNorm();
		if (form == SET_COUNTER)
			SetVectorMask<T, MaskMode::COUNTER>(0, count);
		else if (form == SET_BITS)
			SetVectorMask<T, MaskMode::NORMAL>(bits[1], bits[0]);
		if (is_set())
			masked();
		else if (form == BITS)
			call(bits);
		else
			call(count);
		SetMaskNorm();
		ResetMask();
	}
};

inline Stride draw_stride(Draw &draw, uint32_t size, uint32_t per_repeat)
{
	Stride stride;

	stride.size = size;
	stride.block = draw.one_of(2) ? 1 : draw.number(0, 3);
	stride.repeat = draw.one_of(2) ? per_repeat * size / 32 : draw.number(0, 26);
	return stride;
}

/* A destination: no two elements in one place. */
inline Stride draw_target(Draw &draw, uint32_t size, const Mask &mask)
{
	for (uint32_t i = 0; i < 50; i++) {
		const Stride stride = draw_stride(draw, size, mask.per_repeat);

		if (mask.is_apart(stride))
			return stride;
	}
	return {size, 1, mask.per_repeat * size / 32};
}

/* Calls test(draw) for seeds; UNPU_RANDOM_SEED=N: for that one alone, UNPU_RANDOM_ROUNDS=N: for so many. */
template <class Test> void for_seeds(uint64_t rounds, Test test)
{
	const char *seed = getenv("UNPU_RANDOM_SEED"), *more = getenv("UNPU_RANDOM_ROUNDS");
	const uint64_t first = seed ? strtoull(seed, nullptr, 0) : 1;
	const uint64_t end =
		seed ? first + 1 : first + (more ? strtoull(more, nullptr, 0) : rounds);

	for (uint64_t i = first; i < end && !::testing::Test::HasFailure(); i++) {
		SCOPED_TRACE("UNPU_RANDOM_SEED=" + std::to_string(i));
		Draw draw(i * 0x9e3779b97f4a7c15u);

		test(draw);
	}
}

} // namespace random_test

#endif /* UNPU_TESTS_KERNELS_RANDOM_RANDOM_H */

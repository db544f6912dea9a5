// SPDX-License-Identifier: MIT
/*
 * DOC: Random numbers
 *
 * Philox 4x32 with ten rounds: a block of four words is a function of the seed and of a counter of 128
 * bits, so each element can be computed without those before it. A task takes blocks from the counter
 * in memory on and advances the counter for the next task.
 */
#include "random.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "dtype.h"

namespace fw {

namespace {

constexpr unsigned WORDS = 4;
constexpr unsigned PAIRS = WORDS / 2;
/* Blocks for each element of a truncated normal distribution; a block has words for four attempts. */
constexpr unsigned TRUNCATED_BLOCKS = 2;
/* The cost of a node of a graph, at most: longer work is done by an engine, or in pieces. A node whose length is
 * in memory has this cost too. */
constexpr uint64_t MOST_BYTES = uint64_t{1} << 20;
constexpr float TRUNCATED_AT = 2.0f;
constexpr double TWO_PI = 6.283185307179586;

using Block = std::array<uint32_t, WORDS>;

/* class Source - the random blocks of one task. */
class Source {
public:
	Source(uint64_t seed, uint64_t low, uint64_t high) : seed_(seed), low_(low), high_(high) {}

	Block block(uint64_t index) const
	{
		const uint64_t low = low_ + index;
		return random_block(seed_, low, high_ + (low < index));
	}

	/* after() - the blocks that come after the first @blocks. */
	Source after(uint64_t blocks) const
	{
		const uint64_t low = low_ + blocks;
		return {seed_, low, high_ + (low < blocks)};
	}

	void store(std::byte *counter) const
	{
		std::memcpy(counter, &low_, sizeof(low_));
		std::memcpy(counter + sizeof(low_), &high_, sizeof(high_));
	}

private:
	uint64_t seed_;
	uint64_t low_;
	uint64_t high_;
};

float parameter(uint32_t dtype, uint64_t bits)
{
	switch (dtype) {
	case UNPU_DTYPE_F16:
		return half_to_float(static_cast<uint16_t>(bits));
	case UNPU_DTYPE_BF16:
		return bfloat_to_float(static_cast<uint16_t>(bits));
	default:
		return std::bit_cast<float>(static_cast<uint32_t>(bits));
	}
}

void store(uint32_t dtype, std::byte *result, uint64_t index, float value)
{
	switch (dtype) {
	case UNPU_DTYPE_F16:
		store_element<UNPU_DTYPE_F16>(result + index * 2, value);
		break;
	case UNPU_DTYPE_BF16:
		store_element<UNPU_DTYPE_BF16>(result + index * 2, value);
		break;
	default:
		store_element<UNPU_DTYPE_F32>(result + index * 4, value);
		break;
	}
}

/* unit() - 0 .. 1 without 1. */
float unit(uint32_t word)
{
	return static_cast<float>(word >> 8) * 0x1p-24f;
}

/* normal_pair() - two independent numbers of mean 0 and deviation 1 (Box and Muller). */
std::array<float, 2> normal_pair(uint32_t first, uint32_t second)
{
	const double radius = std::sqrt(-2.0 * std::log((first + 1.0) * 0x1p-32));
	const double angle = TWO_PI * second * 0x1p-32;

	return {static_cast<float>(radius * std::cos(angle)),
		static_cast<float>(radius * std::sin(angle))};
}

std::array<float, WORDS> normals(const Block &block)
{
	const auto first = normal_pair(block[0], block[1]);
	const auto second = normal_pair(block[2], block[3]);

	return {first[0], first[1], second[0], second[1]};
}

void draw_mask(const Source &source, const Draw &draw, uint32_t dtype, std::byte *result)
{
	const double wanted = static_cast<double>(parameter(dtype, draw.a));
	/* A NaN probability keeps no element. */
	const double keep = wanted > 0 ? std::min(wanted, 1.0) : 0;
	const auto limit = static_cast<uint64_t>(keep * 0x1p32);

	for (uint64_t i = 0; i < draw.count; i += WORDS) {
		const Block block = source.block(i / WORDS);
		/* One block decides 4 bits of the mask, so two blocks share a byte. */
		const unsigned shift = i % 8;
		unsigned bits = 0;
		for (unsigned lane = 0; lane < WORDS && i + lane < draw.count; lane++)
			bits |= static_cast<unsigned>(block[lane] < limit) << lane;
		const unsigned before = shift ? std::to_integer<unsigned>(result[i / 8]) : 0;
		result[i / 8] = static_cast<std::byte>(before | bits << shift);
	}
}

void draw_uniform(const Source &source, const Draw &draw, uint32_t dtype, std::byte *result)
{
	const float low = parameter(dtype, draw.a);
	const float span = parameter(dtype, draw.b) - low;

	for (uint64_t i = 0; i < draw.count; i += WORDS) {
		const Block block = source.block(i / WORDS);
		for (unsigned lane = 0; lane < WORDS && i + lane < draw.count; lane++)
			store(dtype, result, i + lane, low + unit(block[lane]) * span);
	}
}

/* Unsigned arithmetic wraps as the range of a signed type does. */
void draw_words(const Source &source, const Draw &draw, std::byte *result)
{
	const auto low = static_cast<uint32_t>(draw.a);
	const auto span = static_cast<uint32_t>(draw.b - draw.a);

	for (uint64_t i = 0; i < draw.count; i += WORDS) {
		const Block block = source.block(i / WORDS);
		for (unsigned lane = 0; lane < WORDS && i + lane < draw.count; lane++) {
			const uint32_t value =
				low + static_cast<uint32_t>(uint64_t{block[lane]} * span >> 32);
			std::memcpy(result + (i + lane) * sizeof(value), &value, sizeof(value));
		}
	}
}

void draw_long_words(const Source &source, const Draw &draw, std::byte *result)
{
	__extension__ using Wide = unsigned __int128;

	for (uint64_t i = 0; i < draw.count; i += PAIRS) {
		const Block block = source.block(i / PAIRS);
		for (unsigned pair = 0; pair < PAIRS && i + pair < draw.count; pair++) {
			const uint64_t word = uint64_t{block[2 * pair + 1]} << 32 | block[2 * pair];
			const uint64_t value =
				draw.a +
				static_cast<uint64_t>(Wide{word} * (draw.b - draw.a) >> 64);
			std::memcpy(result + (i + pair) * sizeof(value), &value, sizeof(value));
		}
	}
}

void draw_normal(const Source &source, const Draw &draw, uint32_t dtype, std::byte *result)
{
	const float mean = parameter(dtype, draw.a);
	const float deviation = parameter(dtype, draw.b);

	for (uint64_t i = 0; i < draw.count; i += WORDS) {
		const auto drawn = normals(source.block(i / WORDS));
		for (unsigned lane = 0; lane < WORDS && i + lane < draw.count; lane++)
			store(dtype, result, i + lane, mean + drawn[lane] * deviation);
	}
}

/* The first attempt inside the bounds; about one element in 10^10 has none and is clamped. */
float truncated(const Source &source, uint64_t index)
{
	float last = 0;

	for (unsigned i = 0; i < TRUNCATED_BLOCKS; i++) {
		for (float drawn : normals(source.block(index * TRUNCATED_BLOCKS + i))) {
			last = drawn;
			if (std::fabs(drawn) <= TRUNCATED_AT)
				return drawn;
		}
	}
	return std::clamp(last, -TRUNCATED_AT, TRUNCATED_AT);
}

void draw_truncated(const Source &source, const Draw &draw, uint32_t dtype, std::byte *result)
{
	const float mean = parameter(dtype, draw.a);
	const float deviation = parameter(dtype, draw.b);

	for (uint64_t i = 0; i < draw.count; i++)
		store(dtype, result, i, mean + truncated(source, i) * deviation);
}

void draw_all(const unpu_operator &op, const Draw &draw, const Source &source, std::byte *result)
{
	switch (op.parameters[0]) {
	case UNPU_RANDOM_MASK:
		return draw_mask(source, draw, op.compute, result);
	case UNPU_RANDOM_NORMAL:
		return draw_normal(source, draw, op.compute, result);
	case UNPU_RANDOM_TRUNCATED:
		return draw_truncated(source, draw, op.compute, result);
	default:
		break;
	}
	if (op.compute == UNPU_DTYPE_I32)
		return draw_words(source, draw, result);
	if (op.compute == UNPU_DTYPE_I64)
		return draw_long_words(source, draw, result);
	return draw_uniform(source, draw, op.compute, result);
}

/* blocks_of() - number of blocks for this many elements. */
uint64_t blocks_of(const unpu_operator &op, uint64_t elements)
{
	if (op.parameters[0] == UNPU_RANDOM_TRUNCATED)
		return elements * TRUNCATED_BLOCKS;
	const bool pairs = op.parameters[0] == UNPU_RANDOM_UNIFORM && op.compute == UNPU_DTYPE_I64;
	const unsigned each = pairs ? PAIRS : WORDS;
	return elements / each + (elements % each != 0);
}

uint64_t count_of(const unpu_operator &op)
{
	return op.parameters[4];
}

/* bytes_of() - bytes of this many elements, a multiple of 8 elements. */
uint64_t bytes_of(const unpu_operator &op, uint64_t elements)
{
	return op.parameters[0] == UNPU_RANDOM_MASK ? elements / 8
						    : elements * dtype_bytes(op.compute);
}

} // namespace

std::array<uint32_t, 4> random_block(uint64_t key, uint64_t counter_low, uint64_t counter_high)
{
	auto low = static_cast<uint32_t>(key);
	auto high = static_cast<uint32_t>(key >> 32);
	Block block = {static_cast<uint32_t>(counter_low), static_cast<uint32_t>(counter_low >> 32),
		       static_cast<uint32_t>(counter_high),
		       static_cast<uint32_t>(counter_high >> 32)};

	for (unsigned round = 0; round < 10; round++) {
		const uint64_t first = uint64_t{0xD2511F53} * block[0];
		const uint64_t second = uint64_t{0xCD9E8D57} * block[2];
		block = {static_cast<uint32_t>(second >> 32) ^ block[1] ^ low,
			 static_cast<uint32_t>(second),
			 static_cast<uint32_t>(first >> 32) ^ block[3] ^ high,
			 static_cast<uint32_t>(first)};
		low += 0x9E3779B9;
		high += 0xBB67AE85;
	}
	return block;
}

base::Status draw_output(const unpu_operator &op, const Draw &draw, unpu_operator &concrete)
{
	uint64_t elements = draw.count;

	if (op.parameters[0] == UNPU_RANDOM_MASK)
		elements = elements / 8 + (elements % 8 != 0);
	if (elements > uint64_t{1} << 60)
		return base::Status::BAD_OPERATOR;
	concrete = op;
	concrete.ndim = 1;
	concrete.noperands = 2;
	concrete.dims[0] = static_cast<int64_t>(elements);
	concrete.operands[0].strides[0] = 1;
	concrete.operands[2] = {};
	concrete.parameters[1] = draw.a;
	concrete.parameters[2] = draw.b;
	concrete.parameters[3] = draw.seed;
	concrete.parameters[4] = draw.count;
	return base::Status::OK;
}

void take_blocks(unpu_operator &concrete, std::byte *counter)
{
	uint64_t words[2];
	std::memcpy(words, counter, sizeof(words));
	/* The descriptor has no field for these words. Operand 2 is not used any more, so its fields hold
	 * them. */
	concrete.operands[2].address = words[0];
	concrete.operands[2].strides[0] = static_cast<int64_t>(words[1]);
	Source(0, words[0], words[1]).after(blocks_of(concrete, count_of(concrete))).store(counter);
}

uint64_t random_units(const unpu_operator &op)
{
	return count_of(op) / RANDOM_UNIT + (count_of(op) % RANDOM_UNIT != 0);
}

uint64_t random_weight(const unpu_operator &op)
{
	switch (op.parameters[0]) {
	case UNPU_RANDOM_MASK:
	case UNPU_RANDOM_TRUNCATED:
		return 256;
	case UNPU_RANDOM_NORMAL:
		return 64;
	default:
		return 16;
	}
}

uint64_t random_cost(const unpu_operator &op)
{
	const bool known = op.noperands == 2;
	const uint64_t count = known ? std::min(op.parameters[4], MOST_BYTES) : MOST_BYTES;
	return std::min(count * random_weight(op), MOST_BYTES);
}

void run_all_random(const unpu_operator &op, const std::array<std::byte *, 4> &base)
{
	run_random(op, base[0], 0, random_units(op));
}

void run_random(const unpu_operator &op, std::byte *result, uint64_t first, uint64_t units)
{
	const uint64_t begin = first * RANDOM_UNIT;
	const uint64_t count = std::min(units * RANDOM_UNIT, count_of(op) - begin);
	const Draw draw = {op.parameters[1], op.parameters[2], op.parameters[3], count};
	const Source all(draw.seed, op.operands[2].address,
			 static_cast<uint64_t>(op.operands[2].strides[0]));

	draw_all(op, draw, all.after(blocks_of(op, begin)), result + bytes_of(op, begin));
}

} // namespace fw

// SPDX-License-Identifier: MIT
/**
 * DOC: The decoder's model
 *
 * The numbers are multiples of a power of two, so a FLOAT16 has them exactly, and a program in another language
 * computes the same ones.
 */
#include "model.h"

#include <cmath>

namespace decoder {

/* The element @index of parameter @number: one of 1024 steps from -1 to 1. */
static float generate(uint32_t number, uint32_t index)
{
	uint32_t x = number * 0x9e3779b9u + index;
	x = (x ^ x >> 16) * 0x45d9f3bu;
	x = (x ^ x >> 16) * 0x45d9f3bu;
	x ^= x >> 16;
	return (static_cast<float>(x % 1024) - 512.0f) / 512.0f;
}

static size_t count(const std::vector<int64_t> &dims)
{
	size_t elements = 1;
	for (const int64_t dim : dims)
		elements *= static_cast<size_t>(dim);
	return elements;
}

static std::vector<aclFloat16> generate_all(uint32_t number, size_t elements, float scale,
					    float base)
{
	std::vector<aclFloat16> numbers(elements);
	for (size_t i = 0; i < elements; i++)
		numbers[i] = aclFloatToFloat16(base +
					       scale * generate(number, static_cast<uint32_t>(i)));
	return numbers;
}

Parameter::Parameter(uint32_t number, std::vector<int64_t> dims, float scale, float base)
	: memory(count(dims) * sizeof(aclFloat16),
		 generate_all(number, count(dims), scale, base).data()),
	  tensor(memory, ACL_FLOAT16, dims)
{
}

constexpr size_t CACHE_BYTES = POSITIONS * KEY * sizeof(aclFloat16);

Layer::Layer(uint32_t number)
	: attention_norm(8 * number + 1, {HIDDEN}, 0.125f, 1),
	  query_key_value(8 * number + 2, {HIDDEN, QUERY + 2 * KEY}, 0.125f),
	  attention_out(8 * number + 3, {QUERY, HIDDEN}, 0.125f),
	  gate_norm(8 * number + 4, {HIDDEN}, 0.125f, 1),
	  gate_up(8 * number + 5, {HIDDEN, 2 * GATED}, 0.125f),
	  down(8 * number + 6, {GATED, HIDDEN}, 0.0625f), key_memory(CACHE_BYTES),
	  value_memory(CACHE_BYTES), keys(key_memory, ACL_FLOAT16, {POSITIONS, KEY}),
	  values(value_memory, ACL_FLOAT16, {POSITIONS, KEY}),
	  cached_keys(key_memory, ACL_FLOAT16, {1, POSITIONS, KEY_HEADS, HEAD}),
	  cached_values(value_memory, ACL_FLOAT16, {1, POSITIONS, KEY_HEADS, HEAD})
{
}

/* Rotary embeddings by halves: numbers i and i + HEAD / 2 of a head turn by the same angle. */
static std::vector<aclFloat16> rotations(double (*part)(double))
{
	std::vector<aclFloat16> table;
	for (int64_t position = 0; position < POSITIONS; position++) {
		for (int64_t i = 0; i < HEAD; i++) {
			const auto pair = static_cast<double>(i % (HEAD / 2));
			const double speed = std::pow(10000.0, -2 * pair / HEAD);
			const double angle = static_cast<double>(position) * speed;
			table.push_back(aclFloatToFloat16(static_cast<float>(part(angle))));
		}
	}
	return table;
}

static std::vector<uint8_t> later_positions()
{
	std::vector<uint8_t> mask;
	for (int64_t position = 0; position < POSITIONS; position++)
		for (int64_t seen = 0; seen < POSITIONS; seen++)
			mask.push_back(seen > position);
	return mask;
}

static constexpr size_t ROTATION_BYTES = POSITIONS * HEAD * sizeof(aclFloat16);

Model::Model()
	: embedding(1000, {WORDS, HIDDEN}, 1), norm(1001, {HIDDEN}, 0.125f, 1),
	  out(1002, {HIDDEN, WORDS}, 0.125f),
	  cosine_memory(ROTATION_BYTES,
			rotations([](double angle) { return std::cos(angle); }).data()),
	  sine_memory(ROTATION_BYTES,
		      rotations([](double angle) { return std::sin(angle); }).data()),
	  mask_memory(POSITIONS * POSITIONS, later_positions().data()),
	  cosine(cosine_memory, ACL_FLOAT16, {POSITIONS, HEAD}),
	  sine(sine_memory, ACL_FLOAT16, {POSITIONS, HEAD}),
	  mask(mask_memory, ACL_BOOL, {POSITIONS, POSITIONS})
{
	for (uint32_t i = 0; i < LAYERS; i++)
		layers.push_back(std::make_unique<Layer>(i));
}

} // namespace decoder

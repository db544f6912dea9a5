// SPDX-License-Identifier: MIT
/**
 * DOC: what the buffers of a case have before and after it
 */
#include "data.h"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace hccl_random {

namespace {

/* Where the exponent of a floating type is; no bits for the others. */
struct Form {
	unsigned bits = 0;
	unsigned mantissa = 0;
};

Form form_of(HcclDataType type)
{
	switch (type) {
	case HCCL_DATA_TYPE_FP16:
		return {16, 10};
	case HCCL_DATA_TYPE_BFP16:
		return {16, 7};
	case HCCL_DATA_TYPE_FP32:
		return {32, 23};
	case HCCL_DATA_TYPE_FP64:
		return {64, 52};
	default:
		return {};
	}
}

uint64_t element(const Bytes &bytes, size_t size, uint64_t index)
{
	uint64_t bits = 0;
	memcpy(&bits, bytes.data() + index * size, size);
	return bits;
}

bool is_nan(Form form, uint64_t bits)
{
	const uint64_t magnitude = bits & ~(uint64_t{1} << (form.bits - 1));
	const uint64_t infinity = ((uint64_t{1} << (form.bits - 1 - form.mantissa)) - 1)
				  << form.mantissa;
	return magnitude > infinity;
}

bool is_zero(Form form, uint64_t bits)
{
	return (bits & ~(uint64_t{1} << (form.bits - 1))) == 0;
}

/* A few infinities, NaNs and zeros among the numbers, at other places for each rank. */
void add_specials(Bytes &table, HcclDataType type, uint32_t seed)
{
	const Form form = form_of(type);
	if (form.bits == 0)
		return;
	const size_t size = form.bits / 8;
	const uint64_t sign = uint64_t{1} << (form.bits - 1);
	const uint64_t infinity = ((uint64_t{1} << (form.bits - 1 - form.mantissa)) - 1)
				  << form.mantissa;
	const uint64_t values[] = {0, sign, infinity, infinity | sign, infinity | 1, 1, sign | 3};
	uint64_t at = seed * 31 % 97;
	for (uint64_t i = 0; at < PERIOD; i++, at += 97 + seed % 13) {
		const uint64_t bits = values[i % std::size(values)];
		memcpy(table.data() + at * size, &bits, size);
	}
}

/* The parts of one source each, which lie in the order of the sources. */
std::vector<Segment> gathered(const Plan &plan, const Case &one, uint32_t rank,
			      const Tables &tables)
{
	std::vector<Segment> parts;
	const std::vector<uint64_t> column = column_of(plan, one, rank);
	for (uint32_t from = 0; from < plan.ranks; from++)
		parts.push_back({part_start(one, column, from), column[from], &tables.ranks[from],
				 part_start(one, row_of(plan, one, from), rank)});
	return parts;
}

} // namespace

Tables::Tables(const Plan &plan, const Case &one)
{
	for (uint32_t rank = 0; rank < plan.ranks; rank++) {
		const uint32_t seed = one.salt * 17 + rank + 1;
		ranks.push_back(hccl_test::numbers(one.type, PERIOD, seed));
		add_specials(ranks.back(), one.type, seed);
	}
	if (reduces(one.kind))
		folded = hccl_test::fold(one.type, one.op, ranks);
}

std::vector<Segment> result_of(const Plan &plan, const Case &one, uint32_t rank,
			       const Tables &tables)
{
	const bool is_root = rank == one.root;
	std::vector<Segment> parts;
	switch (one.kind) {
	case Kind::ALL_REDUCE:
		return {{0, one.count, &tables.folded, 0}};
	case Kind::REDUCE:
		return {{0, is_root ? one.count : 0, &tables.folded, 0}};
	case Kind::ALL_GATHER:
		for (uint32_t of = 0; of < plan.ranks; of++)
			parts.push_back({of * one.count, one.count, &tables.ranks[of], 0});
		return parts;
	case Kind::ALL_GATHER_V:
		for (uint32_t of = 0; of < plan.ranks; of++)
			parts.push_back({part_start(one, one.counts, of), one.counts[of],
					 &tables.ranks[of], 0});
		return parts;
	case Kind::REDUCE_SCATTER:
		return {{0, one.count, &tables.folded, rank * one.count}};
	case Kind::REDUCE_SCATTER_V:
		return {{0, one.counts[rank], &tables.folded, part_start(one, one.counts, rank)}};
	case Kind::SCATTER:
		return {{0, one.count, &tables.ranks[one.root], rank * one.count}};
	case Kind::ALL_TO_ALL:
		for (uint32_t of = 0; of < plan.ranks; of++)
			parts.push_back(
				{of * one.count, one.count, &tables.ranks[of], rank * one.count});
		return parts;
	case Kind::ALL_TO_ALL_V:
	case Kind::ALL_TO_ALL_VC:
	case Kind::BATCH:
	case Kind::GROUP:
		return gathered(plan, one, rank, tables);
	case Kind::SEND:
		return {{0, receive_elements(plan, one, rank), &tables.ranks[one.root], 0}};
	default:
		return {};
	}
}

void lay_out(Bytes &buffer, HcclDataType type, const std::vector<Segment> &segments)
{
	const size_t size = hccl_test::width(type);
	for (const Segment &segment : segments) {
		for (uint64_t done = 0; done < segment.count;) {
			const uint64_t from = (segment.offset + done) % PERIOD;
			const uint64_t some = std::min(PERIOD - from, segment.count - done);
			memcpy(buffer.data() + (segment.at + done) * size,
			       segment.table->data() + from * size, some * size);
			done += some;
		}
	}
}

std::string difference(HcclDataType type, const Bytes &found, const Bytes &expected)
{
	if (found == expected)
		return "";
	const Form form = form_of(type);
	const size_t size = hccl_test::width(type);
	for (uint64_t i = 0; i < expected.size() / size; i++) {
		const uint64_t left = element(found, size, i);
		const uint64_t right = element(expected, size, i);
		const bool is_same =
			left == right ||
			(form.bits != 0 && ((is_nan(form, left) && is_nan(form, right)) ||
					    (is_zero(form, left) && is_zero(form, right))));
		if (is_same)
			continue;
		std::ostringstream text;
		text << "element " << i << " of " << expected.size() / size << " is 0x" << std::hex
		     << left << ", not 0x" << right;
		return text.str();
	}
	return "";
}

} // namespace hccl_random

// SPDX-License-Identifier: MIT
/**
 * DOC: records as bytes, and bytes as records
 *
 * san/trace/record.h describes the layout. Numbers are copied as they are in memory: the product runs on
 * little-endian machines only.
 */
#include "san/trace/encoding.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace san {

static_assert(std::endian::native == std::endian::little);

static constexpr char MAGIC[8] = {'U', 'N', 'P', 'U', 'S', 'A', 'N', 0};

const char *kind_name(uint16_t number)
{
	switch (static_cast<Kind>(number)) {
#define SAN_KIND_NAME(name, value, text) \
	case Kind::name: \
		return #name;
		SAN_KIND_LIST(SAN_KIND_NAME)
#undef SAN_KIND_NAME
	}
	return nullptr;
}

template <class T> static void put(std::string &bytes, T value)
{
	bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
}

void append_head(std::string &bytes)
{
	bytes.append(MAGIC, sizeof(MAGIC));
	put(bytes, VERSION);
	put(bytes, HEAD_BYTES);
}

static void append_operand(std::string &bytes, const Operand &operand)
{
	put(bytes, operand.address);
	put(bytes, operand.run);
	put(bytes, operand.access);
	put(bytes, static_cast<uint8_t>(operand.dimensions.size()));
	put(bytes, operand.flags);
	put(bytes, operand.role);
	put(bytes, uint64_t{0});
	for (const Dimension &dimension : operand.dimensions) {
		put(bytes, dimension.count);
		put(bytes, dimension.stride);
	}
}

void append_record(std::string &bytes, const Record &record)
{
	const bool text = has_text(record.kind);
	put(bytes, record.kind);
	put(bytes, record.flags);
	put(bytes, record.client);
	put(bytes, record.thread);
	put(bytes, record.stream);
	put(bytes, record.object);
	put(bytes, record.address);
	put(bytes, record.bytes);
	put(bytes, record.value);
	put(bytes, record.label);
	put(bytes, record.site);
	put(bytes, static_cast<uint32_t>(text ? record.text.size() : record.operands.size()));
	put(bytes, uint32_t{0});
	if (text) {
		bytes += record.text;
		bytes.append(-record.text.size() & 7, 0);
	}
	for (const Operand &operand : record.operands)
		append_operand(bytes, operand);
}

template <class T> T Reader::field(size_t offset) const
{
	T value;
	memcpy(&value, bytes_.data() + place_ + offset, sizeof(value));
	return value;
}

/* Whether the program was killed before it had written the head of the file. */
static bool has_no_head(std::span<const char> bytes)
{
	const auto head = bytes.first(std::min<size_t>(bytes.size(), HEAD_BYTES));
	return std::all_of(head.begin(), head.end(), [](char byte) { return byte == 0; });
}

Reader::Reader(std::span<const char> bytes) : bytes_(bytes)
{
	if (has_no_head(bytes)) {
		is_cut_ = true;
		return;
	}
	if (bytes.size() < HEAD_BYTES || memcmp(bytes.data(), MAGIC, sizeof(MAGIC)) != 0) {
		problem_ = "this is no trace of unpu-san: it does not begin with UNPUSAN";
		return;
	}
	const auto version = field<uint32_t>(8);
	if (version < OLDEST_VERSION || version > VERSION)
		problem_ =
			fmt::format("the trace has version {}, this reader knows versions {} to {}",
				    version, OLDEST_VERSION, VERSION);
	else if (field<uint32_t>(12) != HEAD_BYTES)
		problem_ = fmt::format("the head has {} bytes, not {}", field<uint32_t>(12),
				       HEAD_BYTES);
	place_ = HEAD_BYTES;
}

bool Reader::fail(const std::string &why)
{
	problem_ = fmt::format("record {}: {}", count_ + 1, why);
	return false;
}

bool Reader::has(size_t bytes)
{
	if (bytes_.size() - place_ >= bytes)
		return true;
	is_cut_ = true;
	return false;
}

bool Reader::read_text(Record &record, uint32_t bytes)
{
	if (bytes > MAX_STRING_BYTES)
		return fail(fmt::format("a text of {} bytes, {} at most", bytes, MAX_STRING_BYTES));
	const size_t padded = (size_t{bytes} + 7) & ~size_t{7};
	if (!has(padded))
		return false;
	record.text.assign(bytes_.data() + place_, bytes);
	place_ += padded;
	return true;
}

bool Reader::read_operands(Record &record, uint32_t count)
{
	if (count > MAX_OPERANDS)
		return fail(fmt::format("{} operands, {} at most", count, MAX_OPERANDS));
	for (uint32_t i = 0; i < count; i++) {
		if (!has(OPERAND_BYTES))
			return false;
		Operand operand{field<uint64_t>(0),
				field<uint64_t>(8),
				static_cast<Access>(field<uint8_t>(16)),
				field<uint16_t>(18),
				field<uint32_t>(20),
				{}};
		const auto dimensions = field<uint8_t>(17);
		if (operand.access < Access::READ || operand.access > Access::REDUCE)
			return fail(fmt::format("operand {}: access {} is none", i,
						field<uint8_t>(16)));
		if (dimensions > MAX_DIMENSIONS || field<uint64_t>(24) != 0)
			return fail(fmt::format("operand {}: {} dimensions, {} at most, or a "
						"reserved field that is not 0",
						i, dimensions, MAX_DIMENSIONS));
		place_ += OPERAND_BYTES;
		if (!has(size_t{dimensions} * DIMENSION_BYTES))
			return false;
		for (uint8_t k = 0; k < dimensions; k++, place_ += DIMENSION_BYTES)
			operand.dimensions.push_back({field<uint64_t>(0), field<int64_t>(8)});
		record.operands.push_back(std::move(operand));
	}
	return true;
}

/* Skips holes. Return: whether a record follows; false at the end of the file, or if problem() or is_cut()
 * tells why. */
bool Reader::skip_holes()
{
	while (place_ < bytes_.size()) {
		if (!has(sizeof(uint64_t)))
			return false;
		const auto word = field<uint64_t>(0);
		if (word & UINT32_MAX)
			return true;
		const uint64_t bytes = word >> 32;
		if (bytes % sizeof(uint64_t) != 0)
			return fail(fmt::format("a hole of {} bytes", bytes));
		if (bytes != 0 && !has(bytes))
			return false;
		place_ += bytes == 0 ? sizeof(uint64_t) : bytes;
		holes_ += bytes != 0;
	}
	return false;
}

bool Reader::next(Record &record)
{
	if (!problem_.empty() || is_cut_ || !skip_holes() || !has(RECORD_BYTES))
		return false;
	record_place_ = place_;
	const auto kind = field<uint16_t>(0);
	if (!kind_name(kind))
		return fail(fmt::format("kind {} is none of version {}", kind, VERSION));
	if (field<uint32_t>(60) != 0)
		return fail("a reserved field is not 0");
	record.kind = static_cast<Kind>(kind);
	record.flags = field<uint16_t>(2);
	record.client = field<uint32_t>(4);
	record.thread = field<uint32_t>(8);
	record.stream = field<uint32_t>(12);
	record.object = field<uint64_t>(16);
	record.address = field<uint64_t>(24);
	record.bytes = field<uint64_t>(32);
	record.value = field<uint64_t>(40);
	record.label = field<uint32_t>(48);
	record.site = field<uint32_t>(52);
	record.operands.clear();
	record.text.clear();
	const auto count = field<uint32_t>(56);
	place_ += RECORD_BYTES;
	const bool read =
		has_text(record.kind) ? read_text(record, count) : read_operands(record, count);
	count_ += read;
	return read;
}

} // namespace san

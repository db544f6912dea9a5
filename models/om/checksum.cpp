// SPDX-License-Identifier: MIT
/*
 * DOC: CRC-32C
 *
 * Computes eight bytes at a time with tables. That is as fast as files can be read.
 */
#include <array>

#include "format.h"

namespace models::om {

namespace {

constexpr uint32_t POLYNOMIAL = 0x82f63b78;

using Tables = std::array<std::array<uint32_t, 256>, 8>;

constexpr Tables make_tables()
{
	Tables tables{};
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t value = i;
		for (unsigned bit = 0; bit < 8; bit++)
			value = value >> 1 ^ (value & 1 ? POLYNOMIAL : 0);
		tables[0][i] = value;
	}
	for (uint32_t i = 0; i < 256; i++)
		for (unsigned k = 1; k < 8; k++)
			tables[k][i] = tables[k - 1][i] >> 8 ^ tables[0][tables[k - 1][i] & 0xff];
	return tables;
}

constexpr Tables TABLES = make_tables();

} // namespace

uint32_t checksum(std::string_view bytes, uint32_t before)
{
	uint32_t value = ~before;
	while (bytes.size() >= 8) {
		uint64_t word;
		std::memcpy(&word, bytes.data(), 8);
		word ^= value;
		value = 0;
		for (unsigned k = 0; k < 8; k++)
			value ^= TABLES[7 - k][word >> 8 * k & 0xff];
		bytes.remove_prefix(8);
	}
	for (const char c : bytes)
		value = value >> 8 ^ TABLES[0][(value ^ static_cast<uint8_t>(c)) & 0xff];
	return ~value;
}

} // namespace models::om

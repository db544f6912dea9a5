/* SPDX-License-Identifier: MIT */
/*
 * DOC: int4b_t
 *
 * Two signed numbers of 4 bits in each byte, the lower bits first. Offsets and counts of tensors count the numbers; an
 * object of the type alone holds one number.
 */
#ifndef UNPU_ASCENDC_TYPES_INT4_H
#define UNPU_ASCENDC_TYPES_INT4_H

#include <stdint.h>

namespace AscendC {

struct int4b_t {
	uint8_t storage;

	int4b_t() = default;
	constexpr int4b_t(int value) : storage(uint8_t(value & 15)) {}
	constexpr operator int8_t() const { return int8_t(int8_t(storage << 4) >> 4); }
};

} // namespace AscendC

using int4b_t = AscendC::int4b_t;

namespace unpu::lang {

inline int get_int4(const unsigned char *bytes, uint64_t index)
{
	const unsigned pair = bytes[index / 2];
	const int value = int((index & 1 ? pair >> 4 : pair) & 15);

	return value < 8 ? value : value - 16;
}

inline void set_int4(unsigned char *bytes, uint64_t index, int value)
{
	const unsigned shift = index & 1 ? 4 : 0;
	unsigned char &pair = bytes[index / 2];

	pair = static_cast<unsigned char>((pair & ~(15u << shift)) |
					  (unsigned(value & 15) << shift));
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_TYPES_INT4_H */

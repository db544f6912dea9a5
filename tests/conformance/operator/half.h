// SPDX-License-Identifier: MIT
/*
 * DOC: 16-bit floating point, for expected values
 *
 * Independent of the library's own conversion: binary16 goes through scaling by powers of two and
 * the current rounding mode of double, bfloat16 through the bits of float.
 */
#ifndef UNPU_TESTS_CONFORMANCE_HALF_H
#define UNPU_TESTS_CONFORMANCE_HALF_H

#include <cmath>
#include <cstdint>
#include <cstring>

namespace conformance {

inline float float_of_f16(uint16_t bits)
{
	const int exponent = (bits >> 10) & 31;
	const int mantissa = bits & 1023;
	float magnitude;

	if (exponent == 31)
		magnitude = mantissa ? NAN : INFINITY;
	else if (exponent == 0)
		magnitude = std::ldexp(static_cast<float>(mantissa), -24);
	else
		magnitude = std::ldexp(static_cast<float>(1024 + mantissa), exponent - 25);
	return bits & 0x8000 ? -magnitude : magnitude;
}

inline uint16_t f16_of_float(float value)
{
	const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
	const double magnitude = std::fabs(static_cast<double>(value));
	int exponent = 0;

	if (std::isnan(value))
		return 0x7e00;
	if (magnitude >= 65520.0)
		return static_cast<uint16_t>(sign | 0x7c00);
	if (magnitude < 0x1p-14)
		return static_cast<uint16_t>(sign |
					     static_cast<int>(std::nearbyint(magnitude * 0x1p24)));
	std::frexp(magnitude, &exponent);

	/* 1024 .. 2048; a carry to 2048 moves into the exponent by itself. */
	const int mantissa = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 11 - exponent)));

	return static_cast<uint16_t>(sign | (((exponent + 14) << 10) + mantissa - 1024));
}

inline float float_of_bf16(uint16_t bits)
{
	const uint32_t wide = static_cast<uint32_t>(bits) << 16;
	float value;

	std::memcpy(&value, &wide, sizeof(value));
	return value;
}

inline uint16_t bf16_of_float(float value)
{
	uint32_t wide;

	if (std::isnan(value))
		return 0x7fc0;
	std::memcpy(&wide, &value, sizeof(wide));
	return static_cast<uint16_t>((wide + 0x7fff + ((wide >> 16) & 1)) >> 16);
}

} // namespace conformance

#endif

// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "arithmetic.h"

namespace fw::tensor {

/** power() - @base to the power of @exponent. Integers wrap; with a negative exponent the result is the integer part
 * of the fraction, and 0 for a base of 0. */
inline int64_t power(int64_t base, int64_t exponent)
{
	if (exponent < 0) {
		if (base == 1)
			return 1;
		if (base == -1)
			return exponent % 2 ? -1 : 1;
		return 0;
	}
	int64_t result = 1;
	for (; exponent; exponent >>= 1) {
		if (exponent & 1)
			result = multiply(result, base);
		base = multiply(base, base);
	}
	return result;
}

inline double power(double base, double exponent)
{
	return std::pow(base, exponent);
}

/** power() - in double, so that the result is rounded once. */
inline float power(float base, float exponent)
{
	return static_cast<float>(std::pow(double(base), double(exponent)));
}

} // namespace fw::tensor

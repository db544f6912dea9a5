// SPDX-License-Identifier: MIT
/*
 * DOC: Numbers of the compiler
 *
 * Shapes are computed from other shapes, so the compiler must compute, too. It supports the types that such
 * arithmetic uses.
 */
#include "numbers.h"

#include <bit>
#include <cstring>

namespace models {

namespace {

/* half_to_real(), real_to_half() - conversions; real_to_half() rounds to nearest, ties to even. */
double half_to_real(uint16_t half)
{
	const uint32_t exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
	double value;
	if (exponent == 0x1f)
		value = fraction ? __builtin_nan("") : __builtin_inf();
	else if (exponent == 0)
		value = __builtin_ldexp(fraction, -24);
	else
		value = __builtin_ldexp(fraction | 0x400, static_cast<int>(exponent) - 25);
	return half & 0x8000 ? -value : value;
}

uint16_t real_to_half(double value)
{
	const uint16_t sign = __builtin_signbit(value) ? 0x8000 : 0;
	const double size = __builtin_fabs(value);
	if (size != size)
		return sign | 0x7e00;
	if (size >= 65520)
		return sign | 0x7c00;
	if (size == 0)
		return sign;
	int exponent = 0;
	(void)__builtin_frexp(size, &exponent);
	const int shift = exponent < -13 ? -24 : exponent - 11;
	const auto units = static_cast<uint32_t>(__builtin_rint(__builtin_ldexp(size, -shift)));
	/* If rounding makes the mantissa too large, it carries into the exponent, which is correct. */
	return static_cast<uint16_t>(
		sign |
		(shift == -24 ? units : units - 1024 + (static_cast<uint32_t>(shift + 25) << 10)));
}

double brain_to_real(uint16_t brain)
{
	return double{std::bit_cast<float>(uint32_t{brain} << 16)};
}

uint16_t real_to_brain(double value)
{
	const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
	if (value != value)
		return static_cast<uint16_t>(bits >> 16 | 0x40);
	return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

template <class T> T load(std::string_view bytes, size_t i)
{
	T value;
	std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
	return value;
}

template <class T> void store(std::string &bytes, size_t i, T value)
{
	std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
}

int64_t load_integer(ir::Type type, std::string_view bytes, size_t i)
{
	using ir::Type;
	switch (type) {
	case Type::INT8:
		return load<int8_t>(bytes, i);
	case Type::UINT8:
		return load<uint8_t>(bytes, i);
	case Type::BOOL:
		return load<uint8_t>(bytes, i) != 0;
	case Type::INT16:
		return load<int16_t>(bytes, i);
	case Type::UINT16:
		return load<uint16_t>(bytes, i);
	case Type::INT32:
		return load<int32_t>(bytes, i);
	case Type::UINT32:
		return load<uint32_t>(bytes, i);
	default:
		return load<int64_t>(bytes, i);
	}
}

double load_real(ir::Type type, std::string_view bytes, size_t i)
{
	using ir::Type;
	switch (type) {
	case Type::FLOAT:
		return double{load<float>(bytes, i)};
	case Type::FLOAT16:
		return half_to_real(load<uint16_t>(bytes, i));
	case Type::BFLOAT16:
		return brain_to_real(load<uint16_t>(bytes, i));
	default:
		return load<double>(bytes, i);
	}
}

} // namespace

bool can_compute(ir::Type type)
{
	return type != ir::Type::NONE && type != ir::Type::STRING;
}

Numbers decode(const ir::Constant &constant)
{
	Numbers numbers;
	numbers.type = constant.type;
	numbers.dims = constant.dims;
	numbers.resize(static_cast<size_t>(*ir::count(constant.dims)));
	for (size_t i = 0; i < numbers.reals.size(); i++)
		numbers.reals[i] = load_real(constant.type, constant.bytes, i);
	for (size_t i = 0; i < numbers.integers.size(); i++)
		numbers.integers[i] = load_integer(constant.type, constant.bytes, i);
	return numbers;
}

std::string encode(const Numbers &numbers)
{
	using ir::Type;
	const auto size = static_cast<size_t>(ir::type_bytes(numbers.type));
	std::string bytes(size * numbers.size(), '\0');
	for (size_t i = 0; i < numbers.integers.size(); i++) {
		const int64_t value =
			numbers.type == Type::BOOL ? numbers.integers[i] != 0 : numbers.integers[i];
		std::memcpy(bytes.data() + i * size, &value, size);
	}
	for (size_t i = 0; i < numbers.reals.size(); i++) {
		if (numbers.type == Type::FLOAT)
			store(bytes, i, static_cast<float>(numbers.reals[i]));
		else if (numbers.type == Type::FLOAT16)
			store(bytes, i, real_to_half(numbers.reals[i]));
		else if (numbers.type == Type::BFLOAT16)
			store(bytes, i, real_to_brain(numbers.reals[i]));
		else
			store(bytes, i, numbers.reals[i]);
	}
	return bytes;
}

} // namespace models

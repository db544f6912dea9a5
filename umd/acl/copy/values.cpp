// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL element types, half-precision numbers and data buffers
 */
#include <bit>
#include <cmath>

#include "acl/acl.h"
#include "data_buffer.h"
#include "umd/acl/front.h"

using umd::acl_return;

size_t aclDataTypeSize(aclDataType dataType)
{
	switch (dataType) {
	case ACL_STRING:
	case ACL_DT_UNDEFINED:
		return 0;
	case ACL_BOOL:
	case ACL_INT8:
	case ACL_UINT8:
	case ACL_HIFLOAT8:
	case ACL_FLOAT8_E5M2:
	case ACL_FLOAT8_E4M3FN:
	case ACL_FLOAT8_E8M0:
	case ACL_INT4:
	case ACL_UINT1:
		return 1;
	case ACL_FLOAT16:
	case ACL_BF16:
	case ACL_INT16:
	case ACL_UINT16:
		return 2;
	case ACL_FLOAT:
	case ACL_INT32:
	case ACL_UINT32:
	case ACL_COMPLEX32:
		return 4;
	case ACL_COMPLEX128:
		return 16;
	default:
		return 8;
	}
}

/* Half precision: bits of the mantissa, bias of the exponent, largest finite number, sign bit. */
static constexpr int MANTISSA_BITS = 10;
static constexpr int BIAS = 15;
static constexpr uint32_t LARGEST = 0x7bff;
static constexpr uint32_t SIGN = 0x8000;

float aclFloat16ToFloat(aclFloat16 value)
{
	int exponent = (value >> MANTISSA_BITS) & 0x1f;
	int mantissa = value & ((1 << MANTISSA_BITS) - 1);
	/* A subnormal number has no implicit one and the exponent of the smallest normal number. */
	int significand = exponent ? mantissa + (1 << MANTISSA_BITS) : mantissa;
	int scale = std::max(exponent, 1) - BIAS - MANTISSA_BITS;
	float number = std::ldexp(static_cast<float>(significand), scale);
	return value & SIGN ? -number : number;
}

/* Drops @shift bits; rounds to nearest, ties to even. */
static uint32_t round_off(uint32_t value, int shift)
{
	uint32_t dropped = value & ((1u << shift) - 1);
	uint32_t half = 1u << (shift - 1);
	uint32_t kept = value >> shift;
	return kept + (dropped > half || (dropped == half && (kept & 1)));
}

aclFloat16 aclFloatToFloat16(float value)
{
	constexpr int FLOAT_MANTISSA_BITS = 23;
	constexpr int FLOAT_BIAS = 127;
	constexpr int NARROWING = FLOAT_MANTISSA_BITS - MANTISSA_BITS;
	if (std::isnan(value))
		return LARGEST;
	auto bits = std::bit_cast<uint32_t>(value);
	uint32_t sign = bits >> 31 ? SIGN : 0;
	uint32_t mantissa = bits & ((1u << FLOAT_MANTISSA_BITS) - 1);
	int exponent = static_cast<int>(bits >> FLOAT_MANTISSA_BITS & 0xff) - FLOAT_BIAS + BIAS;
	if (exponent > 2 * BIAS)
		return static_cast<aclFloat16>(sign | LARGEST);
	/* If rounding carries out of the mantissa, the carry correctly increments the exponent. */
	uint32_t result = 0;
	if (exponent > 0)
		result =
			round_off(static_cast<uint32_t>(exponent) << FLOAT_MANTISSA_BITS | mantissa,
				  NARROWING);
	else if (exponent >= -MANTISSA_BITS)
		result = round_off(mantissa | 1u << FLOAT_MANTISSA_BITS, NARROWING + 1 - exponent);
	return static_cast<aclFloat16>(sign | std::min(result, LARGEST));
}

aclDataBuffer *aclCreateDataBuffer(void *data, size_t size)
{
	auto *buffer = umd::make_plain<aclDataBuffer>();
	if (!buffer) {
		(void)acl_return(base::Status::NO_MEMORY);
		return nullptr;
	}
	buffer->data = data;
	buffer->size = size;
	return umd::handle_of(*buffer);
}

aclError aclDestroyDataBuffer(const aclDataBuffer *dataBuffer)
{
	auto buffer = TRY(umd::retire_plain(dataBuffer, "dataBuffer"));
	umd::free_plain(*buffer);
	return ACL_SUCCESS;
}

aclError aclUpdateDataBuffer(aclDataBuffer *dataBuffer, void *data, size_t size)
{
	auto buffer = TRY(umd::find_plain(dataBuffer, "dataBuffer"));
	buffer->data = data;
	buffer->size = size;
	return ACL_SUCCESS;
}

void *aclGetDataBufferAddr(const aclDataBuffer *dataBuffer)
{
	const auto buffer = umd::find_plain(dataBuffer, "dataBuffer");
	(void)acl_return(buffer.status());
	return buffer ? (*buffer)->data : nullptr;
}

size_t aclGetDataBufferSizeV2(const aclDataBuffer *dataBuffer)
{
	const auto buffer = umd::find_plain(dataBuffer, "dataBuffer");
	(void)acl_return(buffer.status());
	return buffer ? (*buffer)->size : 0;
}

uint32_t aclGetDataBufferSize(const aclDataBuffer *dataBuffer)
{
	const auto buffer = umd::find_plain(dataBuffer, "dataBuffer");
	(void)acl_return(buffer.status());
	return buffer ? static_cast<uint32_t>((*buffer)->size) : 0;
}

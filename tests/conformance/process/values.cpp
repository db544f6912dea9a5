// SPDX-License-Identifier: MIT
/*
 * DOC: half-precision numbers and data buffers
 *
 * Check 67, for every half-precision number. The half-precision numbers of this interface have no
 * infinity and no NaN: a value that is too large becomes the largest number.
 */
#include "support/fixture.h"

#include <cfenv>
#include <cmath>
#include <limits>

using namespace conformance;

namespace {

constexpr aclFloat16 kLargest = 0x7BFF;
constexpr aclFloat16 kSign = 0x8000;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/* The number by the format's definition, with the last exponent as ordinary as the others. */
double meaning(aclFloat16 bits)
{
	const int exponent = bits >> 10 & 0x1f;
	const int fraction = bits & 0x3ff;
	const double magnitude = exponent == 0 ? std::ldexp(fraction, -24)
					       : std::ldexp(1024 + fraction, exponent - 25);

	return bits & kSign ? -magnitude : magnitude;
}

} // namespace

TEST(Half, Check67_ThereIsNoInfinity)
{
	EXPECT_EQ(aclFloatToFloat16(kInfinity), 0x7BFF);
	EXPECT_EQ(aclFloatToFloat16(-kInfinity), 0xFBFF);
	EXPECT_EQ(aclFloat16ToFloat(0x7C00), 65536.0f);
	EXPECT_EQ(aclFloat16ToFloat(0xFC00), -65536.0f);
	EXPECT_EQ(aclFloat16ToFloat(0x7E00), 98304.0f);
}

TEST(Half, NanBecomesTheLargestPositiveNumber)
{
	EXPECT_EQ(aclFloatToFloat16(kNan), kLargest);
	EXPECT_EQ(aclFloatToFloat16(-kNan), kLargest);
}

TEST(Half, EveryNumberMeansWhatTheFormatSays)
{
	for (unsigned bits = 0; bits < 0x10000; ++bits) {
		const auto half = static_cast<aclFloat16>(bits);

		ASSERT_EQ(aclFloat16ToFloat(half), meaning(half)) << std::hex << bits;
	}
	EXPECT_TRUE(std::signbit(aclFloat16ToFloat(kSign)));
}

TEST(Half, EveryFiniteNumberComesBack)
{
	for (unsigned bits = 0; bits <= kLargest; ++bits) {
		for (const unsigned sign : {0u, unsigned{kSign}}) {
			const auto half = static_cast<aclFloat16>(bits | sign);

			ASSERT_EQ(aclFloatToFloat16(aclFloat16ToFloat(half)), half)
				<< std::hex << half;
		}
	}
}

TEST(Half, RoundsToTheNearestAndToEven)
{
	for (unsigned bits = 0; bits < kLargest; ++bits) {
		const auto low = static_cast<aclFloat16>(bits);
		const auto high = static_cast<aclFloat16>(bits + 1);
		const auto middle = static_cast<float>((meaning(low) + meaning(high)) / 2);
		const aclFloat16 even = bits & 1 ? high : low;

		ASSERT_EQ(aclFloatToFloat16(middle), even) << std::hex << bits;
		ASSERT_EQ(aclFloatToFloat16(-middle), even | kSign) << std::hex << bits;
		ASSERT_EQ(aclFloatToFloat16(std::nextafter(middle, 0.0f)), low) << std::hex << bits;
		ASSERT_EQ(aclFloatToFloat16(std::nextafter(middle, kInfinity)), high)
			<< std::hex << bits;
	}
}

TEST(Half, TheProgramsRoundingModeDoesNotMatter)
{
	for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
		ASSERT_EQ(fesetround(mode), 0);
		EXPECT_EQ(aclFloatToFloat16(1.0f + 0x1p-12f), 0x3C00);
		EXPECT_EQ(aclFloatToFloat16(1.0f + 3 * 0x1p-12f), 0x3C01);
	}
	fesetround(FE_TONEAREST);
}

TEST(Half, WhatIsTooLargeOrTooSmall)
{
	for (const float large : {65505.0f, 65519.0f, 65520.0f, 65536.0f, 1e6f, 3.4e38f}) {
		EXPECT_EQ(aclFloatToFloat16(large), kLargest) << large;
		EXPECT_EQ(aclFloatToFloat16(-large), kLargest | kSign) << large;
	}
	for (const float small : {0x1p-25f, 0x1p-26f, 1e-30f, 1e-45f, 0.0f}) {
		EXPECT_EQ(aclFloatToFloat16(small), 0) << small;
		EXPECT_EQ(aclFloatToFloat16(-small), kSign) << small;
	}
	EXPECT_EQ(aclFloatToFloat16(0x1.8p-25f), 1);
}

TEST(DataBuffer, IsAPairThatOwnsNothing)
{
	int value = 7;
	aclDataBuffer *buffer = aclCreateDataBuffer(&value, sizeof(value));

	ASSERT_NE(buffer, nullptr);
	EXPECT_EQ(aclGetDataBufferAddr(buffer), &value);
	EXPECT_EQ(aclGetDataBufferSizeV2(buffer), sizeof(value));
	EXPECT_EQ(aclGetDataBufferSize(buffer), sizeof(value));
	EXPECT_OK(aclUpdateDataBuffer(buffer, nullptr, (size_t{1} << 32) + 5));
	EXPECT_EQ(aclGetDataBufferAddr(buffer), nullptr);
	EXPECT_EQ(aclGetDataBufferSizeV2(buffer), (size_t{1} << 32) + 5);
	EXPECT_EQ(aclGetDataBufferSize(buffer), 5u) << "the low 32 bits";
	EXPECT_OK(aclDestroyDataBuffer(buffer));
	EXPECT_EQ(value, 7);
}

TEST(Dataset, IsAListOfBuffers)
{
	aclmdlDataset *dataset = aclmdlCreateDataset();
	aclDataBuffer *buffers[2];

	ASSERT_NE(dataset, nullptr);
	EXPECT_EQ(aclmdlGetDatasetNumBuffers(dataset), 0u);
	for (aclDataBuffer *&buffer : buffers) {
		buffer = aclCreateDataBuffer(&buffer, sizeof(buffer));
		EXPECT_OK(aclmdlAddDatasetBuffer(dataset, buffer));
	}
	EXPECT_EQ(aclmdlGetDatasetNumBuffers(dataset), 2u);
	for (size_t i = 0; i < 2; i++)
		EXPECT_EQ(aclmdlGetDatasetBuffer(dataset, i), buffers[i]);
	EXPECT_EQ(aclmdlGetDatasetBuffer(dataset, 2), nullptr);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "dataBuffer",
		     aclmdlAddDatasetBuffer(dataset, nullptr));
	EXPECT_OK(aclmdlDestroyDataset(dataset));
	for (aclDataBuffer *&buffer : buffers) {
		EXPECT_EQ(aclGetDataBufferAddr(buffer), &buffer) << "it is the program's";
		EXPECT_OK(aclDestroyDataBuffer(buffer));
	}
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "dataset", aclmdlDestroyDataset(dataset));
	EXPECT_EQ(aclmdlGetDatasetNumBuffers(dataset), 0u);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "dataset", aclmdlDestroyDataset(nullptr));

	/* A list of another's memory begins empty. */
	dataset = aclmdlCreateDataset();
	EXPECT_EQ(aclmdlGetDatasetNumBuffers(dataset), 0u);
	EXPECT_OK(aclmdlDestroyDataset(dataset));
}

TEST(DataBuffer, Null)
{
	EXPECT_EQ(aclGetDataBufferAddr(nullptr), nullptr);
	EXPECT_EQ(aclGetDataBufferSizeV2(nullptr), 0u);
	EXPECT_EQ(aclGetDataBufferSize(nullptr), 0u);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "dataBuffer", aclDestroyDataBuffer(nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "dataBuffer",
		     aclUpdateDataBuffer(nullptr, nullptr, 1));
}

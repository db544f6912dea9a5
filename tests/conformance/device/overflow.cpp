// SPDX-License-Identifier: MIT
/*
 * DOC: operators that overflow
 *
 * What they leave behind: a failure where the stream checks for it, and a status that stays.
 */
#include <cmath>

#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_muls.h"
#include "aclnnop/aclnn_permute.h"
#include "aclnnop/aclnn_repeat.h"
#include "aclnnop/aclnn_repeat_interleave.h"
#include "aclnnop/aclnn_roll.h"
#include "aclnnop/aclnn_slice.h"
#include "operator/operator_objects.h"

using namespace conformance;

namespace {

using Overflow = DeviceTest;

/* Doubles the largest half: infinite, or as large as can be. */
class Doubler {
public:
	explicit Doubler(uint16_t half) : memory_(device_copy(std::vector<uint16_t>{half, half})) {}

	void run(aclrtStream stream) const
	{
		const Tensor tensor(memory_, ACL_FLOAT16, {2});
		const Scalar one(1.0f, ACL_FLOAT);

		add(tensor, tensor, one, tensor, stream);
	}

	uint16_t value() const { return memory_.load<uint16_t>()[0]; }

private:
	DeviceBuffer memory_;
};

uint32_t overflow_word(aclrtStream stream)
{
	const DeviceBuffer status(64);

	EXPECT_OK(aclrtMemset(status.data(), 64, 0xff, 64));
	EXPECT_OK(aclrtGetOverflowStatus(status.data(), 64, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	const std::vector<uint32_t> words = status.load<uint32_t>();
	for (size_t i = 1; i < words.size(); ++i)
		EXPECT_EQ(words[i], 0u) << i;
	return words[0];
}

} // namespace

TEST_F(Overflow, IsReportedByStreamsThatCheckForIt)
{
	const Doubler largest(0x7bff);
	const Stream stream;
	uint32_t flag = 9;

	EXPECT_OK(aclrtGetStreamOverflowSwitch(stream, &flag));
	EXPECT_EQ(flag, 0u);
	EXPECT_OK(aclrtSetStreamOverflowSwitch(stream, 1));
	EXPECT_OK(aclrtGetStreamOverflowSwitch(stream, &flag));
	EXPECT_EQ(flag, 1u);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "switch", aclrtSetStreamOverflowSwitch(stream, 2));
	largest.run(stream);
	EXPECT_FAILS(ACL_ERROR_RT_AIVEC_OVER_FLOW, "infinite", aclrtSynchronizeStream(stream));
	EXPECT_EQ(largest.value(), 0x7c00);
	EXPECT_EQ(overflow_word(stream), 1u);
	EXPECT_OK(aclrtResetOverflowStatus(stream));
	EXPECT_EQ(overflow_word(stream), 0u);
	const Doubler small(0x3c00);
	small.run(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(small.value(), 0x4000);
	EXPECT_EQ(overflow_word(stream), 0u);
}

TEST_F(Overflow, DoesNotStopTheStream)
{
	const Doubler largest(0x7bff);
	const Doubler small(0x3c00);
	const ForeignContext context;
	const Stream stream;

	EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
	EXPECT_OK(aclrtSetStreamOverflowSwitch(stream, 1));
	largest.run(stream);
	EXPECT_OK(aclrtSetStreamOverflowSwitch(stream, 0));
	small.run(stream);
	EXPECT_FAILS(ACL_ERROR_RT_AIVEC_OVER_FLOW, "infinite", aclrtSynchronizeStream(stream));
	EXPECT_EQ(small.value(), 0x4000);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	small.run(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_OK(aclrtResetOverflowStatus(stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(Overflow, SaturationIsForStreamsMadeAfterItWasChosen)
{
	const Stream before;
	aclrtFloatOverflowMode mode = ACL_RT_OVERFLOW_MODE_UNDEF;

	EXPECT_OK(aclrtGetDeviceSatMode(&mode));
	EXPECT_EQ(mode, ACL_RT_OVERFLOW_MODE_INFNAN);
	EXPECT_OK(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION));
	EXPECT_OK(aclrtGetDeviceSatMode(&mode));
	EXPECT_EQ(mode, ACL_RT_OVERFLOW_MODE_SATURATION);
	const Stream after;
	const Doubler infinite(0x7bff);
	const Doubler saturated(0x7bff);
	const Doubler negative(0xfbff);
	infinite.run(before);
	saturated.run(after);
	negative.run(after);
	EXPECT_OK(aclrtSynchronizeStream(before));
	EXPECT_OK(aclrtSynchronizeStream(after));
	EXPECT_EQ(infinite.value(), 0x7c00);
	EXPECT_EQ(saturated.value(), 0x7bff);
	EXPECT_EQ(negative.value(), 0xfbff);
	EXPECT_EQ(overflow_word(after), 1u);
	EXPECT_OK(aclrtResetOverflowStatus(after));
	EXPECT_OK(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "mode",
		     aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_UNDEF));
	EXPECT_OK(aclrtSynchronizeStream(after));
}

TEST_F(Overflow, StatusHasItsOrderSizeAndPlace)
{
	const Doubler largest(0x7bff);
	const DeviceBuffer status(128);
	const Stream stream;
	aclmdlRI model = nullptr;

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "output",
		     aclrtGetOverflowStatus(nullptr, 64, stream));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "64",
		     aclrtGetOverflowStatus(status.data(), 32, stream));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "64", aclrtGetOverflowStatus(&model, 64, stream));
	EXPECT_OK(aclrtSetStreamOverflowSwitch(stream, 1));
	EXPECT_OK(aclrtNpuClearFloatOverFlowStatus(0, stream));
	EXPECT_OK(aclrtNpuGetFloatOverFlowStatus(status.data(), 64, 0, stream));
	largest.run(stream);
	EXPECT_OK(aclrtGetFloatOverflowStatus(status.at(64), 64, stream));
	EXPECT_OK(aclrtResetFloatOverflowStatus(stream));
	EXPECT_FAILS(ACL_ERROR_RT_AIVEC_OVER_FLOW, "infinite", aclrtSynchronizeStream(stream));
	EXPECT_EQ(status.load<uint32_t>()[0], 0u);
	EXPECT_EQ(status.load<uint32_t>()[16], 1u);
	EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur", aclrtResetOverflowStatus(stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur",
		     aclrtGetOverflowStatus(status.data(), 64, stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur",
		     aclrtSetStreamOverflowSwitch(stream, 0));
	EXPECT_OK(aclmdlRICaptureEnd(stream, &model));
	EXPECT_OK(aclmdlRIDestroy(model));
}

/* launch_muls() - out = self * factor, of halves or doubles. */
static void launch_muls(const aclTensor *tensor, double factor, aclrtStream stream)
{
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;
	const Scalar scalar(factor, ACL_DOUBLE);

	ASSERT_OK(aclnnMulsGetWorkspaceSize(tensor, scalar, const_cast<aclTensor *>(tensor), &bytes,
					    &executor));
	EXPECT_OK(aclnnMuls(nullptr, 0, executor, stream));
}

TEST_F(Overflow, OfTensorOperatorsIsReportedToo)
{
	const Stream stream;
	const DeviceBuffer halves = device_copy(std::vector<uint16_t>{0x3c00, 0x7bff, 0x3c00});
	const DeviceBuffer doubles = device_copy(std::vector<double>{1, 1e308});
	const Tensor half(halves, ACL_FLOAT16, {3}), wide(doubles, ACL_DOUBLE, {2});

	EXPECT_OK(aclrtSetStreamOverflowSwitch(stream, 1));
	launch_muls(half, 0.5, stream);
	launch_muls(wide, 0.5, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(overflow_word(stream), 0u);
	launch_muls(half, 4, stream);
	EXPECT_FAILS(ACL_ERROR_RT_AIVEC_OVER_FLOW, "aclnnMuls", aclrtSynchronizeStream(stream));
	EXPECT_EQ(halves.load<uint16_t>(), (std::vector<uint16_t>{0x4000, 0x7c00, 0x4000}));
	EXPECT_EQ(overflow_word(stream), 1u);
	EXPECT_OK(aclrtResetOverflowStatus(stream));
	launch_muls(wide, 100, stream);
	EXPECT_FAILS(ACL_ERROR_RT_AIVEC_OVER_FLOW, "", aclrtSynchronizeStream(stream));
	EXPECT_OK(aclrtSetStreamOverflowSwitch(stream, 0));
	launch_muls(wide, 1, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_OK(aclrtResetOverflowStatus(stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(Overflow, OfALargeTensorOperatorIsFoundOnce)
{
	constexpr size_t COUNT = 1 << 21;
	std::vector<float> numbers(COUNT, 0.5f);
	numbers[COUNT - 77] = 100;
	const DeviceBuffer memory = device_copy(numbers);
	const Tensor tensor(memory, ACL_FLOAT, {COUNT});
	const Stream stream;
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;

	EXPECT_OK(aclrtSetStreamOverflowSwitch(stream, 1));
	ASSERT_OK(aclnnExpGetWorkspaceSize(tensor, tensor, &bytes, &executor));
	EXPECT_OK(aclnnExp(nullptr, 0, executor, stream));
	EXPECT_FAILS(ACL_ERROR_RT_AIVEC_OVER_FLOW, "aclnnExp", aclrtSynchronizeStream(stream));
	numbers = memory.load<float>();
	EXPECT_TRUE(std::isinf(numbers[COUNT - 77]));
	EXPECT_NEAR(numbers[COUNT - 1], 1.6487213f, 1e-6f);
	EXPECT_OK(aclrtResetOverflowStatus(stream));
	/* Elements that are only moved have overflowed before. */
	const DeviceBuffer other(memory.size());
	const IntArray one({1});
	const IntArray zero({0});
	ASSERT_OK(aclnnRollGetWorkspaceSize(tensor, one, zero, Tensor(other, ACL_FLOAT, {COUNT}),
					    &bytes, &executor));
	EXPECT_OK(aclnnRoll(nullptr, 0, executor, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

/* run_prepared() - runs the operator that a first phase has prepared, and waits for it.
 * @executor: a reference, because the first phase may be called after this argument is taken */
template <class Second>
static void run_prepared(int status, Second second, aclOpExecutor *const &executor,
			 aclrtStream stream)
{
	ASSERT_EQ(status, ACL_SUCCESS);
	EXPECT_OK(second(nullptr, 0, executor, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

/* Runs operators that move the elements of @self, and compares the bits. */
static void expect_moved(const DeviceBuffer &mask, aclrtStream stream)
{
	const Tensor self(mask, ACL_FLOAT, {2, 2});
	const DeviceBuffer result(mask.size());
	const Tensor out(result, ACL_FLOAT, {2, 2}), row(result, ACL_FLOAT, {1, 2});
	const IntArray swapped({1, 0}), once({1, 1});
	const std::vector<uint32_t> bits = mask.load<uint32_t>();
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;

	run_prepared(aclnnPermuteGetWorkspaceSize(self, swapped, out, &bytes, &executor),
		     aclnnPermute, executor, stream);
	EXPECT_EQ(result.load<uint32_t>(),
		  (std::vector<uint32_t>{bits[0], bits[2], bits[1], bits[3]}));
	run_prepared(aclnnInplaceCopyGetWorkspaceSize(out, self, &bytes, &executor),
		     aclnnInplaceCopy, executor, stream);
	EXPECT_EQ(result.load<uint32_t>(), bits);
	run_prepared(aclnnSliceGetWorkspaceSize(self, 0, 1, 2, 1, row, &bytes, &executor),
		     aclnnSlice, executor, stream);
	EXPECT_EQ(result.load<uint32_t>(),
		  (std::vector<uint32_t>{bits[2], bits[3], bits[2], bits[3]}));
	run_prepared(aclnnRepeatGetWorkspaceSize(self, once, out, &bytes, &executor), aclnnRepeat,
		     executor, stream);
	EXPECT_EQ(result.load<uint32_t>(), bits);
	const Tensor first(mask, ACL_FLOAT, {1, 2});
	run_prepared(aclnnRepeatInterleaveIntWithDimGetWorkspaceSize(first, 2, 0, 2, out, &bytes,
								     &executor),
		     aclnnRepeatInterleaveIntWithDim, executor, stream);
	EXPECT_EQ(result.load<uint32_t>(),
		  (std::vector<uint32_t>{bits[0], bits[1], bits[0], bits[1]}));
	run_prepared(aclnnCastGetWorkspaceSize(self, ACL_FLOAT, out, &bytes, &executor), aclnnCast,
		     executor, stream);
	EXPECT_EQ(result.load<uint32_t>(), bits);
}

/* A mask has infinite elements. */
TEST_F(Overflow, IsNoneWhereElementsAreOnlyMoved)
{
	const DeviceBuffer mask = device_copy(std::vector<float>{1, -INFINITY, NAN, INFINITY});
	const Stream checks;
	EXPECT_OK(aclrtSetStreamOverflowSwitch(checks, 1));
	expect_moved(mask, checks);
	EXPECT_EQ(overflow_word(checks), 0u);
	EXPECT_OK(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION));
	const Stream saturates;
	expect_moved(mask, saturates);
	EXPECT_EQ(overflow_word(saturates), 0u);
	EXPECT_OK(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN));
}

TEST_F(Overflow, OfAConversionIsReported)
{
	const DeviceBuffer wide = device_copy(std::vector<float>{1, 1e6f});
	const DeviceBuffer halves(2 * sizeof(uint16_t));
	const Stream stream;
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;

	EXPECT_OK(aclrtSetStreamOverflowSwitch(stream, 1));
	ASSERT_OK(aclnnCastGetWorkspaceSize(Tensor(wide, ACL_FLOAT, {2}), ACL_FLOAT16,
					    Tensor(halves, ACL_FLOAT16, {2}), &bytes, &executor));
	EXPECT_OK(aclnnCast(nullptr, 0, executor, stream));
	EXPECT_FAILS(ACL_ERROR_RT_AIVEC_OVER_FLOW, "", aclrtSynchronizeStream(stream));
	EXPECT_OK(aclrtResetOverflowStatus(stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(Overflow, TensorOperatorsSaturate)
{
	EXPECT_OK(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION));
	const Stream stream;
	const DeviceBuffer halves = device_copy(std::vector<uint16_t>{0x7bff, 0xfbff, 0x3c00});
	launch_muls(Tensor(halves, ACL_FLOAT16, {3}), 4, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(halves.load<uint16_t>(), (std::vector<uint16_t>{0x7bff, 0xfbff, 0x4400}));
	EXPECT_EQ(overflow_word(stream), 1u);
	EXPECT_OK(aclrtResetOverflowStatus(stream));
	EXPECT_OK(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN));
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

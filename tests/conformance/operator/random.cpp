// SPDX-License-Identifier: MIT
/*
 * DOC: random tasks
 *
 * Random numbers have the requested distribution. The same seed and counter give the same numbers,
 * and a task begins where the previous one stopped.
 */
#include <algorithm>
#include <cmath>
#include <memory>

#include "model/model_build.h"

using namespace conformance;

namespace {

constexpr uint64_t kSeed = 0x1234567890abcdef;

template <typename T> aclrtRandomParaInfo value(T number)
{
	aclrtRandomParaInfo info = {};

	std::memcpy(info.valueOrAddr, &number, sizeof(number));
	info.size = sizeof(number);
	return info;
}

aclrtRandomParaInfo at(const void *address, uint8_t size)
{
	aclrtRandomParaInfo info = {};

	std::memcpy(info.valueOrAddr, &address, sizeof(address));
	info.isAddr = 1;
	info.size = size;
	return info;
}

class Random : public DeviceTest {
protected:
	void SetUp() override
	{
		DeviceTest::SetUp();
		counter_ = std::make_unique<DeviceBuffer>(16);
		block_ = std::make_unique<DeviceBuffer>(32);
	}

	void TearDown() override
	{
		block_.reset();
		counter_.reset();
		DeviceTest::TearDown();
	}

	aclrtRandomNumTaskInfo task(aclDataType type, const DeviceBuffer &result,
				    uint64_t count) const
	{
		aclrtRandomNumTaskInfo info = {};

		info.dataType = type;
		info.randomResultAddr = result.data();
		info.randomCounterAddr = counter_->data();
		info.randomSeed = value(kSeed);
		info.randomNum = value(count);
		return info;
	}

	template <typename T>
	aclrtRandomNumTaskInfo uniform(aclDataType type, const DeviceBuffer &result, uint64_t count,
				       T min, T max) const
	{
		aclrtRandomNumTaskInfo info = task(type, result, count);

		info.randomNumFuncParaInfo.funcType = ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS;
		info.randomNumFuncParaInfo.paramInfo.uniformDisInfo = {value(min), value(max)};
		return info;
	}

	aclrtRandomNumTaskInfo normal(aclrtRandomNumFuncType kind, const DeviceBuffer &result,
				      uint64_t count, float mean, float deviation) const
	{
		aclrtRandomNumTaskInfo info = task(ACL_FLOAT, result, count);

		info.randomNumFuncParaInfo.funcType = kind;
		info.randomNumFuncParaInfo.paramInfo.normalDisInfo = {value(mean),
								      value(deviation)};
		return info;
	}

	aclrtRandomNumTaskInfo mask(const DeviceBuffer &result, uint64_t bits, float ratio) const
	{
		aclrtRandomNumTaskInfo info = task(ACL_FLOAT, result, bits);

		info.randomNumFuncParaInfo.paramInfo.dropoutBitmaskInfo = {value(ratio)};
		return info;
	}

	void draw(const aclrtRandomNumTaskInfo &info) const
	{
		const Stream stream;

		EXPECT_OK(aclrtRandomNumAsync(&info, stream, nullptr));
		EXPECT_OK(aclrtSynchronizeStream(stream));
	}

	void rewind() const { counter_->store<uint64_t>({0, 0}); }

	template <typename T> std::vector<T> words(aclDataType type, T min, T max) const
	{
		const DeviceBuffer result(1000 * sizeof(T));

		rewind();
		draw(uniform(type, result, 1000, min, max));
		return result.load<T>();
	}

	std::unique_ptr<DeviceBuffer> counter_;
	std::unique_ptr<DeviceBuffer> block_;
};

/* Mean and standard deviation. */
std::pair<double, double> moments(const std::vector<float> &values)
{
	double sum = 0;
	double squares = 0;

	for (const float value : values) {
		sum += value;
		squares += static_cast<double>(value) * value;
	}
	const auto n = static_cast<double>(values.size());
	return {sum / n, std::sqrt(squares / n - sum / n * (sum / n))};
}

size_t ones(const std::vector<uint8_t> &bytes)
{
	size_t count = 0;

	for (const uint8_t byte : bytes)
		count += static_cast<size_t>(__builtin_popcount(byte));
	return count;
}

} // namespace

TEST_F(Random, UniformNumbersFillTheirRange)
{
	constexpr uint64_t kCount = 20000;
	const DeviceBuffer result(kCount * sizeof(float));

	draw(uniform(ACL_FLOAT, result, kCount, -2.0f, 6.0f));
	const auto drawn = result.load<float>();
	const auto [low, high] = std::minmax_element(drawn.begin(), drawn.end());
	EXPECT_GE(*low, -2.0f);
	EXPECT_LT(*low, -1.9f);
	EXPECT_LT(*high, 6.0f);
	EXPECT_GT(*high, 5.9f);
	const auto [mean, deviation] = moments(drawn);
	EXPECT_NEAR(mean, 2.0, 0.1);
	EXPECT_NEAR(deviation, 8 / std::sqrt(12.0), 0.1);
}

TEST_F(Random, WholeNumbersOfEachType)
{
	for (const int32_t word : words<int32_t>(ACL_INT32, -5, 5)) {
		EXPECT_GE(word, -5);
		EXPECT_LT(word, 5);
	}
	for (const uint32_t word : words<uint32_t>(ACL_UINT32, 0x7ffffff0u, 0x80000010u)) {
		EXPECT_GE(word, 0x7ffffff0u);
		EXPECT_LT(word, 0x80000010u);
	}
	for (const int64_t word : words<int64_t>(ACL_INT64, int64_t{-1} << 40, 3)) {
		EXPECT_GE(word, int64_t{-1} << 40);
		EXPECT_LT(word, 3);
	}
	for (const uint64_t word : words<uint64_t>(ACL_UINT64, UINT64_MAX - 2, UINT64_MAX))
		EXPECT_GE(word, UINT64_MAX - 2);
}

TEST_F(Random, NormalNumbers)
{
	constexpr uint64_t kCount = 20000;
	const DeviceBuffer result(kCount * sizeof(float));

	draw(normal(ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS, result, kCount, 10.0f, 3.0f));
	auto drawn = result.load<float>();
	const auto [mean, deviation] = moments(drawn);
	EXPECT_NEAR(mean, 10.0, 0.15);
	EXPECT_NEAR(deviation, 3.0, 0.1);
	EXPECT_GT(*std::max_element(drawn.begin(), drawn.end()), 18.0f);

	draw(normal(ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS, result, kCount, 10.0f, 3.0f));
	drawn = result.load<float>();
	const auto [low, high] = std::minmax_element(drawn.begin(), drawn.end());
	EXPECT_GE(*low, 4.0f);
	EXPECT_LE(*high, 16.0f);
	const auto [truncated_mean, truncated_deviation] = moments(drawn);
	EXPECT_NEAR(truncated_mean, 10.0, 0.15);
	EXPECT_NEAR(truncated_deviation, 3 * 0.8796, 0.1);
}

TEST_F(Random, HalvesAreRounded)
{
	const DeviceBuffer result(2000 * sizeof(uint16_t));

	/* 1 .. 2 as IEEE half precision, then as bfloat16. */
	draw(uniform<uint16_t>(ACL_FLOAT16, result, 2000, 0x3c00, 0x4000));
	for (const uint16_t half : result.load<uint16_t>()) {
		EXPECT_GE(half, 0x3c00);
		EXPECT_LE(half, 0x4000);
	}
	draw(uniform<uint16_t>(ACL_BF16, result, 2000, 0x3f80, 0x4000));
	for (const uint16_t half : result.load<uint16_t>()) {
		EXPECT_GE(half, 0x3f80);
		EXPECT_LE(half, 0x4000);
	}
}

TEST_F(Random, AMaskKeepsItsRatio)
{
	constexpr uint64_t kBits = 16001;
	const DeviceBuffer result(kBits / 8 + 2);

	draw(mask(result, kBits, 0.25f));
	EXPECT_NEAR(static_cast<double>(ones(result.load<uint8_t>())), kBits * 0.25, 300);
	draw(mask(result, kBits, 0.0f));
	EXPECT_EQ(ones(result.load<uint8_t>()), 0u);
	draw(mask(result, kBits, 1.0f));
	EXPECT_EQ(ones(result.load<uint8_t>()), kBits) << "and nothing past the last bit";
}

TEST_F(Random, SeedAndCounterDecide)
{
	const DeviceBuffer whole(1024 * sizeof(float));
	const DeviceBuffer halves(1024 * sizeof(float));

	draw(uniform(ACL_FLOAT, whole, 1024, 0.0f, 1.0f));
	EXPECT_EQ(counter_->load<uint64_t>(), (std::vector<uint64_t>{256, 0}));
	rewind();
	draw(uniform(ACL_FLOAT, halves, 512, 0.0f, 1.0f));
	auto second = uniform(ACL_FLOAT, halves, 512, 0.0f, 1.0f);
	second.randomResultAddr = halves.at(512 * sizeof(float));
	draw(second);
	EXPECT_EQ(whole.load<float>(), halves.load<float>());

	rewind();
	auto other = uniform(ACL_FLOAT, halves, 1024, 0.0f, 1.0f);
	other.randomSeed = value(kSeed + 1);
	draw(other);
	EXPECT_NE(whole.load<float>(), halves.load<float>());
}

TEST_F(Random, NumbersMayStandInMemoryUntilTheTaskRuns)
{
	const DeviceBuffer result(64 * sizeof(float));
	const DeviceBuffer given(32);
	const Stream stream;
	Gate gate;
	auto info = uniform(ACL_FLOAT, result, 0, 0.0f, 0.0f);
	auto &range = info.randomNumFuncParaInfo.paramInfo.uniformDisInfo;

	info.randomParaAddr = block_->data();
	range = {at(given.data(), 4), at(given.at(4), 4)};
	info.randomSeed = at(given.at(8), 8);
	info.randomNum = at(given.at(16), 4);
	gate.block(stream);
	EXPECT_OK(aclrtRandomNumAsync(&info, stream, nullptr));
	const float ends[] = {3.0f, 4.0f};
	const uint64_t words[] = {kSeed, 32};
	EXPECT_OK(aclrtMemcpy(given.data(), 32, ends, sizeof(ends), ACL_MEMCPY_HOST_TO_DEVICE));
	EXPECT_OK(aclrtMemcpy(given.at(8), 24, words, sizeof(words), ACL_MEMCPY_HOST_TO_DEVICE));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	const auto drawn = result.load<float>();
	for (size_t i = 0; i < 32; ++i) {
		EXPECT_GE(drawn[i], 3.0f);
		EXPECT_LT(drawn[i], 4.0f);
		EXPECT_EQ(drawn[32 + i], 0.0f);
	}
}

TEST_F(Random, AGraphDrawsAnewEachTime)
{
	const DeviceBuffer result(64 * sizeof(float));
	const Stream stream;
	const auto info = uniform(ACL_FLOAT, result, 64, 0.0f, 1.0f);
	aclmdlRI model = nullptr;

	EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
	EXPECT_OK(aclrtRandomNumAsync(&info, stream, nullptr));
	EXPECT_OK(aclmdlRICaptureEnd(stream, &model));
	EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	const auto first = result.load<float>();
	EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_NE(result.load<float>(), first);
	rewind();
	EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(result.load<float>(), first);
	EXPECT_OK(aclmdlRIDestroy(model));
}

TEST_F(Random, WhatIsRefused)
{
	const DeviceBuffer result(64);
	const auto good = uniform(ACL_FLOAT, result, 16, 0.0f, 1.0f);
	const auto wrong = [&](aclError code, const char *mention, auto &&change) {
		auto info = good;
		change(info);
		EXPECT_FAILS(code, mention, aclrtRandomNumAsync(&info, nullptr, nullptr));
	};
	int32_t host = 0;

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "taskInfo",
		     aclrtRandomNumAsync(nullptr, nullptr, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "reserve",
		     aclrtRandomNumAsync(&good, nullptr, &host));
	wrong(ACL_ERROR_INVALID_PARAM, "randomResultAddr",
	      [](auto &info) { info.randomResultAddr = nullptr; });
	wrong(ACL_ERROR_INVALID_PARAM, "randomCounterAddr",
	      [](auto &info) { info.randomCounterAddr = nullptr; });
	wrong(ACL_ERROR_INVALID_PARAM, "funcType", [](auto &info) {
		info.randomNumFuncParaInfo.funcType = raw_enum<aclrtRandomNumFuncType>(4);
	});
	wrong(ACL_ERROR_RT_PARAM_INVALID, "dataType",
	      [](auto &info) { info.dataType = ACL_DOUBLE; });
	wrong(ACL_ERROR_RT_PARAM_INVALID, "dataType", [](auto &info) {
		info.dataType = ACL_INT32;
		info.randomNumFuncParaInfo.funcType = ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS;
	});
	wrong(ACL_ERROR_RT_PARAM_INVALID, "size", [](auto &info) {
		info.randomNumFuncParaInfo.paramInfo.uniformDisInfo.min = value(1.0);
	});
	wrong(ACL_ERROR_RT_PARAM_INVALID, "isAddr", [](auto &info) { info.randomSeed.isAddr = 2; });
	wrong(ACL_ERROR_RT_PARAM_INVALID, "randomParaAddr",
	      [&](auto &info) { info.randomSeed = at(result.data(), 8); });
	wrong(ACL_ERROR_RT_PARAM_INVALID, "randomSeed", [&](auto &info) {
		info.randomParaAddr = block_->data();
		info.randomSeed = at(&host, 4);
	});
	wrong(ACL_ERROR_RT_PARAM_INVALID, "randomResultAddr",
	      [](auto &info) { info.randomNum = value(uint64_t{1} << 40); });
	wrong(ACL_ERROR_RT_PARAM_INVALID, "randomNum",
	      [](auto &info) { info.randomNum = value(UINT64_MAX); });
	wrong(ACL_ERROR_RT_PARAM_INVALID, "aligned", [](auto &info) {
		info.randomCounterAddr = static_cast<char *>(info.randomCounterAddr) + 4;
	});
	wrong(ACL_ERROR_RT_PARAM_INVALID, "randomCounterAddr",
	      [&](auto &info) { info.randomCounterAddr = result.at(1 << 20); });
	auto none = good;
	none.randomNum = value(uint64_t{0});
	EXPECT_OK(aclrtRandomNumAsync(&none, nullptr, nullptr));
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_EQ(counter_->load<uint64_t>(), (std::vector<uint64_t>{0, 0}));
}

namespace {

/* A model of one random task, which is updated. */
class Updated : public Random {
protected:
	void build(const aclrtRandomNumTaskInfo &info)
	{
		kept_ = std::make_unique<Kept>();
		model_ = std::make_unique<Built>();
		model_->bind(*kept_);
		EXPECT_OK(aclrtRandomNumAsync(&info, *kept_, nullptr));
		EXPECT_OK(aclrtGetThreadLastTaskId(&task_));
		model_->finish(*kept_);
		source_ = std::make_unique<DeviceBuffer>(sizeof(info));
	}

	void TearDown() override
	{
		source_.reset();
		model_.reset();
		kept_.reset();
		Random::TearDown();
	}

	aclrtTaskUpdateInfo change() const
	{
		aclrtTaskUpdateInfo update = {};

		update.id = ACL_RT_UPDATE_RANDOM_TASK;
		update.val.randomTaskAttr = {source_->data(), source_->size(), {}};
		return update;
	}

	void describe(const aclrtRandomNumTaskInfo &info) const
	{
		EXPECT_OK(aclrtMemcpy(source_->data(), source_->size(), &info, sizeof(info),
				      ACL_MEMCPY_HOST_TO_DEVICE));
	}

	void update(const aclrtRandomNumTaskInfo &info, aclrtStream stream) const
	{
		aclrtTaskUpdateInfo what = change();

		describe(info);
		EXPECT_OK(aclrtTaskUpdateAsync(*kept_, task_, &what, stream));
		EXPECT_OK(aclrtSynchronizeStream(stream));
	}

	std::unique_ptr<Kept> kept_;
	std::unique_ptr<Built> model_;
	std::unique_ptr<DeviceBuffer> source_;
	uint32_t task_ = 0;
};

} // namespace

TEST_F(Updated, SeedCountAndMemoryAreTheNewOnes)
{
	const DeviceBuffer first(64 * sizeof(float));
	const DeviceBuffer second(32 * sizeof(float));
	const Stream stream;
	const auto before = uniform(ACL_FLOAT, first, 64, 0.0f, 1.0f);

	build(before);
	model_->execute();
	const auto drawn = first.load<float>();
	/* The library ignores the distribution of a description. */
	auto after = uniform(ACL_FLOAT, second, 32, 9.0f, 10.0f);
	after.randomSeed = value(kSeed + 1);
	update(after, stream);
	rewind();
	model_->execute();
	EXPECT_EQ(first.load<float>(), drawn) << "is not drawn again";
	const auto other = second.load<float>();
	for (const float number : other) {
		EXPECT_GE(number, 0.0f);
		EXPECT_LT(number, 1.0f);
	}
	EXPECT_NE(other, std::vector<float>(drawn.begin(), drawn.begin() + 32));

	after.randomSeed = value(kSeed);
	update(after, stream);
	rewind();
	model_->execute();
	EXPECT_EQ(second.load<float>(), std::vector<float>(drawn.begin(), drawn.begin() + 32));
}

TEST_F(Updated, TheDescriptionIsReadInStreamOrder)
{
	const DeviceBuffer result(64 * sizeof(float));
	const Stream stream;
	Gate gate;
	const auto info = uniform(ACL_FLOAT, result, 64, 0.0f, 1.0f);
	auto none = info;
	aclrtTaskUpdateInfo what = {};

	build(info);
	what = change();
	none.randomNum = value(uint64_t{0});
	describe(info);
	gate.block(stream);
	EXPECT_OK(aclrtTaskUpdateAsync(*kept_, task_, &what, stream));
	model_->execute();
	EXPECT_NE(result.load<float>(), std::vector<float>(64)) << "not updated yet";
	describe(none);
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	result.store(std::vector<float>(64));
	EXPECT_OK(aclmdlRIExecuteAsync(*model_, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(result.load<float>(), std::vector<float>(64)) << "draws nothing";
}

TEST_F(Updated, NumbersInMemory)
{
	const DeviceBuffer result(16 * sizeof(float));
	const DeviceBuffer given(32);
	const DeviceBuffer block(32);
	const Stream stream;
	auto info = uniform(ACL_FLOAT, result, 16, 0.0f, 0.0f);
	auto &range = info.randomNumFuncParaInfo.paramInfo.uniformDisInfo;
	const float ends[] = {3.0f, 4.0f};
	const uint64_t words[] = {kSeed, 8};

	EXPECT_OK(aclrtMemcpy(given.data(), 32, ends, sizeof(ends), ACL_MEMCPY_HOST_TO_DEVICE));
	EXPECT_OK(aclrtMemcpy(given.at(8), 24, words, sizeof(words), ACL_MEMCPY_HOST_TO_DEVICE));
	range = {at(given.data(), 4), at(given.at(4), 4)};
	info.randomParaAddr = block_->data();
	build(info);
	model_->execute();
	const auto whole = result.load<float>();
	info.randomParaAddr = block.data();
	info.randomSeed = at(given.at(8), 8);
	info.randomNum = at(given.at(16), 4);
	update(info, stream);
	rewind();
	result.store(std::vector<float>(16));
	model_->execute();
	auto expected = whole;
	std::fill(expected.begin() + 8, expected.end(), 0.0f);
	EXPECT_EQ(result.load<float>(), expected);
	EXPECT_EQ(block.load<uint64_t>()[3], 8u) << "the new parameter memory is used";
}

TEST_F(Updated, WhatIsRefused)
{
	const DeviceBuffer result(64);
	const Stream stream;
	const Kept free;
	const auto good = uniform(ACL_FLOAT, result, 16, 0.0f, 1.0f);
	aclrtTaskUpdateInfo what = {};
	aclrtTaskUpdateInfo wrong = {};
	aclmdlRI captured = nullptr;
	int32_t host[32] = {};

	build(good);
	what = change();
	describe(good);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "taskStream",
		     aclrtTaskUpdateAsync(nullptr, task_, &what, stream));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "info",
		     aclrtTaskUpdateAsync(*kept_, task_, nullptr, stream));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "taskId",
		     aclrtTaskUpdateAsync(*kept_, task_ + 1, &what, stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, "taskStream",
		     aclrtTaskUpdateAsync(free, 0, &what, stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, "execStream",
		     aclrtTaskUpdateAsync(*kept_, task_, &what, *kept_));
	wrong = what;
	wrong.id = ACL_RT_UPDATE_AIC_AIV_TASK;
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "kernel",
		     aclrtTaskUpdateAsync(*kept_, task_, &wrong, stream));
	wrong.id = raw_enum<aclrtUpdateTaskAttrId>(3);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "id",
		     aclrtTaskUpdateAsync(*kept_, task_, &wrong, stream));
	wrong = what;
	wrong.val.randomTaskAttr.size--;
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "size",
		     aclrtTaskUpdateAsync(*kept_, task_, &wrong, stream));
	wrong = what;
	wrong.val.randomTaskAttr.srcAddr = nullptr;
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "srcAddr",
		     aclrtTaskUpdateAsync(*kept_, task_, &wrong, stream));
	wrong.val.randomTaskAttr.srcAddr = host;
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "srcAddr",
		     aclrtTaskUpdateAsync(*kept_, task_, &wrong, stream));
	wrong = what;
	wrong.val.randomTaskAttr.rsv[0] = 1;
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "rsv",
		     aclrtTaskUpdateAsync(*kept_, task_, &wrong, stream));

	/* An error in the description is found when it is read, and the task keeps its old description. */
	auto bad = good;
	bad.randomResultAddr = host;
	describe(bad);
	EXPECT_OK(aclrtTaskUpdateAsync(*kept_, task_, &what, stream));
	EXPECT_FAILS(ACL_ERROR_RT_MODEL_EXECUTE, "aclrtTaskUpdateAsync",
		     aclrtSynchronizeStream(stream));
	model_->execute();
	EXPECT_NE(result.load<float>(), std::vector<float>(16));

	EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captures",
		     aclrtTaskUpdateAsync(*kept_, task_, &what, stream));
	EXPECT_OK(aclmdlRICaptureEnd(stream, &captured));
	EXPECT_OK(aclmdlRIDestroy(captured));
}

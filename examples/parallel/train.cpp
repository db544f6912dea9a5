// SPDX-License-Identifier: MIT
/**
 * DOC: Data-parallel training
 *
 * Four devices train one model: each has a quarter of the samples, and an AllReduce adds their gradients. Then one
 * device does the same alone, quarter by quarter. A reduction adds in the order of the ranks, so both have the same
 * bits.
 *
 *	UNPU_DEVICE=sim:devices=4 train
 */
#include <acl/acl.h>
#include <aclnn/aclnn_base.h>
#include <aclnnop/aclnn_add.h>
#include <aclnnop/aclnn_mm.h>
#include <aclnnop/aclnn_mul.h>
#include <aclnnop/aclnn_relu.h>
#include <aclnnop/aclnn_sign.h>
#include <hccl/hccl.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#define CHECK(call) check((call), #call)

static void check(int status, const char *call)
{
	if (status == 0)
		return;
	const char *why = aclGetRecentErrMsg();
	std::fprintf(stderr, "%s: error %d: %s\n", call, status, why ? why : "no sentence");
	std::exit(1);
}

static constexpr uint32_t RANKS = 4;
static constexpr int64_t SAMPLES = 64; /* of a rank */
static constexpr int64_t INPUTS = 8;
static constexpr int64_t HIDDEN = 16;
static constexpr int STEPS = 60;
static constexpr float RATE = 2e-4f;

/* A matrix of floats in device memory, and its transposed view. */
class Matrix {
public:
	Matrix(int64_t rows, int64_t columns, const std::vector<float> &values = {})
		: bytes_(static_cast<size_t>(rows * columns) * sizeof(float))
	{
		const int64_t dims[] = {rows, columns}, turned[] = {columns, rows};
		const int64_t strides[] = {columns, 1}, turned_strides[] = {1, columns};
		CHECK(aclrtMalloc(&memory_, bytes_, ACL_MEM_MALLOC_HUGE_FIRST));
		if (values.empty())
			CHECK(aclrtMemset(memory_, bytes_, 0, bytes_));
		else
			CHECK(aclrtMemcpy(memory_, bytes_, values.data(), bytes_,
					  ACL_MEMCPY_HOST_TO_DEVICE));
		as_is_ = aclCreateTensor(dims, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, dims, 2,
					 memory_);
		turned_ = aclCreateTensor(turned, 2, ACL_FLOAT, turned_strides, 0, ACL_FORMAT_ND,
					  dims, 2, memory_);
	}
	~Matrix()
	{
		CHECK(aclDestroyTensor(as_is_));
		CHECK(aclDestroyTensor(turned_));
		CHECK(aclrtFree(memory_));
	}
	Matrix(const Matrix &) = delete;
	Matrix &operator=(const Matrix &) = delete;

	aclTensor *get() const { return as_is_; }
	aclTensor *turned() const { return turned_; }
	void *memory() const { return memory_; }
	uint64_t count() const { return bytes_ / sizeof(float); }

	std::vector<float> read() const
	{
		std::vector<float> values(count());
		CHECK(aclrtMemcpy(values.data(), bytes_, memory_, bytes_,
				  ACL_MEMCPY_DEVICE_TO_HOST));
		return values;
	}

private:
	size_t bytes_;
	void *memory_ = nullptr;
	aclTensor *as_is_ = nullptr;
	aclTensor *turned_ = nullptr;
};

/* The two phases of an operator, none of which needs a workspace here. */
template <class Prepare, class Run> static void call(aclrtStream stream, Prepare prepare, Run run)
{
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;
	CHECK(prepare(&bytes, &executor));
	check(bytes == 0 ? 0 : -1, "an operator without a workspace");
	CHECK(run(nullptr, bytes, executor, stream));
}

static void multiply(aclTensor *left, aclTensor *right, const Matrix &to, aclrtStream stream)
{
	call(
		stream,
		[&](uint64_t *bytes, aclOpExecutor **executor) {
			return aclnnMmGetWorkspaceSize(left, right, to.get(), 0, bytes, executor);
		},
		aclnnMm);
}

/* to += factor * other */
static void add(const Matrix &to, const Matrix &other, float factor, aclrtStream stream)
{
	aclScalar *alpha = aclCreateScalar(&factor, ACL_FLOAT);
	call(
		stream,
		[&](uint64_t *bytes, aclOpExecutor **executor) {
			return aclnnInplaceAddGetWorkspaceSize(to.get(), other.get(), alpha, bytes,
							       executor);
		},
		aclnnInplaceAdd);
	CHECK(aclDestroyScalar(alpha));
}

/* A quarter of the samples, on one device, with all that a step computes of it. */
struct Part {
	explicit Part(uint32_t number)
	{
		std::mt19937 random(number + 1);
		std::vector<float> x(SAMPLES * INPUTS), y(SAMPLES);
		for (float &value : x)
			value = static_cast<float>(random() % 2001) / 1000 - 1;
		for (int64_t i = 0; i < SAMPLES; i++)
			y[static_cast<size_t>(i)] = std::fabs(x[static_cast<size_t>(i * INPUTS)]) +
						    x[static_cast<size_t>(i * INPUTS + 1)];
		inputs = std::make_unique<Matrix>(SAMPLES, INPUTS, x);
		wanted = std::make_unique<Matrix>(SAMPLES, 1, y);
	}

	std::unique_ptr<Matrix> inputs, wanted;
	Matrix hidden{SAMPLES, HIDDEN}, active{SAMPLES, HIDDEN}, back{SAMPLES, HIDDEN};
	Matrix error{SAMPLES, 1};
	Matrix first_gradient{INPUTS, HIDDEN}, second_gradient{HIDDEN, 1};
};

/* The weights of the two layers, on one device. */
struct Model {
	Model()
	{
		std::mt19937 random(99);
		std::vector<float> one(INPUTS * HIDDEN), two(HIDDEN);
		for (float &value : one)
			value = static_cast<float>(random() % 2001) / 2000 - 0.5f;
		for (float &value : two)
			value = static_cast<float>(random() % 2001) / 2000 - 0.5f;
		first = std::make_unique<Matrix>(INPUTS, HIDDEN, one);
		second = std::make_unique<Matrix>(HIDDEN, 1, two);
	}
	std::unique_ptr<Matrix> first, second;
};

/* The gradients of the squared error of a part: error = relu(x W1) W2 - y. */
static void differentiate(const Part &part, const Model &model, aclrtStream stream)
{
	multiply(part.inputs->get(), model.first->get(), part.hidden, stream);
	call(
		stream,
		[&](uint64_t *bytes, aclOpExecutor **executor) {
			return aclnnReluGetWorkspaceSize(part.hidden.get(), part.hidden.get(),
							 bytes, executor);
		},
		aclnnRelu);
	multiply(part.hidden.get(), model.second->get(), part.error, stream);
	add(part.error, *part.wanted, -1, stream);
	multiply(part.hidden.turned(), part.error.get(), part.second_gradient, stream);
	multiply(part.error.get(), model.second->turned(), part.back, stream);
	/* Where relu() was 0, nothing goes back. */
	call(
		stream,
		[&](uint64_t *bytes, aclOpExecutor **executor) {
			return aclnnSignGetWorkspaceSize(part.hidden.get(), part.active.get(),
							 bytes, executor);
		},
		aclnnSign);
	call(
		stream,
		[&](uint64_t *bytes, aclOpExecutor **executor) {
			return aclnnInplaceMulGetWorkspaceSize(part.back.get(), part.active.get(),
							       bytes, executor);
		},
		aclnnInplaceMul);
	multiply(part.inputs->turned(), part.back.get(), part.first_gradient, stream);
}

static void learn(const Model &model, const Matrix &first, const Matrix &second, aclrtStream stream)
{
	add(*model.first, first, -RATE, stream);
	add(*model.second, second, -RATE, stream);
}

static double loss(const Part &part)
{
	double sum = 0;
	for (const float error : part.error.read())
		sum += static_cast<double>(error) * static_cast<double>(error);
	return sum / SAMPLES;
}

static std::vector<float> weights(const Model &model)
{
	std::vector<float> all = model.first->read();
	const std::vector<float> second = model.second->read();
	all.insert(all.end(), second.begin(), second.end());
	return all;
}

static void sum_over_ranks(const Matrix &gradient, HcclComm comm, aclrtStream stream)
{
	CHECK(HcclAllReduce(gradient.memory(), gradient.memory(), gradient.count(),
			    HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comm, stream));
}

/* A rank has all of this on its device. */
struct Rank {
	aclrtStream stream = nullptr;
	HcclComm comm = nullptr;
	std::unique_ptr<Part> part;
	std::unique_ptr<Model> model;
};

/* Return: the weights of each rank in the end. */
static std::vector<std::vector<float>> train_together()
{
	std::vector<Rank> ranks(RANKS);
	std::vector<int32_t> devices(RANKS);
	std::vector<HcclComm> comms(RANKS);
	std::vector<std::vector<float>> result;
	for (uint32_t i = 0; i < RANKS; i++) {
		devices[i] = static_cast<int32_t>(i);
		CHECK(aclrtSetDevice(devices[i]));
		CHECK(aclrtCreateStream(&ranks[i].stream));
		ranks[i].part = std::make_unique<Part>(i);
		ranks[i].model = std::make_unique<Model>();
	}
	CHECK(HcclCommInitAll(RANKS, devices.data(), comms.data()));
	for (int step = 0; step < STEPS; step++) {
		/* Nothing of it waits: the streams run it. */
		for (uint32_t i = 0; i < RANKS; i++) {
			const Rank &rank = ranks[i];
			CHECK(aclrtSetDevice(devices[i]));
			differentiate(*rank.part, *rank.model, rank.stream);
			sum_over_ranks(rank.part->first_gradient, comms[i], rank.stream);
			sum_over_ranks(rank.part->second_gradient, comms[i], rank.stream);
			learn(*rank.model, rank.part->first_gradient, rank.part->second_gradient,
			      rank.stream);
		}
		double mean = 0;
		for (uint32_t i = 0; i < RANKS; i++) {
			CHECK(aclrtSetDevice(devices[i]));
			CHECK(aclrtSynchronizeStream(ranks[i].stream));
			mean += loss(*ranks[i].part) / RANKS;
		}
		if (step == 0 || step + 1 == STEPS)
			std::printf("step %d: mean squared error %.3f\n", step + 1, mean);
	}
	for (uint32_t i = 0; i < RANKS; i++) {
		CHECK(aclrtSetDevice(devices[i]));
		result.push_back(weights(*ranks[i].model));
		CHECK(HcclCommDestroy(comms[i]));
		ranks[i].part.reset();
		ranks[i].model.reset();
		CHECK(aclrtDestroyStream(ranks[i].stream));
	}
	return result;
}

/* All quarters on one device. Their gradients are added in the same order. */
static std::vector<float> train_alone()
{
	aclrtStream stream = nullptr;
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtCreateStream(&stream));
	std::vector<float> result;
	{
		Model model;
		std::vector<std::unique_ptr<Part>> parts;
		for (uint32_t i = 0; i < RANKS; i++)
			parts.push_back(std::make_unique<Part>(i));
		for (int step = 0; step < STEPS; step++) {
			for (const auto &part : parts)
				differentiate(*part, model, stream);
			for (uint32_t i = 1; i < RANKS; i++) {
				add(parts[0]->first_gradient, parts[i]->first_gradient, 1, stream);
				add(parts[0]->second_gradient, parts[i]->second_gradient, 1,
				    stream);
			}
			learn(model, parts[0]->first_gradient, parts[0]->second_gradient, stream);
		}
		CHECK(aclrtSynchronizeStream(stream));
		result = weights(model);
	}
	CHECK(aclrtDestroyStream(stream));
	return result;
}

int main()
{
	CHECK(aclInit(nullptr));
	const std::vector<std::vector<float>> together = train_together();
	const std::vector<float> alone = train_alone();
	bool is_equal = true;
	for (const std::vector<float> &each : together)
		is_equal = is_equal && std::memcmp(each.data(), alone.data(),
						   alone.size() * sizeof(float)) == 0;
	std::printf("the weights of 4 ranks and of one device %s\n",
		    is_equal ? "have the same bits" : "differ");
	CHECK(aclFinalize());
	return is_equal ? 0 : 1;
}

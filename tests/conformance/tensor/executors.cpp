// SPDX-License-Identifier: MIT
/*
 * DOC: executors of operators, used again
 *
 * A random program keeps repeatable executors, gives their tensors other addresses, launches them on a stream or into a
 * capture, and destroys them at any time, used or not. A mirror on the host says what must be in memory then.
 */
#include <memory>
#include <random>
#include <set>
#include <thread>

#include "tensor/calls.h"
#include "tensor/missing_arguments.h"

using namespace conformance;

namespace {

using Executors = DeviceTest;
using Floats = std::vector<float>;

constexpr int64_t COUNT = 33;
constexpr size_t BUFFERS = 6;

enum class Kind { MULS, SUB, ADD, CAT, INPLACE_SUB, END };

/* struct Step - what an executor would do now: two sources and a result, by number of buffer. */
struct Step {
	Kind kind = Kind::MULS;
	size_t a = 0, b = 0, out = 0;
};

/* class Mirror - the memory, as the host computes it. Sums are halved before they can grow. */
class Mirror {
public:
	explicit Mirror(std::mt19937 &random)
	{
		for (Floats &buffer : buffers_) {
			buffer.resize(COUNT);
			for (float &number : buffer)
				number = static_cast<float>(random() % 1000);
		}
	}

	void run(const Step &step)
	{
		const Floats a = buffers_[step.a], b = buffers_[step.b];
		Floats &out = buffers_[step.out];
		for (size_t i = 0; i < COUNT; ++i)
			out[i] = compute(step.kind, a, b, i);
	}

	const Floats &operator[](size_t i) const { return buffers_[i]; }

private:
	static float compute(Kind kind, const Floats &a, const Floats &b, size_t i)
	{
		switch (kind) {
		case Kind::MULS:
			return a[i] * 0.25f;
		case Kind::ADD:
			return a[i] + 0.5f * b[i];
		case Kind::CAT:
			return i < COUNT / 3 ? a[i] : b[i - COUNT / 3];
		default:
			return a[i] - 0.5f * b[i];
		}
	}

	Floats buffers_[BUFFERS];
};

/* class Executor - a repeatable one of a kind, with the tensors of its first phase gone. */
class Executor {
public:
	Executor(const Step &step, const std::vector<DeviceBuffer> &memory) : step_(step)
	{
		const Tensor a(memory[step.a], ACL_FLOAT, {COUNT});
		const Tensor b(memory[step.b], ACL_FLOAT, {COUNT});
		const Tensor out(memory[step.out], ACL_FLOAT, {COUNT});
		EXPECT_OK(prepare(memory, a, b, out));
		EXPECT_OK(aclSetAclOpExecutorRepeatable(executor_));
	}
	~Executor() { EXPECT_OK(aclDestroyAclOpExecutor(executor_)); }
	Executor(const Executor &) = delete;

	const Step &step() const { return step_; }

	void launch(aclrtStream stream)
	{
		switch (step_.kind) {
		case Kind::MULS:
			EXPECT_OK(aclnnMuls(nullptr, 0, executor_, stream));
			break;
		case Kind::ADD:
			EXPECT_OK(aclnnAdd(nullptr, 0, executor_, stream));
			break;
		case Kind::CAT:
			EXPECT_OK(aclnnCat(nullptr, 0, executor_, stream));
			break;
		case Kind::SUB:
			EXPECT_OK(aclnnSub(nullptr, 0, executor_, stream));
			break;
		default:
			EXPECT_OK(aclnnInplaceSub(nullptr, 0, executor_, stream));
		}
	}

	/* move() - input @index, or the result where there is none, is another buffer from now on. */
	void move(size_t index, size_t to, const std::vector<DeviceBuffer> &memory)
	{
		const Tensor any(memory[to], ACL_FLOAT, {COUNT});
		const bool has_two = step_.kind != Kind::MULS;
		if (index < (has_two ? 2 : 1)) {
			const Tensor input(memory[to], ACL_FLOAT, {input_elements(index)});
			EXPECT_OK(
				aclSetInputTensorAddr(executor_, index, input, memory[to].data()));
			(index ? step_.b : step_.a) = to;
			if (step_.kind == Kind::INPLACE_SUB && index == 0)
				step_.out = to;
			return;
		}
		EXPECT_OK(aclSetOutputTensorAddr(executor_, 0, any, memory[to].data()));
		step_.out = to;
		if (step_.kind == Kind::INPLACE_SUB)
			step_.a = to;
	}

private:
	int64_t input_elements(size_t index) const
	{
		if (step_.kind != Kind::CAT)
			return COUNT;
		return index ? COUNT - COUNT / 3 : COUNT / 3;
	}

	aclnnStatus prepare(const std::vector<DeviceBuffer> &memory, aclTensor *a, aclTensor *b,
			    aclTensor *out)
	{
		const Scalar half(0.5f, ACL_FLOAT), quarter(0.25f, ACL_FLOAT);
		uint64_t bytes = 0;
		switch (step_.kind) {
		case Kind::MULS:
			return aclnnMulsGetWorkspaceSize(a, quarter, out, &bytes, &executor_);
		case Kind::ADD:
			return aclnnAddGetWorkspaceSize(a, b, half, out, &bytes, &executor_);
		case Kind::SUB:
			return aclnnSubGetWorkspaceSize(a, b, half, out, &bytes, &executor_);
		case Kind::CAT: {
			/* The member without elements is no operand. */
			const TensorList list(
				{new_tensor(memory[step_.a], ACL_FLOAT, {COUNT / 3}),
				 new_tensor(memory[step_.a], ACL_FLOAT, {0}),
				 new_tensor(memory[step_.b], ACL_FLOAT, {COUNT - COUNT / 3})});
			return aclnnCatGetWorkspaceSize(list, 0, out, &bytes, &executor_);
		}
		default:
			step_.out = step_.a;
			return aclnnInplaceSubGetWorkspaceSize(a, b, half, &bytes, &executor_);
		}
	}

	Step step_;
	aclOpExecutor *executor_ = nullptr;
};

/* class Program - the random program. */
class Program {
public:
	explicit Program(uint32_t seed) : random_(seed), mirror_(random_)
	{
		for (size_t i = 0; i < BUFFERS; ++i)
			memory_.push_back(device_copy(mirror_[i]));
	}

	void run(int steps)
	{
		for (int i = 0; i < steps; ++i)
			step();
		check();
	}

private:
	size_t draw(size_t count) { return random_() % count; }
	Executor &any() { return *executors_[draw(executors_.size())]; }

	/* A result of Cat must be no operand of it. */
	static bool is_allowed(const Step &step)
	{
		return step.kind != Kind::CAT || (step.out != step.a && step.out != step.b);
	}

	void create()
	{
		const Step step{static_cast<Kind>(draw(static_cast<size_t>(Kind::END))),
				draw(BUFFERS), draw(BUFFERS), draw(BUFFERS)};
		if (is_allowed(step) && !(step.kind == Kind::INPLACE_SUB && step.a == step.b))
			executors_.push_back(std::make_unique<Executor>(step, memory_));
	}

	void move()
	{
		Executor &executor = any();
		executor.move(draw(3), draw(BUFFERS), memory_);
	}

	void launch(Executor &executor)
	{
		if (!is_allowed(executor.step()))
			return;
		executor.launch(stream_);
		mirror_.run(executor.step());
	}

	/* A model keeps what it has recorded, whatever becomes of the executors. */
	void capture()
	{
		aclmdlRI model = nullptr;
		std::vector<Step> recorded;
		ASSERT_OK(aclmdlRICaptureBegin(stream_, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL));
		for (size_t i = 0; i < 1 + draw(4); ++i) {
			Executor &executor = any();
			if (!is_allowed(executor.step()))
				continue;
			executor.launch(stream_);
			recorded.push_back(executor.step());
		}
		ASSERT_OK(aclmdlRICaptureEnd(stream_, &model));
		move();
		executors_.erase(executors_.begin() +
				 static_cast<int64_t>(draw(executors_.size())));
		for (size_t times = draw(3); times > 0; --times) {
			EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
			for (const Step &step : recorded)
				mirror_.run(step);
		}
		EXPECT_OK(aclrtSynchronizeStream(stream_));
		EXPECT_OK(aclmdlRIDestroy(model));
	}

	void step()
	{
		const size_t what = executors_.empty() ? 0 : draw(16);
		if (what == 0)
			create();
		else if (what == 1)
			executors_.erase(executors_.begin());
		else if (what < 6)
			move();
		else if (what == 6)
			capture();
		else
			launch(any());
	}

	void check()
	{
		EXPECT_OK(aclrtSynchronizeStream(stream_));
		for (size_t i = 0; i < BUFFERS; ++i)
			EXPECT_EQ(memory_[i].load<float>(), mirror_[i]) << i;
	}

	std::mt19937 random_;
	Mirror mirror_;
	const Stream stream_;
	std::vector<DeviceBuffer> memory_;
	std::vector<std::unique_ptr<Executor>> executors_;
};

TEST_F(Executors, ServeARandomProgram)
{
	for (uint32_t seed = 1; seed <= 40; ++seed) {
		SCOPED_TRACE(seed);
		Program(seed).run(60);
	}
}

TEST_F(Executors, AreForOneLaunchUnlessTheyAreRepeatable)
{
	const DeviceBuffer memory = device_copy(Floats(COUNT, 1));
	const DeviceBuffer others = device_copy(Floats(COUNT, 1));
	const Tensor tensor(memory, ACL_FLOAT, {COUNT}), other(others, ACL_FLOAT, {COUNT});
	const Scalar two(2.0f, ACL_FLOAT);
	uint64_t bytes = 0;
	aclOpExecutor *used = nullptr, *next = nullptr;
	ASSERT_OK(aclnnInplaceMulsGetWorkspaceSize(tensor, two, &bytes, &used));
	EXPECT_OK(aclnnInplaceMuls(nullptr, 0, used, nullptr));
	EXPECT_FAILS(kInvalidParameter, "launched or destroyed",
		     aclnnInplaceMuls(nullptr, 0, used, nullptr));
	ASSERT_OK(aclnnInplaceMulsGetWorkspaceSize(other, two, &bytes, &next));
	EXPECT_NE(used, next);
	EXPECT_FAILS(kInvalidParameter, "aclnnInplaceMuls|launched or destroyed",
		     aclnnInplaceMuls(nullptr, 0, used, nullptr));
	EXPECT_FAILS(kInvalidParameter, "launched or destroyed",
		     aclSetAclOpExecutorRepeatable(used));
	EXPECT_FAILS(kInvalidParameter, "launched or destroyed", aclDestroyAclOpExecutor(used));
	EXPECT_OK(aclDestroyAclOpExecutor(next));
	EXPECT_FAILS(kInvalidParameter, "launched or destroyed",
		     aclnnInplaceMuls(nullptr, 0, next, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(memory.load<float>(), Floats(COUNT, 2));
	EXPECT_EQ(others.load<float>(), Floats(COUNT, 1));
}

TEST_F(Executors, RefuseTensorsThatTheFirstPhaseDidNotHave)
{
	const DeviceBuffer memory(4096);
	const Tensor x(memory, ACL_FLOAT, {2, 3}), mean(memory, ACL_FLOAT, {2});
	const Tensor turned(memory, ACL_FLOAT, {2, 3}, {1, 2}, 0),
		later(memory, ACL_FLOAT, {2, 3}, {3, 1}, 1);
	const Tensor longer(memory, ACL_FLOAT, {2, 4}), integers(memory, ACL_INT32, {2, 3});
	const IntArray shape({3});
	const Scalar one(1.0f, ACL_FLOAT);
	uint64_t bytes = 0;
	aclOpExecutor *norm = nullptr, *sum = nullptr;
	ASSERT_OK(aclnnLayerNormGetWorkspaceSize(x, shape, nullptr, nullptr, 1e-5, x, mean, nullptr,
						 &bytes, &norm));
	ASSERT_OK(aclnnInplaceAddGetWorkspaceSize(x, x, one, &bytes, &sum));
	for (aclOpExecutor *executor : {norm, sum}) {
		const auto set = [&](size_t index, aclTensor *tensor) {
			return aclSetTensorAddr(executor, index, tensor, memory.at(1024));
		};
		EXPECT_FAILS(kInvalidParameter, "one launch|Repeatable", set(0, x));
		EXPECT_OK(aclSetAclOpExecutorRepeatable(executor));
		EXPECT_OK(set(0, x));
		for (const Tensor *other : {&turned, &later, &longer, &integers})
			EXPECT_FAILS(kInvalidParameter, "type, shape, strides and offset",
				     set(0, *other));
		EXPECT_FAILS(kInvalidParameter, "index 9", set(9, x));
	}
	EXPECT_FAILS(kInvalidParameter, "weight", aclSetTensorAddr(norm, 1, x, memory.data()));
	EXPECT_FAILS(kInvalidParameter, "rstd", aclSetOutputTensorAddr(norm, 2, x, memory.data()));
	EXPECT_OK(aclSetOutputTensorAddr(norm, 1, mean, memory.at(2048)));
	EXPECT_OK(aclDestroyAclOpExecutor(norm));
	EXPECT_OK(aclDestroyAclOpExecutor(sum));
}

/* Other threads get the executors of one that has ended, and those of which a thread has many. */
TEST_F(Executors, OfManyThreadsAreDifferent)
{
	constexpr size_t MANY = 300;
	const DeviceBuffer memory(4096);
	const Tensor tensor(memory, ACL_FLOAT, {64});
	for (int round = 0; round < 3; ++round) {
		std::vector<aclOpExecutor *> made[4];
		std::vector<std::thread> threads;
		for (auto &list : made)
			threads.emplace_back([&] {
				for (size_t i = 0; i < MANY; ++i) {
					uint64_t bytes = 0;
					aclOpExecutor *executor = nullptr;
					EXPECT_OK(aclnnExpGetWorkspaceSize(tensor, tensor, &bytes,
									   &executor));
					list.push_back(executor);
				}
			});
		for (std::thread &thread : threads)
			thread.join();
		std::set<aclOpExecutor *> all;
		for (size_t i = 0; i < 4; ++i) {
			all.insert(made[i].begin(), made[i].end());
			threads[i] = std::thread([&, i] {
				for (aclOpExecutor *executor : made[(i + 1) % 4])
					EXPECT_OK(aclDestroyAclOpExecutor(executor));
			});
		}
		EXPECT_EQ(all.size(), 4 * MANY);
		for (std::thread &thread : threads)
			thread.join();
	}
}

TEST_F(Executors, RefuseAddressesThatTheDeviceWouldRefuse)
{
	const DeviceBuffer memory(4096);
	const Tensor tensor(memory, ACL_FLOAT, {64});
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;
	ASSERT_OK(aclnnExpGetWorkspaceSize(tensor, tensor, &bytes, &executor));
	ASSERT_OK(aclSetAclOpExecutorRepeatable(executor));
	EXPECT_FAILS(kInvalidParameter, "leaves the address space",
		     aclSetInputTensorAddr(executor, 0, tensor,
					   reinterpret_cast<void *>(UINT64_MAX - 16)));
	EXPECT_OK(aclnnExp(nullptr, 0, executor, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_OK(aclDestroyAclOpExecutor(executor));
}

} // namespace

// SPDX-License-Identifier: MIT
/*
 * DOC: random captures
 *
 * Random programs of copies, fills, additions, products and host functions over 2 to 16 streams.
 * The test captures a program, replays it, and after each replay compares the memory with the same
 * tasks done one after the other. Streams wait for each other where two tasks touch the same
 * memory, and sometimes where they need not. Integers accumulate over all replays; floats are
 * loaded anew from pinned memory, which changes between replays.
 *
 * UNPU_TEST_GRAPHS is the number of programs, UNPU_TEST_REPLAYS the number of replays of each, and
 * UNPU_TEST_SEED the seed of the first program. Each further program has the next seed.
 */
#include "capture/capture_objects.h"
#include "operator/operator_objects.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>

namespace conformance {

namespace {

constexpr size_t kCells = 16; /* of an area, 4 bytes each */
constexpr size_t kAreaBytes = 4 * kCells;
constexpr size_t kInts = 8;   /* areas of integers */
constexpr size_t kFloats = 6; /* areas of floats; the last one is never written */
constexpr size_t kInputs = 4; /* pinned, written by the test between replays */
constexpr size_t kShared = 4; /* pinned, written by host functions and copies */
constexpr size_t kDevice = kInts + kFloats;
constexpr size_t kAreas = kDevice + kInputs + kShared;
constexpr size_t kFactors = kDevice - 1;
constexpr size_t kStreams = 16;

uint64_t number(const char *name, uint64_t otherwise)
{
	const char *text = std::getenv(name);

	return text ? std::strtoull(text, nullptr, 0) : otherwise;
}

union Cell {
	uint32_t bits;
	float value;
};

using Memory = std::array<std::array<Cell, kCells>, kAreas>;

struct Task {
	enum Kind { FILL, COPY, ADD_INT, ADD_FLOAT, MUL_FLOAT, HOST } kind;
	size_t out;
	size_t a;
	size_t b;
	int alpha;    /* of an addition; byte of a fill */
	size_t first; /* cells of a copy */
	size_t count;
};

bool reads(const Task &task, size_t area)
{
	if (task.kind == Task::FILL)
		return false;
	if (task.kind == Task::HOST)
		return area == task.out;
	return area == task.a || (task.kind != Task::COPY && area == task.b);
}

/* The effect of a host function on its area. */
void stir(Cell *cells)
{
	for (size_t i = 0; i < kCells; i++)
		cells[i].bits = cells[i].bits * 5 + static_cast<uint32_t>(i);
}

void stir_pinned(void *cells)
{
	stir(static_cast<Cell *>(cells));
}

/* The reference: one task, now. */
void perform(const Task &task, Memory &memory)
{
	auto &out = memory[task.out];
	const auto a = memory[task.a];
	const auto b = memory[task.b];

	switch (task.kind) {
	case Task::FILL:
		std::memset(out.data(), task.alpha, kAreaBytes);
		return;
	case Task::COPY:
		std::copy_n(a.begin() + static_cast<long>(task.first), task.count,
			    out.begin() + static_cast<long>(task.first));
		return;
	case Task::HOST:
		stir(out.data());
		return;
	case Task::ADD_INT:
		for (size_t i = 0; i < kCells; i++)
			out[i].bits = a[i].bits + static_cast<uint32_t>(task.alpha) * b[i].bits;
		return;
	case Task::ADD_FLOAT:
		for (size_t i = 0; i < kCells; i++)
			out[i].value = a[i].value + static_cast<float>(task.alpha) * b[i].value;
		return;
	case Task::MUL_FLOAT:
		for (size_t i = 0; i < kCells; i++)
			out[i].value = a[i].value * b[i].value;
		return;
	}
}

/* The memory that all programs use, as the device and the host see it. */
class Areas {
public:
	Areas()
	{
		for (size_t i = 0; i < kDevice; i++) {
			const aclDataType type = i < kInts ? ACL_INT32 : ACL_FLOAT;
			const Dims dims = {int64_t{kCells}};

			tensors_[i].emplace(device_, type, dims, contiguous_strides(dims),
					    static_cast<int64_t>(i * kCells));
		}
	}

	void *at(size_t area) const
	{
		if (area < kDevice)
			return device_.at(area * kAreaBytes);
		return static_cast<char *>(pinned_.data()) + (area - kDevice) * kAreaBytes;
	}

	void store(const Memory &memory) const
	{
		std::vector<uint8_t> bytes(device_.size());

		std::memcpy(bytes.data(), memory.data(), bytes.size());
		device_.store(bytes);
		std::memcpy(pinned_.data(), memory[kDevice].data(), pinned_.size());
	}

	Memory load() const
	{
		Memory memory;
		const std::vector<uint8_t> bytes = device_.load<uint8_t>();

		std::memcpy(memory.data(), bytes.data(), bytes.size());
		std::memcpy(memory[kDevice].data(), pinned_.data(), pinned_.size());
		return memory;
	}

	/* Give a task to a stream. */
	void launch(const Task &task, aclrtStream stream) const
	{
		const size_t skip = 4 * task.first;
		char *const out = static_cast<char *>(at(task.out)) + skip;

		switch (task.kind) {
		case Task::FILL:
			ASSERT_OK(
				aclrtMemsetAsync(out, kAreaBytes, task.alpha, kAreaBytes, stream));
			return;
		case Task::COPY:
			ASSERT_OK(aclrtMemcpyAsync(out, 4 * task.count,
						   static_cast<char *>(at(task.a)) + skip,
						   4 * task.count, ACL_MEMCPY_DEFAULT, stream));
			return;
		case Task::HOST:
			ASSERT_OK(aclrtLaunchHostFunc(stream, stir_pinned, out));
			return;
		case Task::ADD_INT: {
			const Scalar alpha(int32_t{task.alpha}, ACL_INT32);

			add(*tensors_[task.a], *tensors_[task.b], alpha, *tensors_[task.out],
			    stream);
			return;
		}
		case Task::ADD_FLOAT: {
			const Scalar alpha(static_cast<float>(task.alpha), ACL_FLOAT);

			add(*tensors_[task.a], *tensors_[task.b], alpha, *tensors_[task.out],
			    stream);
			return;
		}
		case Task::MUL_FLOAT:
			multiply(*tensors_[task.a], *tensors_[task.b], *tensors_[task.out], stream);
			return;
		}
	}

private:
	DeviceBuffer device_ = DeviceBuffer(kDevice * kAreaBytes);
	PinnedBuffer pinned_ = PinnedBuffer((kAreas - kDevice) * kAreaBytes);
	std::array<std::optional<Tensor>, kDevice> tensors_;
};

class CaptureRandom : public DeviceTest {
protected:
	using Random = std::mt19937_64;

	void SetUp() override
	{
		DeviceTest::SetUp();
		for (size_t i = 0; i < kStreams; i++) {
			streams_.emplace_back();
			events_.push_back(Event::ex(ACL_EVENT_SYNC));
		}
		areas_ = std::make_unique<Areas>();
	}

	void TearDown() override
	{
		areas_.reset();
		events_.clear();
		streams_.clear();
		DeviceTest::TearDown();
	}

	size_t below(size_t limit) { return static_cast<size_t>(random_() % limit); }

	Task random_task(bool host)
	{
		Task task = {};
		const size_t lot = below(host ? 10 : 9);

		task.kind = lot < 1   ? Task::FILL
			    : lot < 4 ? Task::COPY
			    : lot < 6 ? Task::ADD_INT
			    : lot < 8 ? Task::ADD_FLOAT
			    : lot < 9 ? Task::MUL_FLOAT
				      : Task::HOST;
		task.out = below(kInts);
		task.a = below(kInts);
		task.b = below(kInts);
		task.alpha = static_cast<int>(below(7)) - 3;
		if (task.kind == Task::ADD_FLOAT || task.kind == Task::MUL_FLOAT) {
			task.out = kInts + below(kFloats - 1);
			task.a = kInts + below(kFloats);
			task.b = kInts + below(kFloats);
			task.alpha = below(2) ? 1 : -1;
		}
		if (task.kind == Task::MUL_FLOAT)
			task.b = kFactors;
		if (task.kind == Task::COPY) {
			task.first = below(kCells);
			task.count = 1 + below(kCells - task.first);
			/* Pinned memory is on one side at most. */
			if (below(3) == 0)
				task.a = kDevice + below(kInputs + kShared);
			else if (below(3) == 0)
				task.out = kDevice + kInputs + below(kShared);
			if (task.a == task.out)
				task.kind = Task::FILL;
		}
		if (task.kind == Task::FILL)
			task.first = 0;
		if (task.kind == Task::HOST)
			task.out = kDevice + kInputs + below(kShared);
		return task;
	}

	void random_program()
	{
		program_.clear();
		for (size_t i = 0; i + 1 < kFloats; i++)
			program_.push_back(
				{Task::COPY, kInts + i, kDevice + below(kInputs), 0, 0, 0, kCells});
		const size_t count = 5 + below(60);
		const bool host = below(4) == 0;
		for (size_t i = 0; i < count; i++)
			program_.push_back(random_task(host));
	}

	/* Stream to waits for all that stream from has captured so far. */
	void follow(size_t to, size_t from)
	{
		conformance::follow(streams_[to], streams_[from], events_[below(kStreams)]);
		for (size_t i = 0; i < kStreams; i++)
			seen_[to][i] = std::max(seen_[to][i], seen_[from][i]);
		joined_[to] = true;
	}

	/* Two tasks meet if they touch the same area and one of them writes it. */
	static bool meet(const Task &one, const Task &other)
	{
		return one.out == other.out || reads(one, other.out) || reads(other, one.out);
	}

	void capture(size_t streams)
	{
		std::vector<size_t> place(program_.size()); /* which stream has the task */
		std::vector<size_t> turn(program_.size());  /* and the how-manieth of it it is */

		seen_ = {};
		joined_ = {};
		joined_[0] = true;
		begin_capture(streams_[0]);
		for (size_t i = 0; i < program_.size(); i++) {
			const size_t stream = below(streams);

			if (!joined_[stream]) {
				size_t leader = below(streams);
				while (!joined_[leader])
					leader = below(streams);
				follow(stream, leader);
			}
			for (size_t k = i; k-- > 0;) {
				if (seen_[stream][place[k]] < turn[k] &&
				    meet(program_[i], program_[k]))
					follow(stream, place[k]);
			}
			if (const size_t other = below(streams);
			    below(8) == 0 && joined_[other] && other != stream)
				follow(stream, other);
			place[i] = stream;
			turn[i] = ++seen_[stream][stream];
			areas_->launch(program_[i], streams_[stream]);
		}
		/* One after the other they come back to one that has not, the last to the origin. */
		std::vector<size_t> open = {0};
		for (size_t i = 1; i < streams; i++) {
			if (joined_[i])
				open.push_back(i);
		}
		std::shuffle(open.begin() + 1, open.end(), random_);
		while (open.size() > 1) {
			const size_t leaves = open.back();

			open.pop_back();
			follow(open[below(open.size())], leaves);
		}
	}

	Memory random_memory()
	{
		Memory memory;

		for (auto &area : memory) {
			for (Cell &cell : area)
				cell.bits = static_cast<uint32_t>(random_());
		}
		for (size_t i = kInts; i < kDevice; i++) {
			for (Cell &cell : memory[i])
				cell.value = 0.5f + static_cast<float>(below(256)) / 512;
		}
		return memory;
	}

	/* New inputs, small numbers for the floats that begin with them. */
	void change_inputs(Memory &memory)
	{
		for (size_t i = kDevice; i < kDevice + kInputs; i++) {
			for (Cell &cell : memory[i])
				cell.value = static_cast<float>(below(2048)) / 256 - 4;
			std::memcpy(areas_->at(i), memory[i].data(), kAreaBytes);
		}
	}

	void check_program(uint64_t replays)
	{
		const size_t streams = 2 + below(kStreams - 1);

		random_program();
		capture(streams);
		const Model model(streams_[0]);
		Memory memory = random_memory();
		areas_->store(memory);
		for (uint64_t done = 0; done < replays && !HasFailure();) {
			change_inputs(memory);
			for (size_t n = 1 + below(3); n > 0 && done < replays; n--, done++) {
				model.execute(streams_[below(kStreams)]);
				for (const Task &task : program_)
					perform(task, memory);
			}
			ASSERT_OK(aclrtSynchronizeDevice());
			const Memory got = areas_->load();
			for (size_t i = 0; i < kAreas; i++)
				ASSERT_EQ(std::memcmp(&got[i], &memory[i], kAreaBytes), 0)
					<< "area " << i << " after " << done << " replays of "
					<< program_.size() << " tasks on " << streams << " streams";
		}
	}

	Random random_;
	std::vector<Stream> streams_;
	std::vector<Event> events_;
	std::unique_ptr<Areas> areas_;
	std::vector<Task> program_;
	/* How many tasks of the second stream the next task of the first follows. */
	std::array<std::array<size_t, kStreams>, kStreams> seen_ = {};
	std::array<bool, kStreams> joined_ = {};
};

TEST_F(CaptureRandom, ReplaysDoWhatTheTasksWouldOneAfterTheOther)
{
	const uint64_t graphs = number("UNPU_TEST_GRAPHS", 100);
	const uint64_t replays = number("UNPU_TEST_REPLAYS", 100);
	const uint64_t first = number("UNPU_TEST_SEED", std::random_device{}());

	std::printf("UNPU_TEST_SEED=%llu UNPU_TEST_GRAPHS=%llu\n", (unsigned long long)first,
		    (unsigned long long)graphs);
	for (uint64_t seed = first; seed < first + graphs && !HasFailure(); seed++) {
		SCOPED_TRACE(testing::Message() << "UNPU_TEST_SEED=" << seed);
		random_.seed(seed);
		check_program(replays);
	}
}

} // namespace

} // namespace conformance

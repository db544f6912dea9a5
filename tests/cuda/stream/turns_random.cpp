// SPDX-License-Identifier: MIT
/*
 * DOC: random programs over streams that take turns
 *
 * A program gives tasks to the legacy streams, blocking streams, streams that do not block and the own streams of
 * threads, in two contexts. It creates and destroys streams, starts and ends threads, records events and waits for
 * them, and launches graphs. A model derives from the published rule alone which tasks each task follows. A task
 * touches memory only if it follows all tasks that touched it before, so one result is right: that of the tasks done
 * one after the other.
 *
 * Some streams wait for a word that the test sets later. What follows such a wait must not be done before, and what
 * does not follow it must get done: the test queries the first and synchronises the second.
 *
 * UNPU_TEST_PROGRAMS is the number of programs, and UNPU_TEST_SEED the seed of the first. Each further program has the
 * next seed.
 */
#include "graph/multi_device.h"

#include <algorithm>
#include <atomic>
#include <bitset>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <thread>

using namespace cuda_test;

namespace {

constexpr size_t kTasks = 160; /* of a program */
constexpr size_t kCells = 6;   /* words that tasks write and read */
constexpr size_t kHolds = 4;   /* words for which streams wait */
constexpr size_t kThreads = 3; /* with a stream of their own; the first is the test's */
constexpr size_t kStreams = 4; /* of the program, in each context */
constexpr size_t kEvents = 3;  /* in each context */
constexpr size_t kWord = sizeof(uint32_t);

/* Tasks by their number. */
using Tasks = std::bitset<kTasks>;

uint64_t number(const char *name, uint64_t otherwise)
{
	const char *text = std::getenv(name);

	return text ? std::strtoull(text, nullptr, 0) : otherwise;
}

/* A thread that makes one call at a time for the test. */
class Caller {
public:
	Caller() : thread_([this] { serve(); }) {}
	~Caller()
	{
		call({});
		thread_.join();
	}
	Caller(const Caller &) = delete;
	Caller &operator=(const Caller &) = delete;

	/* An empty function ends the thread. */
	void call(std::function<void()> function)
	{
		function_ = std::move(function);
		is_asked_ = true;
		is_asked_.notify_one();
		is_asked_.wait(true);
	}

private:
	void serve()
	{
		for (bool is_over = false; !is_over;) {
			is_asked_.wait(false);
			is_over = !function_;
			if (function_)
				function_();
			is_asked_ = false;
			is_asked_.notify_one();
		}
	}

	std::function<void()> function_;
	std::atomic<bool> is_asked_{false};
	std::thread thread_;
};

/* What the model knows of a stream. */
struct Line {
	CUstream handle = nullptr;
	size_t thread = 0; /* which uses it */
	bool is_legacy = false;
	bool is_blocking = false;
	Tasks done; /* all that its next task follows, apart from the turns */
};

/* A context with its streams, and what the model knows of it. */
struct Place {
	CUcontext context = nullptr;
	Tasks before; /* what the tasks of blocking streams follow: those of the legacy stream */
	Tasks gone;   /* tasks of blocking streams that the program or a thread has destroyed */
	std::vector<Line> lines; /* the legacy stream, one of each thread, then the program's */
	std::array<CUevent, kEvents> events{};
	std::array<Tasks, kEvents> recorded;
};

/* A word that tasks touch. */
struct Cell {
	Tasks writers; /* the last one, and those that it follows */
	Tasks readers; /* since then */
	uint32_t value = 0;
};

class RandomTurns : public DriverTest {
protected:
	void SetUp() override;
	void TearDown() override;

	size_t below(size_t limit) { return static_cast<size_t>(random_() % limit); }

	/* Calls a function of the driver in the thread of the line, with its context. */
	template <class F> void in_thread(const Place &place, const Line &line, F function)
	{
		auto all = [&] {
			EXPECT_OK(cuCtxSetCurrent(place.context));
			function();
		};

		if (line.thread == 0)
			all();
		else
			callers_[line.thread]->call(all);
	}

	Tasks follows(const Place &place, const Line &line) const;
	Tasks give(Place &place, Line &line);

	void fill(Place &place, Line &line);
	void read(Place &place, Line &line);
	void hold(Place &place, Line &line);
	void record(Place &place, Line &line);
	void wait(Place &place, Line &line);
	void look(Place &place, Line &line);
	void release();
	void change_streams(Place &place);
	void change_thread();
	void lose(Place &place, Line &line);

	bool is_held(const Tasks &tasks) const { return (tasks & held_).any(); }
	void begin_program();
	void run_program();
	void end_program();

	std::mt19937_64 random_;
	std::array<Place, 2> places_;
	std::array<std::unique_ptr<Caller>, kThreads> callers_;
	CUstream opener_ = nullptr; /* in the first context; never waits */
	CUdeviceptr words_ = 0;	    /* the cells, then the words for which streams wait */
	uint32_t *log_ = nullptr;   /* a word for each task that reads */

	/* Of the program. */
	std::array<Cell, kCells> cells_;
	std::vector<std::pair<size_t, uint32_t>> reads_; /* what each must have found */
	std::vector<std::pair<size_t, Tasks>> holds_;	 /* closed: the word, the wait's task */
	Tasks held_;
	size_t tasks_ = 0;
	uint32_t round_ = 0; /* of the words for which streams wait */
	std::vector<CUgraphExec> execs_;
};

void RandomTurns::SetUp()
{
	DriverTest::SetUp();
	for (Place &place : places_) {
		ASSERT_OK(cuCtxCreate(&place.context, nullptr, 0, 0));
		for (CUevent &event : place.events)
			ASSERT_OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
		place.lines.resize(1 + kThreads);
		place.lines[0].is_legacy = true;
		for (size_t i = 0; i < kThreads; ++i) {
			place.lines[1 + i].handle = CU_STREAM_PER_THREAD;
			place.lines[1 + i].thread = i;
			place.lines[1 + i].is_blocking = true;
		}
	}
	for (size_t i = 1; i < kThreads; ++i)
		callers_[i] = std::make_unique<Caller>();
	ASSERT_OK(cuCtxSetCurrent(places_[0].context));
	ASSERT_OK(cuStreamCreate(&opener_, CU_STREAM_NON_BLOCKING));
	ASSERT_OK(cuMemAlloc(&words_, (kCells + kHolds) * kWord));
	ASSERT_OK(cuMemAllocHost(reinterpret_cast<void **>(&log_), kTasks * kWord));
}

void RandomTurns::TearDown()
{
	EXPECT_OK(cuCtxSetCurrent(places_[0].context));
	EXPECT_OK(cuMemFreeHost(log_));
	EXPECT_OK(cuMemFree(words_));
	EXPECT_OK(cuStreamDestroy(opener_));
	for (auto &caller : callers_)
		caller.reset();
	for (Place &place : places_) {
		for (CUevent event : place.events)
			EXPECT_OK(cuEventDestroy(event));
		for (size_t i = 1 + kThreads; i < place.lines.size(); ++i)
			EXPECT_OK(cuStreamDestroy(place.lines[i].handle));
		EXPECT_OK(cuCtxDestroy(place.context));
	}
	DriverTest::TearDown();
}

/* The rule: the next task of a stream follows the tasks that the stream was given before, and by turns those of the
 * legacy stream or of the blocking streams of the context. */
Tasks RandomTurns::follows(const Place &place, const Line &line) const
{
	Tasks all = line.done;

	if (line.is_blocking)
		all |= place.before;
	if (!line.is_legacy)
		return all;
	all |= place.gone;
	for (const Line &other : place.lines) {
		if (other.is_blocking)
			all |= other.done;
	}
	return all;
}

/* Return: the new task and what it follows. */
Tasks RandomTurns::give(Place &place, Line &line)
{
	Tasks all = follows(place, line);

	all.set(tasks_++);
	line.done = all;
	if (line.is_legacy)
		place.before |= all;
	return all;
}

/* A fill or a graph of one. */
void RandomTurns::fill(Place &place, Line &line)
{
	const size_t at = below(kCells);
	Cell &cell = cells_[at];
	const CUdeviceptr address = words_ + at * kWord;
	const auto value = static_cast<uint32_t>(random_() | 1);

	if (((cell.writers | cell.readers) & ~follows(place, line)).any())
		return;
	if (below(4) == 0) {
		const Graph graph;
		CUgraphExec exec = nullptr;

		add_fill(graph, {}, place.context, address, value);
		EXPECT_OK(cuGraphInstantiate(&exec, graph, 0));
		execs_.push_back(exec);
		in_thread(place, line, [&] { EXPECT_OK(cuGraphLaunch(exec, line.handle)); });
	} else {
		in_thread(place, line,
			  [&] { EXPECT_OK(cuMemsetD32Async(address, value, 1, line.handle)); });
	}
	cell = {give(place, line), {}, value};
}

void RandomTurns::read(Place &place, Line &line)
{
	const size_t at = below(kCells);
	Cell &cell = cells_[at];

	if ((cell.writers & ~follows(place, line)).any())
		return;
	reads_.emplace_back(tasks_, cell.value);
	in_thread(place, line, [&] {
		EXPECT_OK(
			cuMemcpyDtoHAsync(log_ + tasks_, words_ + at * kWord, kWord, line.handle));
	});
	cell.readers |= give(place, line);
}

void RandomTurns::hold(Place &place, Line &line)
{
	if (holds_.size() == kHolds)
		return;
	size_t at = 0;
	while (std::any_of(holds_.begin(), holds_.end(),
			   [&](const auto &one) { return one.first == at; }))
		++at;
	in_thread(place, line, [&] {
		EXPECT_OK(cuStreamWaitValue32(line.handle, words_ + (kCells + at) * kWord,
					      round_ + 1, CU_STREAM_WAIT_VALUE_GEQ));
	});
	Tasks mine;
	mine.set(tasks_);
	held_ |= mine;
	holds_.emplace_back(at, mine);
	(void)give(place, line);
}

void RandomTurns::record(Place &place, Line &line)
{
	const size_t at = below(kEvents);

	in_thread(place, line, [&] { EXPECT_OK(cuEventRecord(place.events[at], line.handle)); });
	place.recorded[at] = give(place, line);
}

/* Events and streams of the two contexts, too. */
void RandomTurns::wait(Place &place, Line &line)
{
	const Place &other = places_[below(places_.size())];
	const size_t at = below(kEvents);

	in_thread(place, line,
		  [&] { EXPECT_OK(cuStreamWaitEvent(line.handle, other.events[at], 0)); });
	const Tasks all = give(place, line) | other.recorded[at];
	line.done |= all;
	if (line.is_legacy)
		place.before |= all;
}

/* A stream is done if none of its tasks follows a closed wait. */
void RandomTurns::look(Place &place, Line &line)
{
	const bool is_held_now = is_held(line.is_legacy ? follows(place, line) : line.done);

	in_thread(place, line, [&] {
		if (is_held_now) {
			EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(line.handle));
		} else {
			EXPECT_OK(cuStreamSynchronize(line.handle));
			EXPECT_OK(cuStreamQuery(line.handle));
		}
	});
}

/* Opens the wait that was closed first. */
void RandomTurns::release()
{
	if (holds_.empty())
		return;
	const auto [at, task] = holds_.front();
	holds_.erase(holds_.begin());
	EXPECT_OK(cuCtxSetCurrent(places_[0].context));
	EXPECT_OK(cuStreamWriteValue32(opener_, words_ + (kCells + at) * kWord, ++round_, 0));
	EXPECT_OK(cuStreamSynchronize(opener_));
	held_ &= ~task;
}

void RandomTurns::lose(Place &place, Line &line)
{
	if (line.is_blocking)
		place.gone |= line.done;
}

/* Creates a stream, or destroys one that may have work left. */
void RandomTurns::change_streams(Place &place)
{
	EXPECT_OK(cuCtxSetCurrent(place.context));
	if (place.lines.size() < 1 + kThreads + kStreams) {
		Line line;

		line.is_blocking = below(3) != 0;
		EXPECT_OK(cuStreamCreate(&line.handle, line.is_blocking ? CU_STREAM_DEFAULT
									: CU_STREAM_NON_BLOCKING));
		place.lines.push_back(line);
		return;
	}
	const auto end = place.lines.begin() + static_cast<long>(1 + kThreads + below(kStreams));
	lose(place, *end);
	EXPECT_OK(cuStreamDestroy(end->handle));
	place.lines.erase(end);
}

/* Ends a thread, and starts another one in its place. */
void RandomTurns::change_thread()
{
	const size_t thread = 1 + below(kThreads - 1);

	callers_[thread] = nullptr;
	callers_[thread] = std::make_unique<Caller>();
	for (Place &place : places_) {
		Line &line = place.lines[1 + thread];

		lose(place, line);
		line.done.reset();
	}
}

void RandomTurns::begin_program()
{
	cells_ = {};
	reads_.clear();
	tasks_ = 0;
	EXPECT_OK(cuCtxSetCurrent(places_[0].context));
	EXPECT_OK(cuMemsetD32(words_, 0, kCells + kHolds));
	EXPECT_OK(cuStreamSynchronize(nullptr));
	round_ = 0;
	for (Place &place : places_) {
		place.before = place.gone = {};
		place.recorded = {};
		for (Line &line : place.lines)
			line.done.reset();
	}
}

void RandomTurns::run_program()
{
	while (tasks_ < kTasks && !HasFailure()) {
		Place &place = places_[below(4) == 0];
		const size_t line = below(3) == 0 ? 0 : below(place.lines.size());
		const size_t lot = below(40);

		if (lot < 10)
			fill(place, place.lines[line]);
		else if (lot < 20)
			read(place, place.lines[line]);
		else if (lot < 22)
			hold(place, place.lines[line]);
		else if (lot < 25)
			record(place, place.lines[line]);
		else if (lot < 28)
			wait(place, place.lines[line]);
		else if (lot < 33)
			look(place, place.lines[line]);
		else if (lot < 36)
			release();
		else if (lot < 39)
			change_streams(place);
		else
			change_thread();
	}
}

void RandomTurns::end_program()
{
	while (!holds_.empty())
		release();
	for (const Place &place : places_) {
		EXPECT_OK(cuCtxSetCurrent(place.context));
		EXPECT_OK(cuCtxSynchronize());
	}
	for (const auto &[task, value] : reads_)
		EXPECT_EQ(log_[task], value) << "task " << task;
	std::array<uint32_t, kCells> got{};
	EXPECT_OK(cuMemcpyDtoH(got.data(), words_, sizeof(got)));
	for (size_t i = 0; i < kCells; ++i)
		EXPECT_EQ(got[i], cells_[i].value) << "cell " << i;
	for (CUgraphExec exec : execs_)
		EXPECT_OK(cuGraphExecDestroy(exec));
	execs_.clear();
}

} // namespace

TEST_F(RandomTurns, TasksDoWhatTheyWouldOneAfterTheOther)
{
	const uint64_t programs = number("UNPU_TEST_PROGRAMS", 40);
	const uint64_t first = number("UNPU_TEST_SEED", std::random_device{}());

	std::printf("UNPU_TEST_SEED=%llu UNPU_TEST_PROGRAMS=%llu\n", (unsigned long long)first,
		    (unsigned long long)programs);
	for (uint64_t seed = first; seed < first + programs && !HasFailure(); ++seed) {
		SCOPED_TRACE(testing::Message() << "UNPU_TEST_SEED=" << seed);
		random_.seed(seed);
		begin_program();
		run_program();
		end_program();
	}
}

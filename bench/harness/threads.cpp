// SPDX-License-Identifier: MIT
/**
 * DOC: Threads
 *
 * Measures whether independent threads slow each other down. A sample is the time in which all threads made
 * their calls, divided by the total number of calls.
 */
#include "threads.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "base/sync/ordering.h"
#include "machine.h"
#include "process/client.h"

namespace bench {

namespace {

constexpr size_t TASK_BYTES = 32;
constexpr unsigned MOST_THREADS = 16;

/* The objects that one thread uses alone. */
class Worker {
public:
	explicit Worker(int cpu)
	{
		pin_thread(cpu);
		CHECK(aclrtSetDevice(0));
		CHECK(aclrtCreateStream(&stream_));
		CHECK(aclrtCreateEventExWithFlag(&event_, ACL_EVENT_SYNC));
		CHECK(aclrtMalloc(&memory_, TASK_BYTES, ACL_MEM_MALLOC_NORMAL_ONLY));
		task();
		record();
		drain();
	}
	~Worker()
	{
		CHECK(aclrtFree(memory_));
		CHECK(aclrtDestroyEvent(event_));
		CHECK(aclrtDestroyStream(stream_));
		CHECK(aclrtResetDevice(0));
	}

	void task() { CHECK(aclrtMemsetAsync(memory_, TASK_BYTES, 0, TASK_BYTES, stream_)); }
	void record() { CHECK(aclrtRecordEvent(event_, stream_)); }
	void query()
	{
		aclrtEventRecordedStatus status;
		CHECK(aclrtQueryEventStatus(event_, &status));
	}
	void create()
	{
		aclrtEvent event;
		CHECK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
		CHECK(aclrtDestroyEvent(event));
	}
	void drain() { CHECK(aclrtSynchronizeStream(stream_)); }

private:
	aclrtStream stream_ = nullptr;
	aclrtEvent event_ = nullptr;
	void *memory_ = nullptr;
};

using Call = std::function<void(Worker &, unsigned calls)>;

/* class Team - threads that begin together, each on its own CPU. The thread that created them sleeps
 * meanwhile, because it would otherwise use one of these CPUs. */
class Team {
public:
	Team(unsigned threads, unsigned calls, const Call &call)
		: size_(threads), calls_(calls), call_(call), start_ns_(threads), end_ns_(threads)
	{
	}

	/* Return: nanoseconds per call, for each turn. */
	std::vector<double> run(unsigned turns)
	{
		std::vector<std::thread> threads;
		std::vector<double> samples;
		const std::vector<int> cpus = usable_cpus();
		for (unsigned i = 0; i < size_; i++)
			threads.emplace_back(
				[&, i] { work(cpus[i % cpus.size()], i, turns, samples); });
		for (std::thread &thread : threads)
			thread.join();
		return samples;
	}

private:
	void work(int cpu, unsigned number, unsigned turns, std::vector<double> &samples)
	{
		Worker worker(cpu);
		for (unsigned turn = 0; turn < turns; turn++) {
			meet();
			start_ns_[number] = base::now_ns();
			call_(worker, calls_);
			end_ns_[number] = base::now_ns();
			meet();
			if (number == 0)
				samples.push_back(sample());
		}
	}

	double sample() const
	{
		const uint64_t start_ns = *std::min_element(start_ns_.begin(), start_ns_.end());
		const uint64_t end_ns = *std::max_element(end_ns_.begin(), end_ns_.end());
		return static_cast<double>(end_ns - start_ns) /
		       (static_cast<double>(calls_) * static_cast<double>(size_));
	}

	void meet()
	{
		const uint32_t all = (base::fetch_add(arrived_, 1u) / size_ + 1) * size_;
		while (base::load_acquire(arrived_) < all)
			base::cpu_relax();
	}

	const unsigned size_;
	const unsigned calls_;
	const Call &call_;
	uint32_t arrived_ = 0;
	std::vector<uint64_t> start_ns_; /* of this turn, by thread */
	std::vector<uint64_t> end_ns_;
};

struct Kind {
	const char *key;
	const char *title;
	unsigned calls; /* of each thread in one sample */
	Call call;
};

} // namespace

static void measure_kind(const Kind &kind, unsigned threads, const Effort &effort, Round &round)
{
	std::vector<double> samples = Team(threads, kind.calls, kind.call).run(effort.scaled(100));
	Measure measure;
	measure.key = fmt::format("threads.{}.{}", kind.key, threads);
	measure.title = fmt::format("{}, threads: {}", kind.title, threads);
	measure.summary.median_ns = quantile(samples, 0.5);
	measure.summary.p99_ns = quantile(samples, 0.99);
	measure.summary.batches_ns = std::move(samples);
	measure.base = fmt::format("threads.{}.1", kind.key);
	measure.against = Against::SPEED;
	round.push_back(std::move(measure));
}

void measure_threads(const Effort &effort, Round &round)
{
	const Kind kinds[] = {
		{"record", "record an event", 4096,
		 [](Worker &worker, unsigned calls) {
			 for (unsigned i = 0; i < calls; i++)
				 worker.record();
		 }},
		{"query", "query an event", 4096,
		 [](Worker &worker, unsigned calls) {
			 for (unsigned i = 0; i < calls; i++)
				 worker.query();
		 }},
		{"create", "make and destroy an event", 4096,
		 [](Worker &worker, unsigned calls) {
			 for (unsigned i = 0; i < calls; i++)
				 worker.create();
		 }},
		{"task", "submit a task", Client::QUEUE_TASKS,
		 [](Worker &worker, unsigned calls) {
			 for (unsigned i = 0; i < calls; i++)
				 worker.task();
			 worker.drain();
		 }},
	};
	const size_t cpus = usable_cpus().size();
	for (const Kind &kind : kinds) {
		for (unsigned threads = 1; threads <= cpus && threads <= MOST_THREADS; threads *= 2)
			measure_kind(kind, threads, effort, round);
	}
}

} // namespace bench

// SPDX-License-Identifier: MIT
/**
 * DOC: Threads
 *
 * Whether threads that have nothing to do with each other hold each other up. A sample is the time in
 * which all threads made their calls, by the number of calls of all.
 */
#include "threads.h"

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "base/ordering.h"
#include "client.h"
#include "machine.h"

namespace bench {

namespace {

constexpr size_t TASK_BYTES = 32;
constexpr unsigned MOST_THREADS = 4;

/* What a thread has for itself. */
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

/* class Team - threads that begin together. */
class Team {
public:
	Team(unsigned threads, unsigned calls, const Call &call) : calls_(calls), call_(call)
	{
		const std::vector<int> cpus = usable_cpus();
		for (unsigned i = 0; i < threads; i++)
			threads_.emplace_back([this, cpu = cpus[i % cpus.size()]] { work(cpu); });
		wait_for(threads);
	}
	~Team()
	{
		base::store_release(stop_, 1u);
		base::fetch_add(turn_, 1u);
		for (std::thread &thread : threads_)
			thread.join();
	}

	/* Return: nanoseconds per call. */
	double sample()
	{
		base::store_release(ended_, 0u);
		const uint64_t start_ns = base::now_ns();
		base::fetch_add(turn_, 1u);
		wait_for(static_cast<unsigned>(threads_.size()));
		const uint64_t end_ns = base::now_ns();
		return static_cast<double>(end_ns - start_ns) /
		       (static_cast<double>(calls_) * static_cast<double>(threads_.size()));
	}

private:
	void wait_for(unsigned threads) const
	{
		while (base::load_acquire(ended_) != threads)
			std::this_thread::yield();
	}

	void work(int cpu)
	{
		Worker worker(cpu);
		uint32_t turn = 0;
		base::fetch_add(ended_, 1u);
		for (;;) {
			while (base::load_acquire(turn_) == turn)
				base::cpu_relax();
			turn++;
			if (base::load_acquire(stop_) != 0)
				return;
			call_(worker, calls_);
			base::fetch_add(ended_, 1u);
		}
	}

	const unsigned calls_;
	const Call &call_;
	uint32_t turn_ = 0;
	uint32_t ended_ = 0;
	uint32_t stop_ = 0;
	std::vector<std::thread> threads_;
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
	std::vector<double> samples;
	Team team(threads, kind.calls, kind.call);
	for (unsigned i = 0; i < effort.scaled(100); i++)
		samples.push_back(team.sample());
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

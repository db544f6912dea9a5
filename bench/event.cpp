// SPDX-License-Identifier: MIT
/**
 * DOC: event
 *
 * The cost of event calls that need no device: a query, a record without time stamp, a wait for
 * completed work, and the creation and destruction of an event. Measured on one thread and on
 * several, by both interfaces; each thread has an event and a stream of its own. A time is that of
 * the whole process divided by all calls, so two threads on two CPUs that do not disturb each other
 * show half the time of one.
 */
#include <acl/acl.h>
#include <cuda/cuda.h>

#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "base/clock.h"
#include "harness/program.h"
#include "process/client.h"

using namespace bench;

static constexpr unsigned THREADS[] = {1, 2, 4, 8};
static constexpr unsigned OPERATIONS = 50000;
static constexpr unsigned BATCHES = 16;

static void check_cuda(CUresult code, const char *call)
{
	const char *text = "";
	if (code == CUDA_SUCCESS)
		return;
	(void)cuGetErrorString(code, &text);
	std::fprintf(stderr, "%s: %s\n", call, text);
	std::exit(1);
}

#define CHECK_CUDA(call) check_cuda((call), #call)

namespace {

/* AscendCL. */
struct Acl {
	static constexpr const char *KEY = "acl";
	static constexpr const char *NAME = "AscendCL";
	using Event = aclrtEvent;
	using Stream = aclrtStream;

	static void attach() { CHECK(aclrtSetDevice(0)); }
	static void leave() { CHECK(aclrtResetDevice(0)); }
	static Stream stream()
	{
		Stream made = nullptr;
		CHECK(aclrtCreateStream(&made));
		return made;
	}
	static void end(Stream stream) { CHECK(aclrtDestroyStream(stream)); }
	static Event create()
	{
		Event made = nullptr;
		CHECK(aclrtCreateEventExWithFlag(&made, ACL_EVENT_SYNC));
		return made;
	}
	static void destroy(Event event) { CHECK(aclrtDestroyEvent(event)); }
	static void record(Event event, Stream stream) { CHECK(aclrtRecordEvent(event, stream)); }
	static void wait(Event event) { CHECK(aclrtSynchronizeEvent(event)); }
	static void query(Event event)
	{
		aclrtEventRecordedStatus status;
		CHECK(aclrtQueryEventStatus(event, &status));
	}
};

/* The CUDA driver interface. */
struct Cuda {
	static constexpr const char *KEY = "cuda";
	static constexpr const char *NAME = "CUDA";
	using Event = CUevent;
	using Stream = CUstream;

	static void attach()
	{
		CUcontext context = nullptr;
		CHECK_CUDA(cuInit(0));
		CHECK_CUDA(cuDevicePrimaryCtxRetain(&context, 0));
		CHECK_CUDA(cuCtxSetCurrent(context));
	}
	static void leave() { CHECK_CUDA(cuDevicePrimaryCtxRelease(0)); }
	static Stream stream()
	{
		Stream made = nullptr;
		CHECK_CUDA(cuStreamCreate(&made, CU_STREAM_NON_BLOCKING));
		return made;
	}
	static void end(Stream stream) { CHECK_CUDA(cuStreamDestroy(stream)); }
	static Event create()
	{
		Event made = nullptr;
		CHECK_CUDA(cuEventCreate(&made, CU_EVENT_DISABLE_TIMING));
		return made;
	}
	static void destroy(Event event) { CHECK_CUDA(cuEventDestroy(event)); }
	static void record(Event event, Stream stream) { CHECK_CUDA(cuEventRecord(event, stream)); }
	static void wait(Event event) { CHECK_CUDA(cuEventSynchronize(event)); }
	static void query(Event event) { CHECK_CUDA(cuEventQuery(event)); }
};

} // namespace

/* Each thread does its operations between two meetings; the first one holds the clock. */
template <class Api, class Operation>
static Summary on_threads(unsigned count, const Effort &effort, Operation operation)
{
	std::barrier meeting(static_cast<std::ptrdiff_t>(count));
	std::vector<double> samples;
	const unsigned batches = effort.scaled(BATCHES) + 1;
	auto work = [&](unsigned number) {
		Api::attach();
		auto stream = Api::stream();
		auto event = Api::create();
		Api::record(event, stream);
		for (unsigned i = 0; i < batches; i++) {
			meeting.arrive_and_wait();
			const uint64_t start_ns = base::now_ns();
			for (unsigned k = 0; k < OPERATIONS; k++)
				operation(event, stream);
			meeting.arrive_and_wait();
			const uint64_t end_ns = base::now_ns();
			/* The first batch is for the caches. */
			if (number == 0 && i > 0)
				samples.push_back(static_cast<double>(end_ns - start_ns) /
						  OPERATIONS / count);
		}
		Api::destroy(event);
		Api::end(stream);
		Api::leave();
	};
	std::vector<std::thread> threads;
	for (unsigned i = 0; i < count; i++)
		threads.emplace_back(work, i);
	for (std::thread &thread : threads)
		thread.join();
	return {quantile(samples, 0.5), quantile(samples, 0.99)};
}

template <class Api, class Operation>
static void measure_all(const char *key, const char *title, const Effort &effort, Round &round,
			Operation operation)
{
	for (unsigned count : THREADS) {
		Measure measure;
		measure.key = fmt::format("{}.{}.{}", Api::KEY, key, count);
		measure.title = fmt::format("{}: {}, {} thread{}", Api::NAME, title, count,
					    count > 1 ? "s" : "");
		measure.summary = on_threads<Api>(count, effort, operation);
		measure.base = count > 1 ? fmt::format("{}.{}.1", Api::KEY, key) : "";
		measure.against = Against::SPEED;
		round.push_back(std::move(measure));
	}
}

template <class Api> static void measure_api(const Effort &effort, Round &round)
{
	using Event = typename Api::Event;
	using Stream = typename Api::Stream;
	Api::attach();
	measure_all<Api>("query", "query", effort, round,
			 [](Event event, Stream) { Api::query(event); });
	measure_all<Api>("record", "record without time stamp", effort, round,
			 [](Event event, Stream stream) { Api::record(event, stream); });
	measure_all<Api>("wait", "wait for what is done", effort, round,
			 [](Event event, Stream) { Api::wait(event); });
	measure_all<Api>("life", "create and destroy", effort, round,
			 [](Event, Stream) { Api::destroy(Api::create()); });
	Api::leave();
}

/* As medians, on a machine with two CPUs that runs nothing else. */
#define EVENT_FLOORS(key, name) \
	{key ".query.1", name ": query", Figure::TIME_NS, false, 10}, \
		{key ".record.1", name ": record", Figure::TIME_NS, false, 25}, \
		{key ".wait.1", name ": wait", Figure::TIME_NS, false, 15}, \
		{key ".life.1", name ": create and destroy", Figure::TIME_NS, false, 60}, \
		{key ".query.2", name ": queries by two threads", Figure::RATIO, true, 1}, \
		{key ".record.2", name ": records by two threads", Figure::RATIO, true, 1}, \
		{key ".wait.2", name ": waits by two threads", Figure::RATIO, true, 1}, \
	{ \
		key ".life.2", name ": lives by two threads", Figure::RATIO, true, 1 \
	}

static std::vector<Floor> floors()
{
	return {EVENT_FLOORS("acl", "AscendCL"), EVENT_FLOORS("cuda", "CUDA")};
}

static std::vector<Round> run_rounds(const Options &options)
{
	std::vector<Round> rounds;
	CHECK(aclInit(nullptr));
	for (unsigned i = 0; i < options.rounds; i++) {
		Round &round = rounds.emplace_back();
		progress(options, i, "AscendCL");
		measure_api<Acl>(options.effort, round);
		progress(options, i, "CUDA");
		measure_api<Cuda>(options.effort, round);
	}
	progress_end();
	CHECK(aclFinalize());
	return rounds;
}

int main(int argc, char **argv)
{
	Program program;
	program.name = "event";
	program.about = "Measures what an event costs, on one thread and on several.";
	program.floors = floors();
	program.rounds = run_rounds;
	return run_program(program, argc, argv);
}

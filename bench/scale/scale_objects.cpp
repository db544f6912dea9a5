// SPDX-License-Identifier: MIT
/**
 * DOC: Many events, buffers, devices and nodes
 *
 * Calls on one object among many. Each call takes another object, so that the result includes the cache
 * misses of a program that has so many.
 */
#include "scale.h"

#include <cstdlib>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "process/client.h"

namespace bench {

/* A program without @count objects of anything; the measures make them. */
static Client opened()
{
	Client client;
	client.open();
	return client;
}

void measure_scaled_events(const Effort &effort, Round &round)
{
	Client client = opened();
	std::vector<aclrtEvent> events;
	client.task(client.first);
	for (unsigned count : {1u, 100u, 10000u, 1000000u}) {
		const double before = memory_of(getpid());
		const size_t had = events.size();
		events.reserve(count);
		while (events.size() < count) {
			CHECK(aclrtCreateEventExWithFlag(&events.emplace_back(), ACL_EVENT_SYNC));
			CHECK(aclrtRecordEvent(events.back(), client.first));
		}
		Client::sync(client.first);
		const double each =
			(memory_of(getpid()) - before) / static_cast<double>(events.size() - had);
		const Plan plan{500, effort.scaled(60), 500, 0};
		aclrtEvent mine = events[count / 2];
		auto add = [&](const char *series, const char *title, const Summary &summary) {
			round.push_back(scaled_measure(std::string("events.") + series,
						       std::string(title) + ", events", count, 1,
						       summary));
		};
		add("record", "record one of so many",
		    measure(plan, [&] { CHECK(aclrtRecordEvent(mine, client.first)); }));
		add("query", "query one of so many", measure(plan, [&] {
			    aclrtEventRecordedStatus status;
			    CHECK(aclrtQueryEventStatus(mine, &status));
		    }));
		add("wait", "stream waits for one of so many",
		    measure(plan, [&] { CHECK(aclrtStreamWaitEvent(client.second, mine)); }));
		add("synchronize", "wait for one of so many",
		    measure(plan, [&] { CHECK(aclrtSynchronizeEvent(mine)); }));
		add("life", "create and destroy one beside so many", measure(plan, [&] {
			    aclrtEvent event = nullptr;
			    CHECK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
			    CHECK(aclrtDestroyEvent(event));
		    }));
		round.back().object_bytes = each;
	}
	for (aclrtEvent event : events)
		CHECK(aclrtDestroyEvent(event));
	client.close();
}

void measure_buffers(const Effort &effort, Round &round)
{
	constexpr size_t SMALL_BYTES = 256;
	constexpr size_t LARGE_BYTES = size_t{1} << 20;
	Client client = opened();
	std::vector<void *> buffers;
	for (unsigned count : {1u, 100u, 10000u, 100000u}) {
		const double before = memory_of(getpid());
		const size_t had = buffers.size();
		while (buffers.size() < count)
			CHECK(aclrtMalloc(&buffers.emplace_back(), SMALL_BYTES,
					  ACL_MEM_MALLOC_NORMAL_ONLY));
		const double each =
			(memory_of(getpid()) - before) / static_cast<double>(buffers.size() - had);
		auto life = [&](const char *series, const char *title, size_t bytes) {
			const Plan plan{100, effort.scaled(60), 100, 0};
			const Summary summary = measure(plan, [&] {
				void *memory = nullptr;
				CHECK(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_NORMAL_ONLY));
				CHECK(aclrtFree(memory));
			});
			round.push_back(scaled_measure(series, title, count, 1, summary));
		};
		life("buffers.life", "allocate and free 256 bytes beside so many", SMALL_BYTES);
		round.back().object_bytes = each;
		life("buffers.large", "allocate and free 1 MiB beside so many", LARGE_BYTES);
	}
	for (void *buffer : buffers)
		CHECK(aclrtFree(buffer));
	client.close();
}

void measure_first_touch(const Effort &effort, Round &round)
{
	constexpr size_t BYTES = size_t{64} << 20;
	constexpr uint64_t LIMIT_NS = base::NS_PER_S;
	struct Way {
		const char *series;
		const char *title;
		const char *device;
	};
	for (const Way &way :
	     {Way{"touch.plain", "first write to 64 MiB, no pages ahead",
		  "sim:pages=4k,prefault=0"},
	      Way{"touch.ahead", "first write to 64 MiB, pages ahead", "sim:pages=4k"}}) {
		setenv("UNPU_DEVICE", way.device, 1);
		Client client = opened();
		const bool plain = way.series == std::string("touch.plain");
		std::vector<double> first;
		std::vector<double> second;
		for (unsigned i = 0; i < effort.scaled(8); i++) {
			void *memory = nullptr;
			auto write = [&] {
				const uint64_t start_ns = base::now_ns();
				CHECK(aclrtMemset(memory, BYTES, 1, BYTES));
				return static_cast<double>(base::now_ns() - start_ns);
			};
			const double before = memory_of(getpid());
			CHECK(aclrtMalloc(&memory, BYTES, ACL_MEM_MALLOC_NORMAL_ONLY));
			/* The program does something else until then. */
			const double there = before + 0.95 * static_cast<double>(BYTES);
			const uint64_t end_ns = base::deadline_after(LIMIT_NS);
			while (!plain && memory_of(getpid()) < there && base::now_ns() < end_ns)
				continue;
			first.push_back(write());
			second.push_back(write());
			CHECK(aclrtFree(memory));
		}
		auto add = [&](const std::string &key, const std::string &title,
			       std::vector<double> &samples, const char *base) {
			Measure measure{key,
					title,
					{quantile(samples, 0.5), quantile(samples, 0.99)},
					base};
			measure.bytes = BYTES;
			round.push_back(measure);
		};
		if (plain)
			add("scale.touch.second", "second write to 64 MiB", second, "");
		add(std::string("scale.") + way.series, way.title, first, "scale.touch.second");
		client.close();
	}
}

void measure_devices(const Effort &effort, Round &round)
{
	setenv("UNPU_DEVICE", "sim:devices=16,memory=1G", 1);
	Client client = opened();
	unsigned open = 1;
	for (unsigned count : {1u, 4u, 16u}) {
		const double before = memory_of(getpid());
		const unsigned had = open;
		for (; open < count; open++) {
			aclrtStream stream = nullptr;
			CHECK(aclrtSetDevice(static_cast<int32_t>(open)));
			CHECK(aclrtCreateStream(&stream));
			CHECK(aclrtSynchronizeStream(stream));
		}
		const double each = (memory_of(getpid()) - before) / (open - had + (open == had));
		CHECK(aclrtSetDevice(0));
		const Plan many{500, effort.scaled(60), 500, 0};
		const Plan few{20, effort.scaled(60), 20, 0};
		auto drain = [&] { Client::sync(client.first); };
		round.push_back(scaled_measure(
			"devices.submit", "submit on one of so many devices", count, 1,
			measure(
				many, [&] { client.task(client.first); }, drain)));
		round.push_back(scaled_measure("devices.trip",
					       "task and synchronize on one of so many devices",
					       count, 1, measure(few, [&] {
						       client.task(client.first);
						       Client::sync(client.first);
					       })));
		round.back().object_bytes = each;
	}
	for (unsigned device = 1; device < open; device++)
		CHECK(aclrtResetDevice(static_cast<int32_t>(device)));
	client.close();
}

namespace {

/* The times of graphs, for each part of their lives. */
struct Lives {
	std::vector<double> captured;
	std::vector<double> made;
	std::vector<double> replayed;
};

double since(uint64_t start_ns)
{
	return static_cast<double>(base::now_ns() - start_ns);
}

} // namespace

void measure_graphs(const Effort &effort, Round &round)
{
	Client client = opened();
	for (unsigned count : {1u, 100u, 10000u, 1000000u}) {
		Lives lives;
		double each = 0;
		for (unsigned i = 0; i < (count > 10000 ? 1 : effort.scaled(8)); i++) {
			const double before = memory_of(getpid());
			aclmdlRI graph = nullptr;
			CHECK(aclmdlRICaptureBegin(client.first, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
			uint64_t start_ns = base::now_ns();
			for (unsigned node = 0; node < count; node++)
				client.task(client.first);
			lives.captured.push_back(since(start_ns));
			start_ns = base::now_ns();
			CHECK(aclmdlRICaptureEnd(client.first, &graph));
			lives.made.push_back(since(start_ns));
			if (i == 0)
				each = (memory_of(getpid()) - before) / count;
			for (unsigned k = 0; k < 5; k++) {
				start_ns = base::now_ns();
				CHECK(aclmdlRIExecuteAsync(graph, client.first));
				Client::sync(client.first);
				lives.replayed.push_back(since(start_ns));
			}
			CHECK(aclmdlRIDestroy(graph));
		}
		auto add = [&](const char *series, const char *title,
			       std::vector<double> &samples) {
			const double median_ns = quantile(samples, 0.5);
			Measure measure =
				scaled_measure(std::string("graphs.") + series, title, count, 100,
					       {median_ns, quantile(samples, 0.99)});
			measure.items = count;
			round.push_back(measure);
		};
		add("capture", "capture of so many nodes", lives.captured);
		add("make", "instantiation of so many nodes", lives.made);
		round.back().object_bytes = each;
		add("replay", "replay of so many nodes", lives.replayed);
	}
	client.close();
}

} // namespace bench

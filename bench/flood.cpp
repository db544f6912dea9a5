// SPDX-License-Identifier: MIT
/**
 * DOC: flood
 *
 * Measures how a flooding client slows another client of the same firmware: the round trip of a small task
 * and its synchronisation, alone and during a flood of each kind, in turns. A flood may raise the median to
 * twice and the 99th percentile to ten times the value without it.
 *
 * The kernel shares the CPUs; this program measures how the device shares its own time. So with fewer than
 * three CPUs the flood runs at the lowest priority.
 */
#include <acl/acl.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "harness/command_line.h"
#include "harness/samples.h"
#include "process/client.h"
#include "process/daemon.h"

using namespace bench;

namespace {

constexpr double MEDIAN_MOST = 2;
constexpr double P99_MOST = 10;
constexpr size_t LINE_BYTES = 64;

/* A client that floods, once it is set up. */
struct Flood {
	const char *name;
	void (*run)();
};

struct Objects {
	aclrtStream stream = nullptr;
	void *x = nullptr;
	void *y = nullptr;

	explicit Objects(size_t bytes)
	{
		CHECK(aclrtCreateStream(&stream));
		CHECK(aclrtMalloc(&x, bytes, ACL_MEM_MALLOC_NORMAL_ONLY));
		CHECK(aclrtMalloc(&y, bytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	}
};

void submit_small()
{
	const Objects own(LINE_BYTES);
	for (;;)
		CHECK(aclrtMemsetAsync(own.x, LINE_BYTES, 1, LINE_BYTES, own.stream));
}

/* Just short of what goes to an engine in any case. */
void submit_copies()
{
	constexpr size_t BYTES = (size_t{1} << 20) - 64;
	const Objects own(BYTES);
	for (;;)
		CHECK(aclrtMemcpyAsync(own.y, BYTES, own.x, BYTES, ACL_MEMCPY_DEVICE_TO_DEVICE,
				       own.stream));
}

void submit_long_copies()
{
	constexpr size_t BYTES = size_t{64} << 20;
	const Objects own(BYTES);
	for (;;)
		CHECK(aclrtMemcpyAsync(own.y, BYTES, own.x, BYTES, ACL_MEMCPY_DEVICE_TO_DEVICE,
				       own.stream));
}

void submit_on_many_streams()
{
	constexpr unsigned STREAMS = 64;
	const Objects own(LINE_BYTES);
	std::vector<aclrtStream> all(STREAMS);
	for (aclrtStream &stream : all)
		CHECK(aclrtCreateStream(&stream));
	for (;;) {
		for (aclrtStream stream : all)
			CHECK(aclrtMemsetAsync(own.x, LINE_BYTES, 1, LINE_BYTES, stream));
	}
}

void ask()
{
	for (;;) {
		aclrtStream stream = nullptr;
		CHECK(aclrtCreateStream(&stream));
		CHECK(aclrtDestroyStream(stream));
	}
}

/* Memory that is touched, so that there is something to free. */
void allocate()
{
	constexpr size_t BYTES = size_t{64} << 20;
	for (;;) {
		void *memory = nullptr;
		CHECK(aclrtMalloc(&memory, BYTES, ACL_MEM_MALLOC_NORMAL_ONLY));
		CHECK(aclrtMemset(memory, BYTES, 1, BYTES));
		CHECK(aclrtFree(memory));
	}
}

void replay()
{
	constexpr unsigned NODES = 512;
	const Objects own(LINE_BYTES);
	aclmdlRI model = nullptr;
	CHECK(aclmdlRICaptureBegin(own.stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
	for (unsigned i = 0; i < NODES; i++)
		CHECK(aclrtMemsetAsync(own.x, LINE_BYTES, 1, LINE_BYTES, own.stream));
	CHECK(aclmdlRICaptureEnd(own.stream, &model));
	for (;;) {
		CHECK(aclmdlRIExecuteAsync(model, own.stream));
	}
}

/* Comes and goes. */
void attach()
{
	for (;;) {
		CHECK(aclrtResetDeviceForce(0));
		CHECK(aclrtSetDevice(0));
	}
}

constexpr Flood FLOODS[] = {
	{"small tasks", submit_small},
	{"small tasks on 64 streams", submit_on_many_streams},
	{"copies of 1 MiB", submit_copies},
	{"copies of 64 MiB", submit_long_copies},
	{"graphs of 512 nodes", replay},
	{"streams made and destroyed", ask},
	{"64 MiB allocated and freed", allocate},
	{"devices opened and reset", attach},
};

void open()
{
	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
}

pid_t start_flood(const Flood &flood)
{
	int ready[2];
	char byte = 0;
	if (pipe(ready) != 0)
		std::exit(1);
	pid_t pid = fork();
	if (pid == 0) {
		/* With few CPUs it would take the time of those it is to flood. */
		if (sysconf(_SC_NPROCESSORS_ONLN) < 3 && nice(19) == -1)
			_exit(1);
		close(ready[0]);
		open();
		ssize_t told = write(ready[1], &byte, 1);
		(void)told;
		flood.run();
		_exit(0);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1) {
		std::fprintf(stderr, "flood: %s: it did not start\n", flood.name);
		std::exit(1);
	}
	close(ready[0]);
	usleep(20000);
	return pid;
}

/* A client that does one thing after the other, and what it had to wait. */
Summary measure(unsigned trips)
{
	int answer[2];
	Summary summary;
	if (pipe(answer) != 0)
		std::exit(1);
	pid_t pid = fork();
	if (pid == 0) {
		open();
		const Objects own(LINE_BYTES);
		std::vector<double> all;
		for (unsigned i = 0; i < trips + trips / 8; i++) {
			uint64_t began_ns = base::now_ns();
			CHECK(aclrtMemsetAsync(own.x, LINE_BYTES, 1, LINE_BYTES, own.stream));
			CHECK(aclrtSynchronizeStream(own.stream));
			if (i >= trips / 8)
				all.push_back(static_cast<double>(base::now_ns() - began_ns));
		}
		summary.median_ns = quantile(all, 0.5);
		summary.p99_ns = quantile(all, 0.99);
		ssize_t told = write(answer[1], &summary, sizeof(summary));
		_exit(told == sizeof(summary) ? 0 : 1);
	}
	close(answer[1]);
	if (read(answer[0], &summary, sizeof(summary)) != sizeof(summary)) {
		std::fprintf(stderr, "flood: the client that is measured has failed\n");
		std::exit(1);
	}
	close(answer[0]);
	waitpid(pid, nullptr, 0);
	return summary;
}

struct Result {
	std::vector<double> alone_median, alone_p99, median, p99, median_ratio, p99_ratio;
};

bool print(const Flood &flood, Result &result)
{
	double median = quantile(result.median_ratio, 0.5);
	double p99 = quantile(result.p99_ratio, 0.5);
	bool good = median <= MEDIAN_MOST && p99 <= P99_MOST;
	fmt::print("{:<28} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>7.2f}x {:>7.2f}x {}\n",
		   flood.name, quantile(result.alone_median, 0.5) / 1000,
		   quantile(result.median, 0.5) / 1000, quantile(result.alone_p99, 0.5) / 1000,
		   quantile(result.p99, 0.5) / 1000, median, p99, good ? "" : "!");
	std::fflush(stdout);
	return good;
}

} // namespace

int main(int argc, char **argv)
{
	unsigned trips = 20000;
	unsigned rounds = 3;
	std::string only;
	CLI::App app("What a client that floods costs another one", "flood");
	app.add_option("--trips", trips, "Round trips of a measurement");
	app.add_option("--rounds", rounds, "Measurements of each kind, whose median counts");
	app.add_option("--only", only, "Only floods whose names have these words in them");
	if (const int status = parse(app, argc, argv); status >= 0)
		return status;
	bool good = true;
	fmt::print("{:<28} {:>17} {:>17} {:>17}\n{:<28} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "",
		   "median, us", "99 %, us", "ratio", "flood", "alone", "beside", "alone", "beside",
		   "median", "99 %");
	for (const Flood &flood : FLOODS) {
		if (std::string_view(flood.name).find(only) == std::string_view::npos)
			continue;
		const Daemon daemon;
		setenv("UNPU_DEVICE", daemon.device().c_str(), 1);
		Result result;
		for (unsigned i = 0; i < rounds; i++) {
			Summary alone = measure(trips);
			pid_t pid = start_flood(flood);
			Summary beside = measure(trips);
			kill(pid, SIGKILL);
			waitpid(pid, nullptr, 0);
			result.alone_median.push_back(alone.median_ns);
			result.alone_p99.push_back(alone.p99_ns);
			result.median.push_back(beside.median_ns);
			result.p99.push_back(beside.p99_ns);
			result.median_ratio.push_back(beside.median_ns / alone.median_ns);
			result.p99_ratio.push_back(beside.p99_ns / alone.p99_ns);
		}
		good = print(flood, result) && good;
	}
	return good ? 0 : 1;
}

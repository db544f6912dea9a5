// SPDX-License-Identifier: MIT
/**
 * DOC: unpu bench
 *
 * Measures this machine within seconds: what a call costs, how long a task takes from submit to the end of
 * the wait, and how fast copies are, compared with memcpy() on the same machine. scripts/bench.sh in the
 * sources measures far more. Each number is the median of an odd number of rounds, with the lowest and the
 * highest.
 */
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>

#include "base/json/text.h"

#include "commands.h"
#include "common/devices.h"
#include "common/tool.h"

namespace unpu_command {

using tool::Json;

static constexpr size_t COPY_BYTES = size_t{64} << 20;
static constexpr size_t SMALL_BYTES = 4096;
static constexpr int CALLS = 1000;

namespace {

/* class Bench - a stream, memory of host and device, and the measurements. */
class Bench {
public:
	Bench() = default;
	~Bench();
	Bench(const Bench &) = delete;
	Bench &operator=(const Bench &) = delete;

	/* Return: whether a device could be opened and has all that the measurements need. */
	bool open();
	/* Return: false if a call failed. */
	bool measure(uint32_t rounds);
	void print(bool is_json) const;

private:
	struct Row {
		const char *text;
		const char *unit;
		std::vector<double> values; /* sorted */
	};

	void calls(const char *text, uint32_t rounds, const std::function<void()> &call);
	void trips(uint32_t rounds);
	void copies(const char *text, uint32_t rounds, const std::function<void()> &copy);
	void check(aclError code) { has_failed_ = has_failed_ || code != ACL_SUCCESS; }

	aclrtStream stream_ = nullptr;
	aclrtEvent event_ = nullptr;
	void *device_ = nullptr;
	void *other_ = nullptr; /* this one is device memory too */
	std::unique_ptr<char[]> host_;
	std::unique_ptr<char[]> copy_;
	bool is_open_ = false;
	bool has_failed_ = false;
	std::vector<Row> rows_;
};

} // namespace

static double seconds_of(const std::function<void()> &work)
{
	using std::chrono::steady_clock;
	const auto begin = steady_clock::now();
	work();
	return std::chrono::duration<double>(steady_clock::now() - begin).count();
}

bool Bench::open()
{
	if (aclInit(nullptr) != ACL_SUCCESS || aclrtSetDevice(0) != ACL_SUCCESS)
		return false;
	is_open_ = true;
	host_ = std::make_unique<char[]>(COPY_BYTES);
	copy_ = std::make_unique<char[]>(COPY_BYTES);
	memset(host_.get(), 1, COPY_BYTES);
	return aclrtCreateStream(&stream_) == ACL_SUCCESS &&
	       aclrtCreateEvent(&event_) == ACL_SUCCESS &&
	       aclrtMalloc(&device_, COPY_BYTES, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS &&
	       aclrtMalloc(&other_, COPY_BYTES, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS;
}

Bench::~Bench()
{
	if (!is_open_)
		return;
	(void)aclrtFree(other_);
	(void)aclrtFree(device_);
	(void)aclrtDestroyEvent(event_);
	(void)aclrtDestroyStream(stream_);
	(void)aclrtResetDevice(0);
	(void)aclFinalize();
}

/* How many nanoseconds a call takes that returns before its work is done. */
void Bench::calls(const char *text, uint32_t rounds, const std::function<void()> &call)
{
	Row row = {text, "ns", {}};
	for (uint32_t round = 0; round <= rounds; round++) {
		const double seconds = seconds_of([&] {
			for (int i = 0; i < CALLS; i++)
				call();
		});
		check(aclrtSynchronizeStream(stream_));
		if (round > 0) /* the first round only warms up the caches */
			row.values.push_back(seconds * 1e9 / CALLS);
	}
	rows_.push_back(row);
}

void Bench::trips(uint32_t rounds)
{
	Row row = {"a task and the wait for it", "ns", {}};
	for (uint32_t round = 0; round <= rounds; round++) {
		const double seconds = seconds_of([&] {
			for (int i = 0; i < CALLS; i++) {
				check(aclrtMemsetAsync(device_, 64, 0, 64, stream_));
				check(aclrtSynchronizeStream(stream_));
			}
		});
		if (round > 0)
			row.values.push_back(seconds * 1e9 / CALLS);
	}
	rows_.push_back(row);
}

/* How many GB a copy moves in a second. */
void Bench::copies(const char *text, uint32_t rounds, const std::function<void()> &copy)
{
	Row row = {text, "GB/s", {}};
	for (uint32_t round = 0; round <= rounds; round++) {
		const double seconds = seconds_of(copy);
		if (round > 0)
			row.values.push_back(static_cast<double>(COPY_BYTES) / seconds / 1e9);
	}
	rows_.push_back(row);
}

bool Bench::measure(uint32_t rounds)
{
	calls("aclrtMemsetAsync of 64 B returns", rounds,
	      [this] { check(aclrtMemsetAsync(device_, 64, 0, 64, stream_)); });
	calls("aclrtMemcpyAsync of 4 KiB returns", rounds, [this] {
		check(aclrtMemcpyAsync(other_, SMALL_BYTES, device_, SMALL_BYTES,
				       ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
	});
	calls("aclrtRecordEvent returns", rounds,
	      [this] { check(aclrtRecordEvent(event_, stream_)); });
	trips(rounds);
	copies("memcpy of 64 MiB, for comparison", rounds,
	       [this] { memcpy(copy_.get(), host_.get(), COPY_BYTES); });
	copies("host to device, 64 MiB", rounds, [this] {
		check(aclrtMemcpy(device_, COPY_BYTES, host_.get(), COPY_BYTES,
				  ACL_MEMCPY_HOST_TO_DEVICE));
	});
	copies("device to host, 64 MiB", rounds, [this] {
		check(aclrtMemcpy(copy_.get(), COPY_BYTES, device_, COPY_BYTES,
				  ACL_MEMCPY_DEVICE_TO_HOST));
	});
	copies("device to device, 64 MiB", rounds, [this] {
		check(aclrtMemcpy(other_, COPY_BYTES, device_, COPY_BYTES,
				  ACL_MEMCPY_DEVICE_TO_DEVICE));
	});
	for (Row &row : rows_)
		std::sort(row.values.begin(), row.values.end());
	return !has_failed_;
}

void Bench::print(bool is_json) const
{
	Json list = Json::array();
	if (!is_json)
		fmt::print("{:<36} {:>9} {:>9} {:>9}\n", "", "median", "lowest", "highest");
	for (const Row &row : rows_) {
		const double median = row.values[row.values.size() / 2];
		const int places = median < 100 ? 1 : 0;
		list.push_back({{"text", row.text},
				{"unit", row.unit},
				{"median", median},
				{"lowest", row.values.front()},
				{"highest", row.values.back()}});
		if (!is_json)
			fmt::print("{:<36} {:>9.{}f} {:>9.{}f} {:>9.{}f} {}\n", row.text, median,
				   places, row.values.front(), places, row.values.back(), places,
				   row.unit);
	}
	if (is_json)
		fmt::print(
			"{}\n",
			base::write_json(Json({{"version", tool::version()}, {"rows", list}}), 2));
}

/* Warn about other work on the machine, because it makes every number worse. */
static void warn_if_busy()
{
	double load = 0;
	unpu_topology machine = {};
	machine.size = sizeof(machine);
	if (getloadavg(&load, 1) != 1 || unpu_get_topology(&machine) != 0)
		return;
	if (load > 0.5 * machine.cpus)
		fmt::print(stderr,
			   "{}: the machine is busy (load {:.1f} on {} CPUs); numbers are worse "
			   "than it could do\n",
			   NAME, load, machine.cpus);
}

int bench(const BenchWishes &options)
{
	tool::use_device(options.device);
	uint32_t count = 0;
	if (aclrtGetDeviceCount(&count) != ACL_SUCCESS)
		return tool::complain(NAME, tool::sentence("no devices"), tool::EXIT_USAGE);
	warn_if_busy();
	Bench bench;
	if (!bench.open())
		return tool::complain(NAME, tool::sentence("no device"), tool::EXIT_NO_DEVICE);
	if (!bench.measure(options.rounds))
		return tool::complain(NAME, tool::sentence("a call failed"), tool::EXIT_NO_DEVICE);
	bench.print(options.is_json);
	return tool::EXIT_SHOWN;
}

} // namespace unpu_command

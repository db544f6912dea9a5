// SPDX-License-Identifier: MIT
/**
 * DOC: random programs of collective calls
 *
 * unpu_hccl_random one|processes SEED RUNS [MOST_BYTES]: RUNS plans, the first of SEED, the next of SEED + 1. The ranks
 * of "one" are threads of one process with a device of its own; those of "processes" are threads of several processes
 * with one firmware. A plan that hangs is ended after a minute, or five with large buffers. A failure prints the seed,
 * with which the same plan runs again.
 */
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "firmware_process.h"
#include "gloo.h"
#include "rank.h"

namespace hccl_random {

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
	bool is_one;
	uint64_t first;
	uint64_t runs;
	uint64_t most;
};

/* class Results - what the ranks have received, for Gloo. */
class Results {
public:
	explicit Results(const Plan &plan)
	{
		for (const Case &one : plan.cases) {
			if (can_compare(plan, one))
				cases.push_back(&one);
		}
		found.resize(cases.size(), std::vector<Bytes>(plan.ranks));
	}
	/* Only the ranks' own entries change, which other threads do not read yet. */
	void keep(const Case &one, uint32_t rank, const Bytes &bytes)
	{
		for (size_t i = 0; i < cases.size(); i++) {
			if (cases[i] == &one)
				found[i][rank] = bytes;
		}
	}

	std::vector<const Case *> cases;
	std::vector<std::vector<Bytes>> found;
};

void exchange(int descriptor, HcclRootInfo &info, bool is_root)
{
	auto *at = reinterpret_cast<char *>(&info);
	for (size_t done = 0; done < sizeof(info);) {
		const ssize_t some = is_root ? write(descriptor, at + done, sizeof(info) - done)
					     : read(descriptor, at + done, sizeof(info) - done);
		if (some <= 0)
			throw std::runtime_error("the process of rank 0 has ended");
		done += static_cast<size_t>(some);
	}
}

/* class Group - the ranks of one process. */
class Group {
public:
	Group(const Plan &plan, uint32_t process) : plan_(plan), results_(plan)
	{
		for (uint32_t rank = process; rank < plan.ranks; rank += plan.processes)
			ranks_.push_back(rank);
	}

	/* @pipes: to each process, for the root information. Return: how many calls Gloo has made, too. */
	uint64_t run(const std::vector<std::array<int, 2>> &pipes, uint32_t process)
	{
		CHECK(aclInit(nullptr));
		if (plan_.by_init_all) {
			init_all();
		} else if (process == 0) {
			CHECK(aclrtSetDevice(static_cast<int32_t>(ranks_[0])));
			CHECK(HcclGetRootInfo(&info_));
			for (uint32_t other = 1; other < plan_.processes; other++)
				exchange(pipes[other][1], info_, true);
		} else {
			exchange(pipes[process][0], info_, false);
		}
		std::vector<std::thread> threads;
		for (const uint32_t rank : ranks_)
			threads.emplace_back([this, rank] { run_rank(rank); });
		for (std::thread &thread : threads)
			thread.join();
		if (!failure_.empty())
			throw std::runtime_error(failure_);
		CHECK(aclFinalize());
		return ranks_.size() == plan_.ranks
			       ? compare_with_gloo(plan_, results_.cases, results_.found)
			       : 0;
	}

private:
	void init_all()
	{
		std::vector<int32_t> devices;
		for (uint32_t rank = 0; rank < plan_.ranks; rank++)
			devices.push_back(static_cast<int32_t>(rank));
		comms_.resize(plan_.ranks);
		CHECK(HcclCommInitAll(plan_.ranks, devices.data(), comms_.data()));
	}

	void run_rank(uint32_t rank)
	{
		const Look look = [&](const Case &one, const Bytes &bytes) {
			results_.keep(one, rank, bytes);
		};
		try {
			HcclComm comm = nullptr;
			CHECK(aclrtSetDevice(static_cast<int32_t>(rank)));
			if (plan_.by_init_all)
				comm = comms_[rank];
			else
				CHECK(HcclCommInitRootInfo(plan_.ranks, &info_, rank, &comm));
			play_rank(plan_, rank, comm, look);
			CHECK(HcclCommDestroy(comm));
			CHECK(aclrtResetDevice(static_cast<int32_t>(rank)));
		} catch (const std::exception &error) {
			std::lock_guard lock(mutex_);
			failure_ += "rank " + std::to_string(rank) + ": " + error.what() + "\n";
		}
	}

	const Plan &plan_;
	std::vector<uint32_t> ranks_;
	std::vector<HcclComm> comms_;
	HcclRootInfo info_{};
	Results results_;
	std::mutex mutex_;
	std::string failure_;
};

/* A process of the plan. It ends with 0, or says what is wrong. */
[[noreturn]] void live(const Plan &plan, uint32_t process,
		       const std::vector<std::array<int, 2>> &pipes, int report)
{
	int code = 0;
	uint64_t compared = 0;
	try {
		compared = Group(plan, process).run(pipes, process);
	} catch (const std::exception &error) {
		std::fprintf(stderr, "seed %llu, process %u: %s\n",
			     static_cast<unsigned long long>(plan.seed), process, error.what());
		code = 1;
	}
	if (write(report, &compared, sizeof(compared)) != sizeof(compared))
		code = 2;
	std::fflush(nullptr);
	_exit(code);
}

/* struct Child - a process, and the pipe by which it says what it has compared. */
struct Child {
	pid_t pid;
	int report;
};

/* Waits until the process has closed its pipe. Return: whether it has, and ended with 0. */
bool await_child(const Child &child, uint64_t &compared, Clock::time_point deadline)
{
	int status = 0;
	for (;;) {
		const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
			deadline - Clock::now());
		pollfd entry = {child.report, POLLIN, 0};
		if (poll(&entry, 1, std::max(0, static_cast<int>(left.count()))) != 1) {
			kill(child.pid, SIGKILL);
			std::fprintf(stderr, "a process did not end in time\n");
			break;
		}
		uint64_t some = 0;
		if (read(child.report, &some, sizeof(some)) != sizeof(some))
			break;
		compared += some;
	}
	close(child.report);
	return waitpid(child.pid, &status, 0) == child.pid && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 0;
}

bool run_plan(const Plan &plan, uint64_t &compared, std::chrono::seconds patience)
{
	std::vector<std::array<int, 2>> pipes(plan.processes);
	std::vector<Child> children;
	for (auto &one : pipes) {
		if (pipe2(one.data(), O_CLOEXEC) != 0)
			return false;
	}
	if (plan.buffer_mb != 0)
		setenv("HCCL_BUFFSIZE", std::to_string(plan.buffer_mb).c_str(), 1);
	else
		unsetenv("HCCL_BUFFSIZE");
	for (uint32_t process = 0; process < plan.processes; process++) {
		std::array<int, 2> report{};
		if (pipe2(report.data(), O_CLOEXEC) != 0)
			return false;
		const pid_t child = fork();
		if (child == 0)
			live(plan, process, pipes, report[1]);
		close(report[1]);
		children.push_back({child, report[0]});
	}
	Clock::time_point deadline = Clock::now() + patience;
	bool is_right = true;
	for (const Child &child : children) {
		is_right &= await_child(child, compared, deadline);
		/* The others wait for it, but not for ever. */
		if (!is_right)
			deadline = std::min(deadline, Clock::now() + std::chrono::seconds(5));
	}
	for (const auto &one : pipes) {
		close(one[0]);
		close(one[1]);
	}
	return is_right;
}

int run(const Options &options)
{
	std::map<Kind, uint64_t> calls;
	uint64_t compared = 0, failed = 0, ranks = 0;
	std::optional<conformance::Firmware> firmware;
	const std::chrono::seconds patience(options.most > (1 << 20) ? 300 : 60);
	if (!options.is_one) {
		firmware.emplace(std::vector<std::string>{"--devices", "16"});
		setenv("UNPU_DEVICE", firmware->device_string().c_str(), 1);
	}
	for (uint64_t seed = options.first; seed < options.first + options.runs; seed++) {
		const Plan plan = make_plan(seed, options.is_one, options.most);
		if (run_plan(plan, compared, patience)) {
			ranks += plan.ranks;
			for (const Case &one : plan.cases)
				calls[one.kind] += plan.ranks;
			continue;
		}
		failed++;
		std::printf("seed %llu failed: %u ranks in %u processes, HCCL_BUFFSIZE %u%s\n",
			    static_cast<unsigned long long>(seed), plan.ranks, plan.processes,
			    plan.buffer_mb, plan.by_init_all ? ", HcclCommInitAll" : "");
		std::fflush(stdout);
	}
	uint64_t sum = 0;
	for (const auto &[kind, count] : calls) {
		std::printf("%s %llu, ", kind_name(kind), static_cast<unsigned long long>(count));
		sum += count;
	}
	std::printf("together %llu calls of %llu ranks; %llu results as with Gloo\n",
		    static_cast<unsigned long long>(sum), static_cast<unsigned long long>(ranks),
		    static_cast<unsigned long long>(compared));
	std::printf("seeds %llu to %llu: %llu failed\n",
		    static_cast<unsigned long long>(options.first),
		    static_cast<unsigned long long>(options.first + options.runs - 1),
		    static_cast<unsigned long long>(failed));
	return failed == 0 ? 0 : 1;
}

} // namespace

} // namespace hccl_random

int main(int argc, char **argv)
{
	if (argc < 4) {
		std::fprintf(stderr, "%s one|processes SEED RUNS [MOST_BYTES]\n", argv[0]);
		return 2;
	}
	const auto number = [&](int index) { return std::strtoull(argv[index], nullptr, 0); };
	return hccl_random::run({std::string(argv[1]) == "one", number(2), number(3),
				 argc > 4 ? number(4) : uint64_t{64} << 10});
}

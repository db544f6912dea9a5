// SPDX-License-Identifier: MIT
/**
 * DOC: Idleness
 *
 * The cost of an idle device. The kernel counts how often each thread left a CPU and how long it
 * ran; a sleeping thread adds to neither. Then the cost of the first task after a second of sleep,
 * with its synchronization, beside a thread that sleeps on a futex and answers a polling thread.
 */
#include "idle.h"

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <poll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/sync/futex.h"
#include "base/sync/ordering.h"
#include "process/client.h"
#include "process/daemon.h"
#include "process/member.h"

namespace bench {

namespace {

constexpr unsigned CLIENTS = 64;
constexpr unsigned SETTLE_TURNS = 50;
constexpr int SETTLE_MS = 100;
constexpr int SECOND_MS = 1000;
constexpr int LONE_MS = 2;

/* Nothing is what is measured. */
void rest(int ms)
{
	poll(nullptr, 0, ms);
}

/* The CPU time of all threads of this process. */
uint64_t process_cpu_ns()
{
	timespec spent{};
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
	return static_cast<uint64_t>(spent.tv_sec) * base::NS_PER_S +
	       static_cast<uint64_t>(spent.tv_nsec);
}

/* struct Activity - of the threads of a process. */
struct Activity {
	uint64_t switches = 0;
	uint64_t cpu_ns = 0;

	bool operator==(const Activity &other) const
	{
		return switches == other.switches && cpu_ns == other.cpu_ns;
	}
};

void add_thread(const std::filesystem::path &folder, Activity &sum)
{
	std::ifstream status(folder / "status");
	std::ifstream times(folder / "schedstat");
	std::string word;
	while (status >> word) {
		uint64_t count = 0;
		if (word != "voluntary_ctxt_switches:" && word != "nonvoluntary_ctxt_switches:")
			continue;
		status >> count;
		sum.switches += count;
	}
	uint64_t cpu_ns = 0;
	times >> cpu_ns;
	sum.cpu_ns += cpu_ns;
}

/* All threads of @process but the one that asks. */
Activity activity_of(pid_t process)
{
	Activity sum;
	std::error_code gone;
	const auto threads = "/proc/" + std::to_string(process) + "/task";
	for (const auto &entry : std::filesystem::directory_iterator(threads, gone)) {
		if (entry.path().filename() != std::to_string(gettid()))
			add_thread(entry.path(), sum);
	}
	return sum;
}

/* Waits until @process has come to rest and then for a second. */
Measure measure_second(const std::string &key, const std::string &title, pid_t process)
{
	Activity before = activity_of(process);
	for (unsigned i = 0; i < SETTLE_TURNS; i++) {
		rest(SETTLE_MS);
		const Activity now = activity_of(process);
		if (now == before)
			break;
		before = now;
	}
	rest(SECOND_MS);
	const Activity after = activity_of(process);
	const auto spent_ns = static_cast<double>(after.cpu_ns - before.cpu_ns);
	Measure measure{key, "CPU time in an idle second, " + title, {spent_ns, spent_ns}, ""};
	measure.wakes = static_cast<double>(after.switches - before.switches);
	return measure;
}

/* class Sleeper - a thread that sleeps until it is asked, and answers. */
class Sleeper {
public:
	Sleeper() : thread_([this] { work(); }) {}
	~Sleeper()
	{
		over_ = true;
		ask();
		thread_.join();
	}
	Sleeper(const Sleeper &) = delete;
	Sleeper &operator=(const Sleeper &) = delete;

	void ask()
	{
		base::store_release(asked_, asked_ + 1);
		base::futex_wake_all(asked_, false);
		while (base::load_acquire(answered_) != asked_)
			base::cpu_relax();
	}

private:
	void work()
	{
		for (uint32_t seen = 0; !over_;) {
			(void)base::futex_wait(asked_, seen, base::NO_DEADLINE, false);
			seen = base::load_acquire(asked_);
			base::store_release(answered_, seen);
		}
	}

	alignas(128) uint32_t asked_ = 0;
	alignas(128) uint32_t answered_ = 0;
	bool over_ = false; /* before the last ask() */
	std::thread thread_;
};

Summary summary_of(std::vector<double> samples)
{
	const double median_ns = quantile(samples, 0.5);
	const double p99_ns = quantile(samples, 0.99);
	return {median_ns, p99_ns, std::move(samples)};
}

void measure_first_task(const Client &client, const Effort &effort, Round &round)
{
	std::vector<double> wakes;
	std::vector<double> tasks;
	Sleeper sleeper;
	auto timed = [](std::vector<double> &samples, const auto &act) {
		rest(SECOND_MS);
		const uint64_t start_ns = base::now_ns();
		act();
		samples.push_back(static_cast<double>(base::now_ns() - start_ns));
	};
	for (unsigned i = 0; i < effort.scaled(7); i++) {
		timed(wakes, [&] { sleeper.ask(); });
		timed(tasks, [&] {
			client.task(client.first);
			Client::sync(client.first);
		});
	}
	round.push_back({"idle.futex", "futex wake after a second of sleep", summary_of(wakes)});
	round.push_back({"idle.first_task", "first task + synchronize after an idle second",
			 summary_of(tasks), "idle.futex"});
}

/* The time of all CPUs that a task costs for which no thread waits: the submit, the work, and what the device's thread
 * does before it sleeps again. */
void measure_lone_task(const Client &client, const Effort &effort, Round &round)
{
	std::vector<double> samples;
	for (unsigned i = 0; i < effort.scaled(100); i++) {
		rest(LONE_MS);
		const uint64_t start_ns = process_cpu_ns();
		client.task(client.first);
		rest(LONE_MS);
		samples.push_back(static_cast<double>(process_cpu_ns() - start_ns));
	}
	Client::sync(client.first);
	round.push_back({"idle.lone_task", "CPU time for a task that no thread waits for",
			 summary_of(std::move(samples))});
}

} // namespace

void measure_idle_device(const Effort &effort, Round &round)
{
	Client client;
	client.open();
	client.task(client.first);
	Client::sync(client.first);
	round.push_back(measure_second("idle.embedded", "device inside", getpid()));
	measure_first_task(client, effort, round);
	measure_lone_task(client, effort, round);
	client.close();
}

void measure_idle_daemon(const Effort &, Round &round)
{
	const Daemon daemon;
	const char *before = getenv("UNPU_DEVICE");
	const std::string kept = before ? before : "";
	setenv("UNPU_DEVICE", daemon.device().c_str(), 1);
	std::vector<Member> members;
	members.reserve(CLIENTS);
	for (unsigned i = 0; i < CLIENTS; i++)
		members.emplace_back(Member::Work::IDLE);
	round.push_back(
		measure_second("idle.daemon", "firmware-sim with 64 clients", daemon.process()));
	for (Member &member : members)
		member.leave();
	if (before)
		setenv("UNPU_DEVICE", kept.c_str(), 1);
	else
		unsetenv("UNPU_DEVICE");
}

} // namespace bench

// SPDX-License-Identifier: MIT
/*
 * DOC: Episode
 *
 * Runs the threads of a plan, watches for rounds that do not end, and counts what the process holds
 * after everything has been closed.
 */
#include "episode.h"

#include <dirent.h>
#include <sched.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

#include "soak_shape.h"
#include "stacks.h"

namespace soak {

namespace {

/* Longer than any wait within a round may take on a busy machine. */
constexpr uint64_t kStuckMs = 90000;

void bind_to_one_cpu(uint64_t seed)
{
	cpu_set_t set;
	cpu_set_t one;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return;
	uint64_t skip = seed % static_cast<uint64_t>(CPU_COUNT(&set));
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &set) || skip-- > 0)
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		(void)sched_setaffinity(0, sizeof(one), &one);
		return;
	}
}

unsigned count_descriptors()
{
	unsigned count = 0;
	DIR *folder = opendir("/proc/self/fd");

	while (folder && readdir(folder))
		count++;
	if (folder)
		closedir(folder);
	return count;
}

/* Ends the process when a round has not ended in time: its thread can't be joined. */
void check_stuck(const std::vector<std::unique_ptr<Seat>> &seats, bool wants_stacks)
{
	bool is_stuck = false;

	for (const auto &seat : seats) {
		if (seat->round_age_ms() < kStuckMs)
			continue;
		fprintf(stderr, "stuck: %s on device %d for %lu ms\n", seat->shape(),
			seat->device(), static_cast<unsigned long>(seat->round_age_ms()));
		is_stuck = true;
	}
	if (!is_stuck)
		return;
	if (wants_stacks)
		print_stacks(getpid());
	_exit(STUCK);
}

void run_role(const Shape &shape, Seat &seat, std::atomic<unsigned> &running)
{
	while (!seat.stops()) {
		seat.begin_round();
		shape.round(seat);
	}
	running--;
}

void run_roles(const Plan &plan, Episode &episode)
{
	std::vector<std::unique_ptr<Seat>> seats;
	std::vector<std::thread> threads;
	std::atomic<unsigned> running{static_cast<unsigned>(plan.roles.size())};

	for (size_t i = 0; i < plan.roles.size(); i++)
		seats.push_back(std::make_unique<Seat>(episode, plan.roles[i].shape->name,
						       plan.roles[i].device, plan.seed * 31 + i));
	for (size_t i = 0; i < plan.roles.size(); i++)
		threads.emplace_back(
			[&, i] { run_role(*plan.roles[i].shape, *seats[i], running); });
	const auto end = Clock::now() + std::chrono::milliseconds(plan.duration_ms);
	while (running > 0) {
		if (Clock::now() > end)
			episode.stop = true;
		check_stuck(seats, plan.wants_stacks);
		usleep(2000);
	}
	for (std::thread &thread : threads)
		thread.join();
}

/* Everything works as on the first day, whatever happened before. */
void check_health(const Plan &plan, Episode &episode)
{
	episode.has_misuse = false;
	episode.stop = false;
	for (uint32_t i = 0; i < plan.devices; i++) {
		Seat seat(episode, "health", static_cast<int32_t>(i), plan.seed);
		(void)aclrtResetDeviceForce(static_cast<int32_t>(i));
		use_events(seat);
		copy_now(seat);
	}
}

} // namespace

int run_episode(const Plan &plan)
{
	Episode episode;

	if (plan.one_cpu)
		bind_to_one_cpu(plan.seed);
	if (aclInit(nullptr) != ACL_SUCCESS) {
		fprintf(stderr, "aclInit: %s\n", aclGetRecentErrMsg());
		return FAULTY;
	}
	/* Objects that the library creates once, at its first use, are no leak. */
	check_health(plan, episode);
	const unsigned before = count_descriptors();
	episode.has_misuse = plan.has_misuse;
	run_roles(plan, episode);
	check_health(plan, episode);
	const unsigned after = count_descriptors();
	if (after > before) {
		fprintf(stderr, "fault: %u descriptors before, %u after\n", before, after);
		episode.faults++;
	}
	printf("%lu rounds, %lu refusals\n", static_cast<unsigned long>(episode.rounds.load()),
	       static_cast<unsigned long>(episode.refusals.load()));
	(void)aclFinalize();
	fflush(stdout);
	return episode.faults.load() ? FAULTY : GOOD;
}

} // namespace soak

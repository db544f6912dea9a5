// SPDX-License-Identifier: MIT
/**
 * DOC: Workers
 *
 * The threads of the rivals. They wait in the kernel, as engines do.
 */
#include "workers.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "harness/machine.h"

namespace bench {

namespace {

struct Team {
	std::vector<std::thread> threads;
	std::atomic<unsigned> turn{0};
	std::atomic<unsigned> left{0};
	std::function<void(unsigned part)> work;
	bool ends = false;
};

std::unique_ptr<Team> team;

void serve(Team &of, unsigned part)
{
	for (unsigned seen = 0;; seen++) {
		of.turn.wait(seen);
		if (of.ends)
			return;
		of.work(part);
		if (of.left.fetch_sub(1) == 1)
			of.left.notify_one();
	}
}

void start()
{
	team = std::make_unique<Team>();
	for (unsigned part = 1; part < engine_threads(); part++)
		team->threads.emplace_back([part] { serve(*team, part); });
}

void run(const std::function<void(unsigned part)> &work)
{
	if (!team)
		start();
	team->work = work;
	team->left = static_cast<unsigned>(team->threads.size());
	team->turn++;
	team->turn.notify_all();
	work(0);
	for (unsigned left = team->left; left != 0; left = team->left)
		team->left.wait(left);
}

} // namespace

unsigned engine_threads()
{
	return static_cast<unsigned>(usable_cpus().size());
}

void share(size_t all, size_t grain, const std::function<void(size_t first, size_t count)> &work)
{
	const size_t grains = (all + grain - 1) / grain;
	const size_t each = (grains + engine_threads() - 1) / engine_threads() * grain;
	if (each >= all)
		return work(0, all);
	run([&](unsigned part) {
		if (part * each < all)
			work(part * each, std::min(each, all - part * each));
	});
}

void stop_sharing()
{
	if (!team)
		return;
	team->ends = true;
	team->turn++;
	team->turn.notify_all();
	for (std::thread &thread : team->threads)
		thread.join();
	team.reset();
}

} // namespace bench

// SPDX-License-Identifier: MIT
/**
 * DOC: Clients in numbers
 *
 * One client of a daemon is measured, beside others that are attached and have nothing to do, and what
 * all of them get done that work at once. Each other one is this program again.
 */
#include "scale.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client.h"
#include "daemon.h"

namespace bench {

namespace {

constexpr unsigned COUNTS[] = {1, 2, 4, 8, 16, 32, 64};
constexpr unsigned QUICK_COUNTS[] = {1, 8, 64};

/* class Member - another client. */
class Member {
public:
	explicit Member(bool busy)
	{
		int in[2];
		int out[2];
		char byte = 0;
		check(pipe2(in, O_CLOEXEC) | pipe2(out, O_CLOEXEC), "pipe2");
		std::string words[] = {"scale", "--member", busy ? "busy" : "idle"};
		char *arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
		posix_spawn_file_actions_t actions;
		posix_spawn_file_actions_init(&actions);
		posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
		posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
		check(posix_spawn(&process_, "/proc/self/exe", &actions, nullptr, arguments,
				  environ),
		      "posix_spawn");
		posix_spawn_file_actions_destroy(&actions);
		close(in[0]);
		close(out[1]);
		end_ = in[1];
		check(read(out[0], &byte, 1) == 1 ? 0 : -1, "a member of the crowd");
		answer_ = out[0];
	}

	/* Return: tasks that it has done. */
	uint64_t leave()
	{
		uint64_t tasks = 0;
		close(end_);
		check(read(answer_, &tasks, sizeof(tasks)) == sizeof(tasks) ? 0 : -1, "its answer");
		close(answer_);
		check(waitpid(process_, nullptr, 0) == process_ ? 0 : -1, "waitpid");
		return tasks;
	}

private:
	pid_t process_ = -1;
	int end_ = -1;
	int answer_ = -1;
};

void measure_beside(const Client &client, unsigned count, const Effort &effort, Round &round)
{
	const Plan many{500, effort.scaled(60), 500, 0};
	const Plan few{20, effort.scaled(60), 20, 0};
	auto drain = [&] { Client::sync(client.first); };
	round.push_back(scaled_measure("clients.submit", "submit by one of so many clients", count,
				       1,
				       measure(
					       many, [&] { client.task(client.first); }, drain)));
	round.push_back(scaled_measure("clients.trip",
				       "task and synchronize by one of so many clients", count, 1,
				       measure(few, [&] {
					       client.task(client.first);
					       Client::sync(client.first);
				       })));
	round.push_back(scaled_measure("clients.query", "query by one of so many clients", count, 1,
				       measure(many, [&] {
					       aclrtStreamStatus status;
					       CHECK(aclrtStreamQuery(client.first, &status));
				       })));
}

/* All work at once: what a task takes of the machine's time. */
Summary measure_together(unsigned count, const Effort &effort)
{
	std::vector<Member> members;
	members.reserve(count);
	for (unsigned i = 0; i < count; i++)
		members.emplace_back(true);
	const uint64_t start_ns = base::now_ns();
	const uint64_t end_ns = start_ns + (effort.quick ? 100 : 400) * base::NS_PER_MS;
	pollfd nothing{-1, 0, 0};
	while (base::now_ns() < end_ns)
		poll(&nothing, 1, 10);
	uint64_t tasks = 0;
	for (Member &member : members)
		tasks += member.leave();
	const double each_ns =
		static_cast<double>(base::now_ns() - start_ns) / static_cast<double>(tasks);
	return {each_ns, each_ns};
}

} // namespace

int member_of_crowd(bool busy)
{
	constexpr unsigned AT_ONCE = 100;
	uint64_t tasks = 0;
	Client client;
	client.open();
	client.task(client.first);
	Client::sync(client.first);
	if (write(STDOUT_FILENO, "r", 1) != 1)
		return 1;
	pollfd end{STDIN_FILENO, 0, 0};
	while (poll(&end, 1, busy ? 0 : -1) == 0) {
		for (unsigned i = 0; i < AT_ONCE; i++)
			client.task(client.first);
		Client::sync(client.first);
		tasks += AT_ONCE;
	}
	if (write(STDOUT_FILENO, &tasks, sizeof(tasks)) != sizeof(tasks))
		return 1;
	client.close();
	return 0;
}

void measure_clients(const Effort &effort, Round &round)
{
	const Daemon daemon;
	setenv("UNPU_DEVICE", daemon.device().c_str(), 1);
	Client client;
	client.open();
	std::vector<Member> members;
	auto run = [&](unsigned count) {
		const double before = memory_of(daemon.process());
		const size_t had = members.size();
		while (members.size() + 1 < count)
			members.emplace_back(false);
		measure_beside(client, count, effort, round);
		if (members.size() > had)
			round.back().object_bytes = (memory_of(daemon.process()) - before) /
						    static_cast<double>(members.size() - had);
	};
	if (effort.quick) {
		for (unsigned count : QUICK_COUNTS)
			run(count);
	} else {
		for (unsigned count : COUNTS)
			run(count);
	}
	for (Member &member : members)
		member.leave();
	client.close();
	for (unsigned count : QUICK_COUNTS)
		round.push_back(scaled_measure("clients.together",
					       "a task of so many clients that work", count, 1,
					       measure_together(count, effort)));
}

} // namespace bench

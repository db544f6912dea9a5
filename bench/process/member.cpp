// SPDX-License-Identifier: MIT
/**
 * DOC: Member
 *
 * One client of a daemon among many. It speaks through pipes: a byte when it is there, the number of
 * its tasks at the end.
 */
#include "member.h"

#include <cerrno>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client.h"

namespace bench {

Member::Member(bool busy)
{
	int in[2];
	int out[2];
	char byte = 0;
	check(pipe2(in, O_CLOEXEC) | pipe2(out, O_CLOEXEC), "pipe2");
	std::string words[] = {program_invocation_short_name, "--member", busy ? "busy" : "idle"};
	char *arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
	check(posix_spawn(&process_, "/proc/self/exe", &actions, nullptr, arguments, environ),
	      "posix_spawn");
	posix_spawn_file_actions_destroy(&actions);
	close(in[0]);
	close(out[1]);
	end_ = in[1];
	check(read(out[0], &byte, 1) == 1 ? 0 : -1, "a member of the crowd");
	answer_ = out[0];
}

uint64_t Member::leave()
{
	uint64_t tasks = 0;
	close(end_);
	check(read(answer_, &tasks, sizeof(tasks)) == sizeof(tasks) ? 0 : -1, "its answer");
	close(answer_);
	check(waitpid(process_, nullptr, 0) == process_ ? 0 : -1, "waitpid");
	return tasks;
}

int member_of_crowd(const std::string &what)
{
	constexpr unsigned AT_ONCE = 100;
	const bool busy = what == "busy";
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

} // namespace bench

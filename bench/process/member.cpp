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

namespace {

constexpr const char *WORDS[] = {"idle", "tasks", "copies"};

/* Small tasks, or copies, of one client. */
class Worker {
public:
	explicit Worker(bool copies) : copies_(copies)
	{
		client_.open();
		for (void *&block : blocks_) {
			if (copies_)
				CHECK(aclrtMalloc(&block, COPY_BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
		}
		task();
		Client::sync(client_.first);
	}
	~Worker()
	{
		for (void *block : blocks_) {
			if (block)
				CHECK(aclrtFree(block));
		}
		client_.close();
	}
	Worker(const Worker &) = delete;
	Worker &operator=(const Worker &) = delete;

	/* Return: how many tasks it has done. */
	unsigned some()
	{
		const unsigned count = copies_ ? COPIES_AT_ONCE : TASKS_AT_ONCE;
		for (unsigned i = 0; i < count; i++)
			task();
		Client::sync(client_.first);
		return count;
	}

private:
	static constexpr unsigned TASKS_AT_ONCE = 100;
	static constexpr unsigned COPIES_AT_ONCE = 4;
	static constexpr size_t COPY_BYTES = size_t{64} << 20;

	void task()
	{
		if (copies_)
			CHECK(aclrtMemcpyAsync(blocks_[0], COPY_BYTES, blocks_[1], COPY_BYTES,
					       ACL_MEMCPY_DEVICE_TO_DEVICE, client_.first));
		else
			client_.task(client_.first);
	}

	const bool copies_;
	Client client_;
	void *blocks_[2] = {};
};

} // namespace

Member::Member(Work work)
{
	int in[2];
	int out[2];
	char byte = 0;
	check(pipe2(in, O_CLOEXEC) | pipe2(out, O_CLOEXEC), "pipe2");
	std::string words[] = {program_invocation_short_name, "--member",
			       WORDS[static_cast<int>(work)]};
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
	const bool is_idle = what == WORDS[static_cast<int>(Member::Work::IDLE)];
	uint64_t tasks = 0;
	Worker worker(what == WORDS[static_cast<int>(Member::Work::COPIES)]);
	if (write(STDOUT_FILENO, "r", 1) != 1)
		return 1;
	pollfd end{STDIN_FILENO, 0, 0};
	while (poll(&end, 1, is_idle ? -1 : 0) == 0)
		tasks += worker.some();
	return write(STDOUT_FILENO, &tasks, sizeof(tasks)) == sizeof(tasks) ? 0 : 1;
}

} // namespace bench

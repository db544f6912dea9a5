// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include <sys/types.h>

namespace bench {

/** class Member - another client: this program again, in a process of its own. The program answers
 * --member with member_of_crowd(). */
class Member {
public:
	/** enum class Work - what it does until it leaves: nothing, small tasks, or copies of 64 MiB. */
	enum class Work { IDLE, TASKS, COPIES };

	/** Member() - returns when it is attached and has worked a little. */
	explicit Member(Work work);

	/** leave() - ends it. Return: tasks or copies that it has done. */
	uint64_t leave();

private:
	pid_t process_ = -1;
	int end_ = -1;
	int answer_ = -1;
};

/** member_of_crowd() - what such a process does: it attaches, works a little, and is there until its
 * standard input ends, or works for as long.
 * @what: "idle", "tasks" or "copies"
 * Return: its exit status. */
int member_of_crowd(const std::string &what);

} // namespace bench

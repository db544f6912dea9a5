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
	/** Member() - returns when it is attached and has worked a little.
	 * @busy: it goes on working */
	explicit Member(bool busy);

	/** leave() - ends it. Return: tasks that it has done. */
	uint64_t leave();

private:
	pid_t process_ = -1;
	int end_ = -1;
	int answer_ = -1;
};

/** member_of_crowd() - what such a process does: it attaches, works a little, and is there until its
 * standard input ends, or works for as long.
 * @what: "busy" or "idle"
 * Return: its exit status. */
int member_of_crowd(const std::string &what);

} // namespace bench

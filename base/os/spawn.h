// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>
#include <initializer_list>

#include <fcntl.h>
#include <spawn.h>
#include <sys/types.h>
#include <unistd.h>

namespace base {

/**
 * spawn_with_socket() - starts a program that has one end of a socket and nothing else of this process
 *
 * Signals have their default actions there, and none is blocked. The program is in a process group of its own:
 * Ctrl-C at the terminal signals only the caller's program, which may handle it. With POSIX_SPAWN_SETSID it has no
 * terminal.
 *
 * @pid: out
 * @argv: the program's path, and its arguments
 * @socket: becomes descriptor @number; the program has no descriptor above that
 * @null: standard descriptors that are /dev/null
 * @apart: POSIX_SPAWN_SETPGROUP or POSIX_SPAWN_SETSID
 * Return: 0, or the errno of posix_spawn().
 */
inline int spawn_with_socket(pid_t &pid, char *const argv[], char *const environment[], int socket,
			     int number, std::initializer_list<int> null,
			     short apart = POSIX_SPAWN_SETPGROUP)
{
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	for (const int standard : null)
		posix_spawn_file_actions_addopen(&actions, standard, "/dev/null",
						 standard == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, socket, number);
	posix_spawn_file_actions_addclosefrom_np(&actions, number + 1);

	posix_spawnattr_t attributes;
	sigset_t none, all;
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK |
								 POSIX_SPAWN_SETSIGDEF | apart));
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	const int error = posix_spawn(&pid, argv[0], &actions, &attributes, argv, environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

} // namespace base

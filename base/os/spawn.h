// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <csignal>
#include <initializer_list>

#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef UNPU_ASAN
#include <sanitizer/asan_interface.h>
#endif

#include "base/os/calls/files.h"
#include "base/os/calls/processes.h"

namespace base {

/**
 * spawn_with_socket() - starts a program that has one end of a socket and nothing else of this process
 *
 * In the new process, signals have their default actions, and no signal is blocked. The program is in a
 * process group of its own: Ctrl-C at the terminal signals only the caller's program, which may handle it.
 * With POSIX_SPAWN_SETSID it has no terminal.
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

/** struct ApartStart - data for the new process, which reads it in the memory of its parent. The parent waits
 * until the new process has called execve().. */
struct ApartStart {
	char *const *argv;
	char *const *environment;
	int socket;
	int number;
	int error = 0; /* the error of execve() */
};

/** run_apart() - Context: the new process, which shares the parent's memory. So it must not change any data
 * that the C library keeps for the parent. */
inline int run_apart(void *data)
{
	auto &start = *static_cast<ApartStart *>(data);
	struct sigaction usual {};
	usual.sa_handler = SIG_DFL;
	for (int signal = 1; signal < NSIG; signal++)
		(void)sigaction(signal, &usual, nullptr);
	sigset_t none;
	sigemptyset(&none);
	(void)setsid();
	const int null = calls::open("/dev/null", O_RDWR);
	const bool is_ready =
		null >= 0 && calls::replace(null, STDIN_FILENO) == STDIN_FILENO &&
		calls::replace(null, STDOUT_FILENO) == STDOUT_FILENO &&
		calls::replace(null, STDERR_FILENO) == STDERR_FILENO &&
		(start.socket == start.number
			 ? fcntl(start.socket, F_SETFD, 0) == 0
			 : calls::replace(start.socket, start.number) == start.number) &&
		close_range(static_cast<unsigned>(start.number) + 1, ~0U, 0) == 0 &&
		sigprocmask(SIG_SETMASK, &none, nullptr) == 0;
	if (is_ready)
		execve(start.argv[0], start.argv, start.environment);
	start.error = errno;
	_exit(127);
}

/**
 * spawn_apart() - as spawn_with_socket() with POSIX_SPAWN_SETSID, in namespaces of its own
 *
 * posix_spawn() can't make them.
 *
 * @namespaces: CLONE_NEW* flags
 * Return: 0, or an errno; EPERM, ENOSPC or EINVAL if the kernel or its administrator allows no such namespaces.
 */
inline int spawn_apart(pid_t &pid, char *const argv[], char *const environment[], int socket,
		       int number, int namespaces)
{
	constexpr size_t STACK_BYTES = 64 << 10;
	void *stack = mmap(nullptr, STACK_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	if (stack == MAP_FAILED)
		return errno;
	ApartStart start{argv, environment, socket, number};
	sigset_t all, before;
	sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	pid = clone(run_apart, static_cast<char *>(stack) + STACK_BYTES,
		    CLONE_VM | CLONE_VFORK | SIGCHLD | namespaces, &start);
	const int error = pid < 0 ? errno : start.error;
	(void)pthread_sigmask(SIG_SETMASK, &before, nullptr);
#ifdef UNPU_ASAN
	/* The functions of the new process never return, so AddressSanitizer still forbids access to their
	 * stack frames. Allow the access again, because other memory may be mapped at these addresses
	 * later. */
	__asan_unpoison_memory_region(stack, STACK_BYTES);
#endif
	munmap(stack, STACK_BYTES);
	if (pid > 0 && error != 0)
		(void)calls::waitpid(pid, nullptr, 0);
	return error;
}

} // namespace base

// SPDX-License-Identifier: MIT
/*
 * DOC: counting what a thread costs
 *
 * Allocations: the program has a malloc of its own in front of the C library's, which counts. System
 * calls: the thread gets a seccomp filter that tells a second thread about each, and the second
 * thread notes it and lets it go on.
 */
#include "counters.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <thread>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static thread_local unsigned long allocated;

/* The libraries find them by the program's table of symbols. */
#pragma GCC visibility push(default)
extern "C" {
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

void *malloc(size_t bytes)
{
	allocated++;
	return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
	allocated++;
	return __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
	allocated++;
	return __libc_realloc(old, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
	allocated++;
	return __libc_memalign(alignment, bytes);
}

int posix_memalign(void **out, size_t alignment, size_t bytes)
{
	allocated++;
	*out = __libc_memalign(alignment, bytes);
	return *out ? 0 : ENOMEM;
}
}
#pragma GCC visibility pop

namespace hot_path {

unsigned long allocations()
{
	return allocated;
}

/* All system calls of this thread from now on. Return: where to hear of them, or -1. */
static int listen_to_this_thread()
{
	sock_filter tell = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
	sock_fprog program = {1, &tell};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return static_cast<int>(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
					SECCOMP_FILTER_FLAG_NEW_LISTENER, &program));
}

/* Notes what the thread behind the listener does while it is being watched, until its end. */
static void listen(int listener, const std::atomic<bool> &watching, std::vector<long> &calls)
{
	pollfd entry = {listener, POLLIN, 0};

	for (;;) {
		if (poll(&entry, 1, -1) < 0 && errno == EINTR)
			continue;
		if (!(entry.revents & POLLIN))
			return;
		seccomp_notif told = {};
		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &told) != 0)
			continue;
		if (watching.load())
			calls.push_back(told.data.nr);
		seccomp_notif_resp answer = {};
		answer.id = told.id;
		answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
		(void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
	}
}

Cost measure(const std::function<void()> &prepare, const std::function<void()> &work,
	     const std::function<void()> &finish)
{
	Cost cost;
	std::atomic<int> listener{-2};
	std::atomic<bool> watching{false};

	std::thread subject([&] {
		prepare();
		listener = listen_to_this_thread();
		/* The first calls after the filter are its own. */
		std::this_thread::yield();
		const unsigned long before = allocations();
		watching = true;
		work();
		watching = false;
		cost.allocations = allocations() - before;
		finish();
	});
	while (listener == -2)
		std::this_thread::yield();
	if (listener >= 0) {
		cost.watched = true;
		listen(listener, watching, cost.system_calls);
	}
	subject.join();
	if (listener >= 0)
		close(listener);
	return cost;
}

} // namespace hot_path

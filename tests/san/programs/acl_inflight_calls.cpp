// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL programs that hand memory of copies in flight to the system, or that hide SIGSEGV
 *
 * A plain run of unpu-san has to find each, and the system call has to do its work (check_inflight.py).
 */
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <thread>

#include <pthread.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acl.h"

static constexpr auto ALL = static_cast<ssize_t>(BYTES);

static char load(const char &at)
{
	return std::atomic_ref<const char>(at).load();
}

/* struct Pair - two ends that are connected. */
struct Pair {
	int ends[2];

	Pair() { OK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends)); }
	Pair(const Pair &) = delete;
	~Pair()
	{
		close(ends[0]);
		close(ends[1]);
	}
	void fill()
	{
		const std::vector<char> bytes(BYTES, 7);
		EXPECT(::write(ends[1], bytes.data(), BYTES) == ALL);
	}
};

/* struct Result - a copy to the host in flight. */
struct Result {
	aclrtStream stream = new_stream();
	char *x = new_memory(), *host = new_pinned();

	explicit Result(bool is_awaited)
	{
		copy(stream, host, x);
		if (is_awaited)
			sync(stream);
	}
	Result(const Result &) = delete;
	~Result() { sync(stream); }
};

/* struct Input - a copy from the host in flight. */
struct Input {
	aclrtStream stream = new_stream();
	char *x = new_memory(), *host = new_pinned();

	explicit Input(bool is_awaited)
	{
		copy(stream, x, host);
		if (is_awaited)
			sync(stream);
	}
	Input(const Input &) = delete;
	~Input() { sync(stream); }
};

PROGRAM(I25_result_is_written_to_a_file_too_early, "HOST-READ-INFLIGHT")
{
	Pair pair;
	const Result result(fixed);
	EXPECT(write(pair.ends[1], result.host, BYTES) == ALL);
}

PROGRAM(I26_source_is_filled_from_a_file_too_early, "HOST-WRITE-INFLIGHT")
{
	Pair pair;
	pair.fill();
	const Input input(fixed);
	EXPECT(read(pair.ends[0], input.host, BYTES) == ALL);
	EXPECT(load(input.host[BYTES - 1]) == 7);
}

PROGRAM(I27_result_is_sent_too_early, "HOST-READ-INFLIGHT")
{
	Pair pair;
	const Result result(fixed);
	EXPECT(send(pair.ends[1], result.host, BYTES, 0) == ALL);
}

PROGRAM(I28_result_is_a_piece_of_a_message, "HOST-READ-INFLIGHT")
{
	Pair pair;
	char head[8]{};
	const Result result(fixed);
	iovec pieces[] = {{head, sizeof(head)}, {result.host, BYTES}};
	msghdr message{};
	message.msg_iov = pieces;
	message.msg_iovlen = 2;
	EXPECT(sendmsg(pair.ends[1], &message, 0) == ALL + 8);
}

PROGRAM(I29_source_is_filled_by_pieces_too_early, "HOST-WRITE-INFLIGHT")
{
	Pair pair;
	pair.fill();
	char head[8]{};
	const Input input(fixed);
	const iovec pieces[] = {{head, sizeof(head)}, {input.host, BYTES - 8}};
	EXPECT(readv(pair.ends[0], pieces, 2) == ALL);
}

PROGRAM(I30_result_is_written_to_a_stream_too_early, "HOST-READ-INFLIGHT")
{
	FILE *const file = fopen("/dev/null", "w");
	const Result result(fixed);
	EXPECT(fwrite(result.host, 1, BYTES, file) == BYTES);
	OK(fclose(file));
}

PROGRAM(I31_system_call_by_its_number, "HOST-READ-INFLIGHT")
{
	Pair pair;
	const Result result(fixed);
	EXPECT(syscall(SYS_write, pair.ends[1], result.host, BYTES) == ALL);
}

static void block_all()
{
	sigset_t all;
	sigfillset(&all);
	OK(pthread_sigmask(SIG_BLOCK, &all, nullptr));
}

/* Threads of servers often leave all signals to one thread. */
PROGRAM(I32_a_thread_with_all_signals_blocked, "HOST-READ-INFLIGHT")
{
	const Result result(fixed);
	std::thread([&] {
		block_all();
		(void)load(result.host[5]);
	}).join();
}

static std::atomic<const char *> seen_by_handler;

static void look(int)
{
	(void)load(*seen_by_handler.load());
}

PROGRAM(I33_a_handler_that_blocks_all_signals, "HOST-READ-INFLIGHT")
{
	struct sigaction action {
	}, before{};
	action.sa_handler = look;
	sigfillset(&action.sa_mask);
	OK(sigaction(SIGUSR1, &action, nullptr));
	OK(sigaction(SIGUSR1, nullptr, &before));
	EXPECT(sigismember(&before.sa_mask, SIGSEGV) == 1);
	const Result result(fixed);
	seen_by_handler = result.host;
	OK(raise(SIGUSR1));
}

static void end(int)
{
	_exit(3);
}

PROGRAM(I34_a_handler_is_set_while_the_copy_is_in_flight, "HOST-READ-INFLIGHT")
{
	struct sigaction action {
	}, before{};
	action.sa_handler = end;
	const Result result(fixed);
	OK(sigaction(SIGSEGV, &action, nullptr));
	OK(sigaction(SIGSEGV, nullptr, &before));
	EXPECT(before.sa_handler == end);
	(void)load(result.host[5]);
	EXPECT(signal(SIGSEGV, SIG_DFL) == end);
}

static void no_handler(int) {}

/* A child of vfork() has signals of its own, and the memory of its parent. */
PROGRAM(I35_a_child_that_shares_memory_resets_its_signals, "HOST-READ-INFLIGHT")
{
	struct sigaction action {
	}, before{};
	action.sa_handler = no_handler;
	sigfillset(&action.sa_mask);
	const Result result(fixed);
	OK(sigaction(SIGSEGV, &action, nullptr));
	OK(sigaction(SIGUSR1, &action, nullptr));
	const pid_t child = vfork();
	if (child == 0) {
		struct sigaction usual {};
		(void)sigaction(SIGSEGV, &usual, nullptr);
		(void)sigaction(SIGUSR1, &usual, nullptr);
		_exit(0);
	}
	OK(waitpid(child, nullptr, 0) != child);
	OK(sigaction(SIGSEGV, nullptr, &before));
	EXPECT(before.sa_handler == no_handler);
	OK(sigaction(SIGUSR1, nullptr, &before));
	EXPECT(sigismember(&before.sa_mask, SIGSEGV) == 1);
	(void)load(result.host[5]);
}

/* The program reads back the mask that it has set. */
CORRECT(J07_the_program_sees_its_mask)
{
	sigset_t now, segv;
	sigemptyset(&segv);
	sigaddset(&segv, SIGSEGV);
	OK(pthread_sigmask(SIG_BLOCK, nullptr, &now));
	EXPECT(sigismember(&now, SIGSEGV) == 0);
	block_all();
	OK(sigprocmask(SIG_UNBLOCK, &segv, &now));
	EXPECT(sigismember(&now, SIGSEGV) == 1 && sigismember(&now, SIGUSR1) == 1);
	OK(sigprocmask(SIG_SETMASK, &now, &segv));
	EXPECT(sigismember(&segv, SIGSEGV) == 0 && sigismember(&segv, SIGUSR1) == 1);
	OK(sigprocmask(SIG_SETMASK, nullptr, &now));
	EXPECT(sigismember(&now, SIGSEGV) == 1);
}

/* Other memory and bad addresses are not judged; a source in flight may be read. */
CORRECT(J08_system_calls_beside_a_copy)
{
	Pair pair;
	pair.fill();
	char other[BYTES];
	const Input input(false);
	EXPECT(read(pair.ends[0], other, BYTES) == ALL);
	EXPECT(write(pair.ends[1], input.host, BYTES) == ALL);
	EXPECT(syscall(SYS_writev, pair.ends[1], 8, 2) == -1 && errno == EFAULT);
	EXPECT(syscall(SYS_getpid) == getpid());
}

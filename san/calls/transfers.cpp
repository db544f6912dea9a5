// SPDX-License-Identifier: MIT
/**
 * DOC: calls that hand memory to the system
 *
 * A system call that gets a page without access fails as at a bad address, and no signal tells of it. So each of
 * these calls tells the runtime of its memory first, which notes it as a load or store of the program, and gives the
 * access back.
 */
#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>

#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "next.h"

namespace san {

static constexpr unsigned MOST = 1024;		    /* pieces or messages that the system takes */
static constexpr bool READS = false, WRITES = true; /* what the system does with the memory */

static void touch(const void *start, size_t bytes, bool is_write, const void *frame)
{
	const GuardCalls *runtime = runtime_calls();
	if (runtime && bytes != 0)
		runtime->touch(start, bytes, is_write, frame);
}

/* Copies an object of the program, whose address may be a bad one. */
static bool copy_in(void *to, const void *from, size_t bytes)
{
	const int error = errno;
	const iovec here{to, bytes}, there{const_cast<void *>(from), bytes};
	const bool is_done =
		process_vm_readv(getpid(), &here, 1, &there, 1, 0) == static_cast<ssize_t>(bytes);
	errno = error;
	return is_done;
}

static void touch_pieces(const iovec *pieces, size_t count, bool is_write, const void *frame)
{
	iovec piece;
	if (!runtime_calls() || count > MOST)
		return;
	for (size_t i = 0; i < count && copy_in(&piece, pieces + i, sizeof(piece)); i++)
		touch(piece.iov_base, piece.iov_len, is_write, frame);
}

static void touch_message(const msghdr *message, bool is_write, const void *frame)
{
	msghdr copy;
	if (runtime_calls() && copy_in(&copy, message, sizeof(copy)))
		touch_pieces(copy.msg_iov, copy.msg_iovlen, is_write, frame);
}

static void touch_messages(const mmsghdr *messages, unsigned count, bool is_write,
			   const void *frame)
{
	for (unsigned i = 0; runtime_calls() && i < std::min(count, MOST); i++)
		touch_message(&messages[i].msg_hdr, is_write, frame);
}

/* Calls with memory of two arguments, made by number. */
static void touch_numbered(long call, long first, long second, const void *frame)
{
	const auto *start = reinterpret_cast<const void *>(first);
	const auto bytes = static_cast<size_t>(second);
	switch (call) {
	case SYS_read:
	case SYS_pread64:
	case SYS_recvfrom:
		return touch(start, bytes, WRITES, frame);
	case SYS_write:
	case SYS_pwrite64:
	case SYS_sendto:
		return touch(start, bytes, READS, frame);
	case SYS_readv:
	case SYS_preadv:
		return touch_pieces(static_cast<const iovec *>(start), bytes, WRITES, frame);
	case SYS_writev:
	case SYS_pwritev:
		return touch_pieces(static_cast<const iovec *>(start), bytes, READS, frame);
	default:
		return;
	}
}

} // namespace san

/* PASS() - a function that reports its memory by @report, and then does what that of the C library does. */
#define PASS(Result, name, Parameters, arguments, report) \
	SAN_CALL Result name Parameters \
	{ \
		static const auto next = san::next_of<Result(*) Parameters>(#name); \
		const void *const frame = __builtin_frame_address(0); \
		report; \
		return next arguments; \
	}

PASS(ssize_t, read, (int fd, void *to, size_t bytes), (fd, to, bytes),
     san::touch(to, bytes, san::WRITES, frame))
PASS(ssize_t, write, (int fd, const void *from, size_t bytes), (fd, from, bytes),
     san::touch(from, bytes, san::READS, frame))
PASS(ssize_t, pread, (int fd, void *to, size_t bytes, off_t at), (fd, to, bytes, at),
     san::touch(to, bytes, san::WRITES, frame))
PASS(ssize_t, pread64, (int fd, void *to, size_t bytes, off64_t at), (fd, to, bytes, at),
     san::touch(to, bytes, san::WRITES, frame))
PASS(ssize_t, pwrite, (int fd, const void *from, size_t bytes, off_t at), (fd, from, bytes, at),
     san::touch(from, bytes, san::READS, frame))
PASS(ssize_t, pwrite64, (int fd, const void *from, size_t bytes, off64_t at), (fd, from, bytes, at),
     san::touch(from, bytes, san::READS, frame))
PASS(ssize_t, readv, (int fd, const iovec *to, int count), (fd, to, count),
     san::touch_pieces(to, static_cast<size_t>(count), san::WRITES, frame))
PASS(ssize_t, writev, (int fd, const iovec *from, int count), (fd, from, count),
     san::touch_pieces(from, static_cast<size_t>(count), san::READS, frame))
PASS(ssize_t, preadv, (int fd, const iovec *to, int count, off_t at), (fd, to, count, at),
     san::touch_pieces(to, static_cast<size_t>(count), san::WRITES, frame))
PASS(ssize_t, preadv64, (int fd, const iovec *to, int count, off64_t at), (fd, to, count, at),
     san::touch_pieces(to, static_cast<size_t>(count), san::WRITES, frame))
PASS(ssize_t, pwritev, (int fd, const iovec *from, int count, off_t at), (fd, from, count, at),
     san::touch_pieces(from, static_cast<size_t>(count), san::READS, frame))
PASS(ssize_t, pwritev64, (int fd, const iovec *from, int count, off64_t at), (fd, from, count, at),
     san::touch_pieces(from, static_cast<size_t>(count), san::READS, frame))
PASS(ssize_t, recv, (int fd, void *to, size_t bytes, int flags), (fd, to, bytes, flags),
     san::touch(to, bytes, san::WRITES, frame))
PASS(ssize_t, send, (int fd, const void *from, size_t bytes, int flags), (fd, from, bytes, flags),
     san::touch(from, bytes, san::READS, frame))
PASS(ssize_t, recvfrom,
     (int fd, void *to, size_t bytes, int flags, sockaddr *address, socklen_t *length),
     (fd, to, bytes, flags, address, length), san::touch(to, bytes, san::WRITES, frame))
PASS(ssize_t, sendto,
     (int fd, const void *from, size_t bytes, int flags, const sockaddr *address, socklen_t length),
     (fd, from, bytes, flags, address, length), san::touch(from, bytes, san::READS, frame))
PASS(ssize_t, recvmsg, (int fd, msghdr *message, int flags), (fd, message, flags),
     san::touch_message(message, san::WRITES, frame))
PASS(ssize_t, sendmsg, (int fd, const msghdr *message, int flags), (fd, message, flags),
     san::touch_message(message, san::READS, frame))
PASS(int, recvmmsg, (int fd, mmsghdr *messages, unsigned count, int flags, timespec *limit),
     (fd, messages, count, flags, limit), san::touch_messages(messages, count, san::WRITES, frame))
PASS(int, sendmmsg, (int fd, mmsghdr *messages, unsigned count, int flags),
     (fd, messages, count, flags), san::touch_messages(messages, count, san::READS, frame))
PASS(size_t, fread, (void *to, size_t unit, size_t count, FILE *file), (to, unit, count, file),
     san::touch(to, unit *count, san::WRITES, frame))
PASS(size_t, fwrite, (const void *from, size_t unit, size_t count, FILE *file),
     (from, unit, count, file), san::touch(from, unit *count, san::READS, frame))
/* What the checks of _FORTIFY_SOURCE call. */
PASS(ssize_t, __read_chk, (int fd, void *to, size_t bytes, size_t room), (fd, to, bytes, room),
     san::touch(to, bytes, san::WRITES, frame))
PASS(ssize_t, __pread_chk, (int fd, void *to, size_t bytes, off_t at, size_t room),
     (fd, to, bytes, at, room), san::touch(to, bytes, san::WRITES, frame))
PASS(ssize_t, __pread64_chk, (int fd, void *to, size_t bytes, off64_t at, size_t room),
     (fd, to, bytes, at, room), san::touch(to, bytes, san::WRITES, frame))
PASS(ssize_t, __recv_chk, (int fd, void *to, size_t bytes, size_t room, int flags),
     (fd, to, bytes, room, flags), san::touch(to, bytes, san::WRITES, frame))
PASS(size_t, __fread_chk, (void *to, size_t room, size_t unit, size_t count, FILE *file),
     (to, room, unit, count, file), san::touch(to, unit *count, san::WRITES, frame))

/* Six words can be read, whatever the program has given. */
SAN_CALL long syscall(long call, ...) noexcept
{
	static const auto next = san::next_of<decltype(&syscall)>("syscall");
	long words[6];
	va_list given;
	va_start(given, call);
	for (long &word : words)
		word = va_arg(given, long);
	va_end(given);
	san::touch_numbered(call, words[1], words[2], __builtin_frame_address(0));
	return next(call, words[0], words[1], words[2], words[3], words[4], words[5]);
}

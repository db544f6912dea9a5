// SPDX-License-Identifier: MIT
/**
 * DOC: Closing refused connections
 *
 * The first process waits for sockets and forks another one for each few of them. That process receives the
 * sockets, and waits until the firmware has closed its own descriptors of them. So the firmware never closes
 * the last descriptor. Then the process reports that and ends, which closes the sockets. If many of these
 * processes can't end, the first one forks no more until some have ended.
 */
#include "discarder.h"

#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/os/calls/files.h"
#include "base/os/calls/processes.h"
#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"

namespace fw {

using base::Status;

static constexpr unsigned SOCKETS_EACH = 16;
static constexpr unsigned PROCESSES_MAX = 64;
static constexpr uint64_t RETRY_NS = 100 * base::NS_PER_MS;
/* Descriptors of the processes. */
static constexpr int FROM = 0, GO = 1, TOLD = 2, TELL = 3;

struct FdMessage {
	FdMessage()
	{
		message.msg_iov = &text;
		message.msg_iovlen = 1;
		message.msg_control = control;
		message.msg_controllen = sizeof(control);
	}
	char byte = 0;
	iovec text{&byte, sizeof(byte)};
	alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))]{};
	msghdr message{};
};

[[noreturn]] static void receive_and_end()
{
	for (unsigned i = 0; i < SOCKETS_EACH; i++) {
		FdMessage sent;
		char go;
		if (base::calls::recvmsg(FROM, sent.message, 0, base::calls::NOW) <= 0 ||
		    base::calls::read(GO, &go, sizeof(go)) != sizeof(go))
			break;
	}
	const char done = 1;
	const ssize_t written = base::calls::write(TELL, &done, sizeof(done));
	_exit(written != sizeof(done));
}

static bool await(int fd, uint64_t deadline_ns)
{
	pollfd waits{fd, POLLIN, 0};
	return base::calls::poll(&waits, 1, deadline_ns) == 1;
}

static void count_ended(unsigned &running)
{
	while (running > 0 && base::calls::waitpid(-1, nullptr, WNOHANG) > 0)
		running--;
}

/* Return: when the firmware has ended. */
static void serve()
{
	char byte = 0;
	unsigned running = 0;
	while (base::calls::recv(FROM, &byte, sizeof(byte), MSG_PEEK, base::NO_DEADLINE) != 0) {
		count_ended(running);
		const pid_t child = running < PROCESSES_MAX ? fork() : -1;
		if (child == 0)
			receive_and_end();
		if (child < 0) {
			base::calls::sleep_until(base::deadline_after(RETRY_NS));
			continue;
		}
		running++;
		/* Until it has the sockets, or has been killed. */
		while (!await(TOLD, base::deadline_after(RETRY_NS))) {
			if (base::calls::waitpid(child, nullptr, WNOHANG) == 0)
				continue;
			running--;
			break;
		}
		if (await(TOLD, base::calls::NOW) &&
		    base::calls::read(TOLD, &byte, sizeof(byte)) != sizeof(byte))
			return;
	}
}

/* Gives the process the descriptors that it needs and no others. */
static bool keep_only(int from, int go)
{
	int told[2];
	return from > TELL && go > TELL && base::calls::replace(from, FROM) == FROM &&
	       base::calls::replace(go, GO) == GO && close_range(TOLD, ~0U, 0) == 0 &&
	       pipe(told) == 0 && told[0] == TOLD && told[1] == TELL;
}

Status Discarder::start()
{
	int pair[2], going[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return Status::NO_RESOURCE;
	base::Fd to(pair[0]), from(pair[1]);
	if (pipe2(going, O_CLOEXEC) != 0)
		return Status::NO_RESOURCE;
	base::Fd go(going[0]), went(going[1]);
	const pid_t child = fork();
	if (child < 0)
		return Status::NO_RESOURCE;
	if (child == 0) {
		(void)prctl(PR_SET_NAME, "unpu-discard");
		if (keep_only(from.get(), go.get()))
			serve();
		_exit(0);
	}
	to_ = std::move(to);
	went_ = std::move(went);
	return Status::OK;
}

bool Discarder::discard(base::Fd &socket) const
{
	if (!to_.valid())
		return false;
	FdMessage sent;
	cmsghdr *rights = CMSG_FIRSTHDR(&sent.message);
	rights->cmsg_level = SOL_SOCKET;
	rights->cmsg_type = SCM_RIGHTS;
	rights->cmsg_len = CMSG_LEN(sizeof(int));
	const int fd = socket.get();
	memcpy(CMSG_DATA(rights), &fd, sizeof(fd));
	if (base::calls::sendmsg(to_.get(), sent.message, base::calls::NOW) != sizeof(char))
		return false;
	socket = base::Fd();
	/* The pipe has room for more bytes than there can be sockets in the queue. */
	const char closed = 1;
	return base::calls::write(went_.get(), &closed, sizeof(closed)) == sizeof(closed);
}

} // namespace fw

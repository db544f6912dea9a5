// SPDX-License-Identifier: MIT
/**
 * DOC: Processes of workers
 *
 * A firmware in a sandbox may not execute programs, so a helper process, which was forked before, does that: it
 * receives the socket of a worker, and sends a pidfd of the process.
 */
#include "process.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

#include <dlfcn.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/no_destructor.h"
#include "base/os/spawn.h"
#include "base/sync/mutex.h"
#include "kernels/abi/worker.h"

namespace fw {

using base::Result;
using base::Status;

namespace {

/* A process in the kernel ends only later; nothing waits longer for it. */
constexpr int END_PATIENCE_MS = 5000;

/* struct Helper - the socket to the process that starts workers. */
struct Helper {
	base::Mutex mutex{"worker::Helper::mutex"};
	base::Fd socket GUARDED_BY(mutex);
};

Helper &helper()
{
	static base::NoDestructor<Helper> only;
	return *only;
}

std::string program()
{
	if (const char *given = getenv("UNPU_KERNEL_WORKER"); given && *given)
		return given;
	constexpr const char *NAME = "unpu-kernel-worker";
	Dl_info info{};
	if (!dladdr(reinterpret_cast<const void *>(&program), &info) || !info.dli_fname)
		return NAME;
	const std::string path = info.dli_fname;
	const size_t slash = path.rfind('/');
	const std::string folder = slash == std::string::npos ? "./" : path.substr(0, slash + 1);
	/* Beside a program, or in bin beside the folder of the library. */
	const std::string beside = folder + NAME;
	return access(beside.c_str(), X_OK) == 0 ? beside : folder + "../bin/" + NAME;
}

/* Return: the process, or -1. */
pid_t spawn(const std::string &path, int socket)
{
	char *argv[] = {const_cast<char *>(path.c_str()), nullptr};
	char *environment[] = {nullptr};
	pid_t pid = -1;
	const int error =
		base::spawn_with_socket(pid, argv, environment, socket, UNPU_WORKER_SOCKET,
					{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO});
	errno = error;
	return error == 0 ? pid : -1;
}

base::Fd open_process(pid_t pid)
{
	return base::Fd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

/* One byte with a descriptor. */
struct FdMessage {
	FdMessage()
	{
		message.msg_iov = &part;
		message.msg_iovlen = 1;
		message.msg_control = control;
		message.msg_controllen = sizeof(control);
	}
	void set(int fd)
	{
		cmsghdr *rights = CMSG_FIRSTHDR(&message);
		rights->cmsg_level = SOL_SOCKET;
		rights->cmsg_type = SCM_RIGHTS;
		rights->cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(rights), &fd, sizeof(fd));
	}
	base::Fd take() const
	{
		const cmsghdr *rights = CMSG_FIRSTHDR(&message);
		int fd = -1;
		if (rights && rights->cmsg_type == SCM_RIGHTS)
			memcpy(&fd, CMSG_DATA(rights), sizeof(fd));
		return base::Fd(fd);
	}
	int error = 0; /* of the answer */
	iovec part{&error, sizeof(error)};
	alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))]{};
	msghdr message{};
};

/* The helper: starts a worker for each socket that it receives, until the firmware has ended. */
void serve(int from)
{
	const std::string path = program();
	for (;;) {
		FdMessage wanted;
		if (recvmsg(from, &wanted.message, MSG_CMSG_CLOEXEC) <= 0)
			return;
		const base::Fd socket = wanted.take();
		const pid_t pid = spawn(path, socket.get());
		FdMessage reply;
		reply.error = pid < 0 ? errno : 0;
		const base::Fd process = pid < 0 ? base::Fd() : open_process(pid);
		if (process.valid())
			reply.set(process.get());
		else
			reply.message.msg_controllen = 0;
		(void)sendmsg(from, &reply.message, MSG_NOSIGNAL);
	}
}

Status status_of(int error)
{
	return error == ENOENT || error == EACCES || error == ENOEXEC ? Status::NOT_SUPPORTED
								      : Status::NO_RESOURCE;
}

/* Return: the process. */
Result<base::Fd> ask_helper(const base::Fd &helper_socket, int socket)
{
	FdMessage wanted;
	wanted.set(socket);
	if (sendmsg(helper_socket.get(), &wanted.message, MSG_NOSIGNAL) <= 0)
		return Status::NO_RESOURCE;
	FdMessage reply;
	if (recvmsg(helper_socket.get(), &reply.message, MSG_CMSG_CLOEXEC) <= 0)
		return Status::NO_RESOURCE;
	base::Fd process = reply.take();
	if (!process.valid())
		return status_of(reply.error);
	return process;
}

} // namespace

Status start_workers_outside()
{
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return Status::NO_RESOURCE;
	base::Fd here(pair[0]), there(pair[1]);
	const pid_t child = fork();
	if (child < 0)
		return Status::NO_RESOURCE;
	if (child == 0) {
		(void)prctl(PR_SET_NAME, "unpu-workers");
		signal(SIGCHLD, SIG_IGN); /* the kernel reaps the workers */
		(void)here.release();
		if (dup2(there.get(), UNPU_WORKER_SOCKET) == UNPU_WORKER_SOCKET &&
		    close_range(UNPU_WORKER_SOCKET + 1, ~0U, 0) == 0)
			serve(UNPU_WORKER_SOCKET);
		_exit(0);
	}
	Helper &only = helper();
	const std::lock_guard lock(only.mutex);
	only.socket = std::move(here);
	return Status::OK;
}

Result<WorkerProcess> WorkerProcess::start()
{
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return Status::NO_RESOURCE;
	WorkerProcess made;
	base::Fd here(pair[0]);
	const base::Fd there(pair[1]);
	Helper &outside = helper();
	const std::lock_guard lock(outside.mutex);
	if (outside.socket.valid()) {
		auto process = ask_helper(outside.socket, there.get());
		if (!process)
			return process.status();
		made.process_ = process.take();
	} else {
		const pid_t pid = spawn(program(), there.get());
		if (pid < 0)
			return status_of(errno);
		made.process_ = open_process(pid);
		made.is_child_ = true;
	}
	made.socket_ = std::move(here);
	return made;
}

WorkerProcess &WorkerProcess::operator=(WorkerProcess &&other) noexcept
{
	kill();
	socket_ = std::move(other.socket_);
	process_ = std::move(other.process_);
	is_child_ = other.is_child_;
	return *this;
}

/* Without a pidfd the process, whose program has reaped it, ends as its socket is closed. */
void WorkerProcess::kill()
{
	socket_ = base::Fd();
	if (!process_.valid())
		return;
	(void)syscall(SYS_pidfd_send_signal, process_.get(), SIGKILL, nullptr, 0);
	pollfd entry{process_.get(), POLLIN, 0};
	while (poll(&entry, 1, END_PATIENCE_MS) < 0 && errno == EINTR)
		;
	siginfo_t info;
	if (is_child_)
		(void)waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(process_.get()),
			     &info, WEXITED | WNOHANG);
	process_ = base::Fd();
}

} // namespace fw

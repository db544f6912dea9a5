// SPDX-License-Identifier: MIT
/**
 * DOC: Processes of workers
 *
 * A firmware in a sandbox may neither execute programs nor make sockets. So a helper process, which was
 * forked before, does that. It sends back the socket to the worker and a pidfd of its process.
 */
#include "worker_process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

#include <dlfcn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/no_destructor.h"
#include "base/os/calls/confinement.h"
#include "base/os/calls/files.h"
#include "base/os/calls/processes.h"
#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"
#include "base/os/machine.h"
#include "base/os/spawn.h"
#include "base/os/thread.h"
#include "base/sync/mutex.h"
#include "kernels/abi/worker.h"

namespace fw {

using base::Result;
using base::Status;

namespace {

/* A killed process that is inside of the kernel may end later. Nothing waits longer than this for it. */
constexpr uint64_t END_PATIENCE_NS = 5 * base::NS_PER_S;

constexpr const char *NAME = "unpu-kernel-worker";
constexpr const char *VARIABLE = "UNPU_KERNEL_WORKER";

/* struct Program - the worker's program: an absolute path, or why there is none. */
struct Program {
	std::string path;
	std::string why;
};

/* struct Helper - the socket to the process that starts workers, and the program that it starts. */
struct Helper {
	base::Mutex mutex{"worker::Helper::mutex"};
	base::Fd socket GUARDED_BY(mutex);
	Program program GUARDED_BY(mutex);
};

Helper &helper()
{
	static base::NoDestructor<Helper> only;
	return *only;
}

const void *own_code()
{
	return reinterpret_cast<const void *>(&own_code);
}

Program find_program()
{
	const char *given = getenv(VARIABLE);
	Program found;
	found.path =
		base::toolkit_program(own_code(), NAME, VARIABLE, given ? given : "", found.why);
	return found;
}

std::string cannot_start(const Program &program, int error)
{
	if (program.path.empty())
		return program.why;
	return program.path + " can't be started: " + strerror(error) + "; " + VARIABLE +
	       " can name another " + NAME;
}

/* The code of the inline worker is in a separate library, so that programs without kernels do not load it.
 * The library is never unloaded. */
WorkerProcess::Serve *find_serve(std::string &why)
{
	constexpr const char *LIBRARY = "libunpu_kernel_inline.so";
	const std::string path = base::toolkit_file(own_code(), "lib64", LIBRARY);
	void *library = path.empty() ? nullptr
				     : dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (library)
		return reinterpret_cast<WorkerProcess::Serve *>(
			dlsym(library, "unpu_kernel_serve"));
	const char *text = path.empty() ? nullptr : dlerror();
	why = std::string(LIBRARY) + " can't be loaded: " +
	      (text ? text : "/proc/self/maps does not tell where this toolkit is");
	return nullptr;
}

/* Whether workers get their own namespaces, in which they see no processes, networks and message queues of
 * others. While a debugger is used they do not, because it can't follow into another PID namespace. */
bool wants_namespaces()
{
	if (base::is_traced())
		return false;
	const char *value = getenv("UNPU_KERNEL_NAMESPACES");
	return !value || strcmp(value, "0") != 0;
}

/* If the kernel does not allow namespaces, the worker has only the other parts of the sandbox. Return: the
 * process, or -1. */
pid_t spawn(const std::string &path, int socket)
{
	constexpr int NAMESPACES = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC;
	char *argv[] = {const_cast<char *>(path.c_str()), nullptr};
	char *environment[] = {nullptr};
	pid_t pid = -1;
	int error = ENOTSUP;
	if (wants_namespaces())
		error = base::spawn_apart(pid, argv, environment, socket, UNPU_WORKER_SOCKET,
					  NAMESPACES);
	if (error != 0)
		error = base::spawn_with_socket(pid, argv, environment, socket, UNPU_WORKER_SOCKET,
						{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO},
						POSIX_SPAWN_SETSID);
	errno = error;
	return error == 0 ? pid : -1;
}

base::Fd open_process(pid_t pid)
{
	return base::Fd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

/* Return: the clock of its CPU time, or 0. */
clockid_t clock_of(pid_t pid)
{
	clockid_t clock = 0;
	return pid > 0 && clock_getcpuclockid(pid, &clock) == 0 ? clock : 0;
}

/* A message with an answer and the valid descriptors. */
struct FdMessage {
	FdMessage()
	{
		message.msg_iov = &part;
		message.msg_iovlen = 1;
		message.msg_control = control;
		message.msg_controllen = sizeof(control);
	}
	void set(const base::Fd &socket, const base::Fd &process)
	{
		const int fds[] = {socket.get(), process.get()};
		const unsigned count = !socket.valid() ? 0 : process.valid() ? 2 : 1;
		message.msg_controllen = count == 0 ? 0 : CMSG_SPACE(count * sizeof(int));
		if (count == 0)
			return;
		cmsghdr *rights = CMSG_FIRSTHDR(&message);
		rights->cmsg_level = SOL_SOCKET;
		rights->cmsg_type = SCM_RIGHTS;
		rights->cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(rights), fds, count * sizeof(int));
	}
	void take(base::Fd &socket, base::Fd &process) const
	{
		const cmsghdr *rights = CMSG_FIRSTHDR(&message);
		if (!rights || rights->cmsg_type != SCM_RIGHTS)
			return;
		int fds[] = {-1, -1};
		memcpy(fds, CMSG_DATA(rights),
		       std::min<size_t>(rights->cmsg_len - CMSG_LEN(0), sizeof(fds)));
		socket = base::Fd(fds[0]);
		process = base::Fd(fds[1]);
	}
	struct {
		int error = 0;	     /* errno value of the answer */
		clockid_t clock = 0; /* see WorkerProcess */
	} answer;
	iovec part{&answer, sizeof(answer)};
	alignas(cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))]{};
	msghdr message{};
};

/* Return: the process, or -1; @socket gets the firmware's end. */
pid_t spawn_with_pair(const std::string &path, base::Fd &socket)
{
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return -1;
	socket = base::Fd(pair[0]);
	const base::Fd there(pair[1]);
	return spawn(path, there.get());
}

/* The helper: starts a worker for each message, until the firmware has ended. */
void serve(int from, const std::string &path)
{
	for (;;) {
		FdMessage wanted;
		if (base::calls::recvmsg(from, wanted.message, MSG_CMSG_CLOEXEC,
					 base::NO_DEADLINE) <= 0)
			return;
		base::Fd socket;
		const pid_t pid = spawn_with_pair(path, socket);
		FdMessage reply;
		reply.answer.error = pid < 0 ? errno : 0;
		reply.answer.clock = clock_of(pid);
		const base::Fd process = pid < 0 ? base::Fd() : open_process(pid);
		if (pid < 0)
			socket = base::Fd();
		reply.set(socket, process);
		(void)base::calls::sendmsg(from, reply.message, base::NO_DEADLINE);
	}
}

Status status_of(int error)
{
	return error == ENOENT || error == EACCES || error == ENOEXEC ? Status::NOT_SUPPORTED
								      : Status::NO_RESOURCE;
}

/* A sandbox does not let the caller make sockets, so the helper makes them. */
Status ask_helper(const base::Fd &helper_socket, base::Fd &socket, base::Fd &process,
		  clockid_t &clock, int &error)
{
	FdMessage wanted;
	wanted.message.msg_controllen = 0;
	if (base::calls::sendmsg(helper_socket.get(), wanted.message, base::NO_DEADLINE) <= 0)
		return Status::NO_RESOURCE;
	FdMessage reply;
	if (base::calls::recvmsg(helper_socket.get(), reply.message, MSG_CMSG_CLOEXEC,
				 base::NO_DEADLINE) <= 0)
		return Status::NO_RESOURCE;
	reply.take(socket, process);
	error = reply.answer.error;
	clock = reply.answer.clock;
	return socket.valid() ? Status::OK : status_of(error);
}

} // namespace

/* In addition to the memory of the client it has stacks, local memories and libraries. */
uint64_t worker_address_bytes()
{
	constexpr uint64_t OWN_ADDRESSES = uint64_t{8} << 30;
	return OWN_ADDRESSES + 2 * base::host_memory_bytes();
}

Status start_workers_outside()
{
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return Status::NO_RESOURCE;
	base::Fd here(pair[0]), there(pair[1]);
	/* The program has to be found now, because that is not possible in the sandbox. */
	Program found = find_program();
	const pid_t child = fork();
	if (child < 0)
		return Status::NO_RESOURCE;
	if (child == 0) {
		(void)prctl(PR_SET_NAME, "unpu-workers");
		signal(SIGCHLD, SIG_IGN); /* the kernel reaps the workers */
		(void)here.release();
		if (base::calls::replace(there.get(), UNPU_WORKER_SOCKET) == UNPU_WORKER_SOCKET &&
		    close_range(UNPU_WORKER_SOCKET + 1, ~0U, 0) == 0)
			serve(UNPU_WORKER_SOCKET, found.path);
		_exit(0);
	}
	Helper &only = helper();
	const std::lock_guard lock(only.mutex);
	only.socket = std::move(here);
	only.program = std::move(found);
	return Status::OK;
}

Result<WorkerProcess> WorkerProcess::start(std::string &why)
{
	WorkerProcess made;
	Helper &outside = helper();
	const std::lock_guard lock(outside.mutex);
	const bool has_helper = outside.socket.valid();
	const Program program = has_helper ? outside.program : find_program();
	int error = ENOENT;
	Status status = Status::NOT_SUPPORTED;
	if (!program.path.empty() && has_helper) {
		status =
			ask_helper(outside.socket, made.socket_, made.process_, made.clock_, error);
	} else if (!program.path.empty()) {
		const pid_t pid = spawn_with_pair(program.path, made.socket_);
		error = errno;
		status = pid < 0 ? status_of(error) : Status::OK;
		made.process_ = pid < 0 ? base::Fd() : open_process(pid);
		made.clock_ = clock_of(pid);
		made.is_child_ = true;
	}
	if (status == Status::OK)
		return made;
	made.socket_ = base::Fd();
	why = cannot_start(program, error);
	return status;
}

std::string WorkerProcess::lack()
{
	const Program program = find_program();
	if (!program.path.empty() && access(program.path.c_str(), X_OK) == 0)
		return {};
	return cannot_start(program, errno);
}

Result<WorkerProcess> WorkerProcess::start_inline(std::string &why)
{
	Serve *serve = find_serve(why);
	return serve ? start_thread(serve) : Status::NOT_SUPPORTED;
}

Result<WorkerProcess> WorkerProcess::start_thread(Serve *serve)
{
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return Status::NO_RESOURCE;
	WorkerProcess made;
	made.socket_ = base::Fd(pair[0]);
	base::Fd there(pair[1]);
	auto thread = TRY(base::start_thread("unpu-inline",
					     [serve, socket = there.get()] { serve(socket); }));
	(void)there.release();
	made.thread_ = std::move(thread);
	return made;
}

WorkerProcess &WorkerProcess::operator=(WorkerProcess &&other) noexcept
{
	kill();
	socket_ = std::move(other.socket_);
	process_ = std::move(other.process_);
	clock_ = other.clock_;
	is_child_ = other.is_child_;
	thread_ = std::move(other.thread_);
	return *this;
}

uint64_t WorkerProcess::cpu_ns() const
{
	timespec time{};
	if (clock_ == 0 || clock_gettime(clock_, &time) != 0)
		return 0;
	return static_cast<uint64_t>(time.tv_sec) * base::NS_PER_S +
	       static_cast<uint64_t>(time.tv_nsec);
}

/* Without a pidfd, closing the socket ends the process; the program itself has reaped it already. */
void WorkerProcess::kill()
{
	socket_ = base::Fd();
	if (thread_.joinable())
		thread_.join();
	if (!process_.valid())
		return;
	(void)syscall(SYS_pidfd_send_signal, process_.get(), SIGKILL, nullptr, 0);
	pollfd entry{process_.get(), POLLIN, 0};
	(void)base::calls::poll(&entry, 1, base::deadline_after(END_PATIENCE_NS));
	if (is_child_)
		base::calls::reap(process_.get());
	process_ = base::Fd();
}

} // namespace fw

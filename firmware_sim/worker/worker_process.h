// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <thread>

#include <sys/types.h>

#include "base/os/shm.h"

namespace fw {

/** class WorkerProcess - a process of unpu-kernel-worker, or a thread of this process that does the same, and
 * the socket to it. Destroying the object ends the worker. */
class WorkerProcess {
public:
	WorkerProcess() = default;
	WorkerProcess(WorkerProcess &&) = default;
	WorkerProcess &operator=(WorkerProcess &&other) noexcept;
	~WorkerProcess() { kill(); }

	/** start() - starts a worker process. Context: a thread that lives longer than the process.
	 * @why: receives an error message with the program that was searched for
	 * Return: NOT_SUPPORTED: there is no such program; NO_RESOURCE. */
	static base::Result<WorkerProcess> start(std::string &why);

	/** start_inline() - runs a worker in this process, from a library. Return: as start(). */
	static base::Result<WorkerProcess> start_inline(std::string &why);

	/** using Serve - a function that works for the firmware at the other end of @socket until that end is
	 * closed. It owns @socket. start_thread() - starts a thread of this process as a worker. Return:
	 * NO_RESOURCE. */
	using Serve = int(int socket);
	static base::Result<WorkerProcess> start_thread(Serve *serve);

	/** lack() - an error message that says why start() would fail; "" if the program exists. */
	static std::string lack();

	/** kill() - ends the process, and waits until it has ended. A thread ends when its kernels have ended. */
	void kill();

	const base::Fd &socket() const { return socket_; }
	bool is_running() const { return socket_.valid(); }

	/** cpu_ns() - the CPU time that all threads of the process have had; 0 if it is not known. */
	uint64_t cpu_ns() const;

private:
	base::Fd socket_;
	base::Fd process_;    /* pidfd */
	clockid_t clock_ = 0; /* the process's CPU time; 0: not known */
	std::thread thread_;
	bool is_child_ = false;
};

/** worker_address_bytes() - the addresses that a worker may have; a lower RLIMIT_AS of this process is a lack.
 * The memory of a client may be mapped twice. */
uint64_t worker_address_bytes();

/** start_workers_outside() - forks a process that starts all workers from now on, because the caller can't do
 * that in a sandbox. Context: before the caller has other threads. Return: NO_RESOURCE. */
base::Status start_workers_outside();

} // namespace fw

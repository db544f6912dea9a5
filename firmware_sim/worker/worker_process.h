// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <thread>

#include <sys/types.h>

#include "base/os/shm.h"

namespace fw {

/** class WorkerProcess - a process of unpu-kernel-worker, or a thread of this process that does the same, and the
 * socket to it. Its end ends the worker. */
class WorkerProcess {
public:
	WorkerProcess() = default;
	WorkerProcess(WorkerProcess &&) = default;
	WorkerProcess &operator=(WorkerProcess &&other) noexcept;
	~WorkerProcess() { kill(); }

	/** start() - Context: a thread that lives longer than the process.
	 * @why: a sentence with the program that was looked for, if it can't be started
	 * Return: NOT_SUPPORTED: there is no such program; NO_RESOURCE. */
	static base::Result<WorkerProcess> start(std::string &why);

	/** start_inline() - runs a worker in this process, from a library. Return: as start(). */
	static base::Result<WorkerProcess> start_inline(std::string &why);

	/** using Serve - serves the firmware at the other end of @socket until it closes that. Takes @socket.
	 * start_thread() - a worker that a thread of this process is. Return: NO_RESOURCE. */
	using Serve = int(int socket);
	static base::Result<WorkerProcess> start_thread(Serve *serve);

	/** lack() - why start() would fail, as a sentence; "" if the program is there. */
	static std::string lack();

	/** kill() - ends the process, and waits until it has ended. A thread ends when its kernels have ended. */
	void kill();

	const base::Fd &socket() const { return socket_; }
	bool is_running() const { return socket_.valid(); }

private:
	base::Fd socket_;
	base::Fd process_; /* pidfd */
	std::thread thread_;
	bool is_child_ = false;
};

/** start_workers_outside() - from now on a process that is forked now starts the workers: in a sandbox the caller
 * can't. Context: before the caller has other threads. Return: NO_RESOURCE. */
base::Status start_workers_outside();

} // namespace fw

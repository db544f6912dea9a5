// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "base/sync/condition.h"
#include "base/sync/mutex.h"
#include "firmware_sim/schedule/finished.h"
#include "kernel_job.h"

namespace fw {

/**
 * class Workers - the supervisors of worker processes, one for each client that has loaded an image. Launches that end
 * well come back through take_ended(), other jobs through take_finished(). Context: under the step token, unless it
 * says otherwise.
 */
class Workers {
public:
	/** @notify: called after a job has ended, by the thread that ended it
	 * @watch_kick: makes an eventfd wake the device when it is written
	 * @is_inline: workers are threads of this process, and no kernel counts as late
	 * @cube_cores: cube cores of the chip; 0: the usual number */
	Workers(std::function<void()> notify,
		std::function<base::Status(const base::Fd &)> watch_kick, bool is_inline,
		uint32_t cube_cores)
		: notify_(std::move(notify)), watch_kick_(std::move(watch_kick)),
		  is_inline_(is_inline), cube_cores_(cube_cores)
	{
	}
	~Workers();

	class Supervisor;

	/** start() - starts a supervisor for a client.
	 * @account: account that is charged for its thread, its descriptors, and the private memory of its
	 * process
	 * @quota_bytes: quota of the client's memory; 0: none
	 * Return: QUOTA, NO_RESOURCE, NO_MEMORY. */
	base::Result<std::shared_ptr<Supervisor>> start(const std::shared_ptr<Account> &account,
							uint64_t quota_bytes);

	/** DESCRIPTORS - the descriptors of a worker: the socket, the board, the two eventfds and the pidfd,
	 * and a table while an image is loaded. */
	static constexpr uint64_t DESCRIPTORS = 6;

	/** heap_bytes() - the private memory of a process, in addition to the memories of its cores.
	 * charged_bytes() - that memory, the board, the table of the image that is being loaded, and the
	 * output of kernels. */
	static uint64_t heap_bytes(uint64_t quota_bytes);
	static uint64_t charged_bytes(uint64_t quota_bytes);

	void submit(Supervisor &supervisor, std::unique_ptr<KernelJob> job);

	/** run_now() - submit() for a device without threads: waits for the end, or until @deadline_ns.
	 * Return: the job; nullptr: the job continues, and comes back like a job of submit(). */
	std::unique_ptr<KernelJob> run_now(Supervisor &supervisor, std::unique_ptr<KernelJob> job,
					   uint64_t deadline_ns);

	/** change(), forget() - see WorkerLink; before the next job. */
	void change(Supervisor &supervisor, MemoryChange change);
	void forget(Supervisor &supervisor, uint32_t image);

	/** disown() - drops the job of @owner if it has not begun, and stops it if it has. Its end is not reported to
	 * any waiter. Does not wait. */
	void disown(Supervisor &supervisor, Waiter &owner);

	/** keep() - the client has destroyed a file of @bytes that its process had. Code of the client may
	 * keep a descriptor or a mapping of the file there, and fill it again. So, if there is a quota of
	 * memory, the charge ends only with the process. A process that may keep much ends when no kernel
	 * runs. */
	void keep(Supervisor &supervisor, Charge charge, uint64_t bytes);

	/** take_back() - the client lacks memory. The process ends for that which it may keep, unless a kernel runs.
	 * Return: whether memory comes back. */
	bool take_back(Supervisor &supervisor);

	/** settles() - whether a disowned job still runs. works() - whether any job is queued or runs. */
	bool settles(const Supervisor &supervisor) const;
	bool works(const Supervisor &supervisor) const;

	/** place() - where the blocks of a running launch are. The first call asks the worker, which needs
	 * some milliseconds. Return: empty if the worker has not answered yet, or no launch with that cookie
	 * runs. */
	static std::string place(Supervisor &supervisor, const KernelClient &client,
				 uint64_t cookie);

	/** leave() - the client has left. Kills the process and ends the thread. Does not wait. */
	void leave(Supervisor &supervisor, const KernelClient &client);

	/** finished() - whether take_finished() or take_ended() may have a job; a hint, without the lock and so without
	 * analysis. */
	bool finished() const NO_THREAD_SAFETY_ANALYSIS { return done_.has_some() || has_news(); }
	std::unique_ptr<KernelJob> take_finished();
	std::vector<std::unique_ptr<KernelJob>> take_ended();

	/** in_flight() - whether a worker has a launch. arm() - makes a worker wake the device when a launch
	 * ends.
	 * Return: false if one has ended already. */
	bool in_flight() const;
	bool arm();

	/** busy_ns() - how long launches of clients ran, summed over the clients. */
	uint64_t busy_ns() const;

private:
	void finish(std::unique_ptr<KernelJob> job);
	void join_ended();
	bool has_news() const;

	const std::function<void()> notify_;
	const std::function<base::Status(const base::Fd &)> watch_kick_;
	const bool is_inline_;
	const uint32_t cube_cores_;
	std::vector<std::shared_ptr<Supervisor>> supervisors_;
	uint64_t ended_busy_ns_ = 0; /* of those that have ended */
	mutable base::Mutex mutex_{"Workers::mutex_"};
	Finished<std::unique_ptr<KernelJob>> done_ GUARDED_BY(mutex_);
};

} // namespace fw

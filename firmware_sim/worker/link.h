// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <map>
#include <span>

#include <sys/uio.h>

#include "kernel_job.h"
#include "kernels/abi/worker.h"
#include "process.h"

namespace fw {

/**
 * class WorkerLink - a worker as its supervisor sees it: process, messages, and what a new process has to be told.
 * The worker is not trusted: an answer that does not fit, or none in time, ends it. Context: one thread.
 */
class WorkerLink {
public:
	/** init() - @threads: of each process. Return: NO_RESOURCE, NO_MEMORY. */
	base::Status init(uint32_t threads);

	/** load() - loads the image of @job, with a table of its entries. Sets the result of @job. */
	void load(KernelJob &job);

	/** run() - runs the kernel of @job. Sets the result of @job. */
	void run(KernelJob &job);

	/** change() - changes what is mapped, from the next message on. */
	void change(MemoryChange change);

	/** forget() - the image was unloaded. */
	void forget(uint32_t image);

	/** stop_work() - ends the load or launch that runs. Context: any thread. */
	void stop_work();

	/** allow_work() - stop_work() has had its effect. */
	void allow_work();

	/** end() - ends the process. */
	void end() { process_.kill(); }

private:
	enum class Answer { GOOD, LATE, STOPPED, DEAD };

	base::Status start();
	base::Status begin_process();
	bool send(const unpu_worker_message &head, std::span<const iovec> body,
		  std::initializer_list<int> files = {});
	bool send_map(const MemoryChange &range);
	bool send_load(const KernelImage &image, int table);
	Answer await(uint32_t type, uint64_t deadline_ns, unpu_worker_answer &answer);
	base::Status fetch_infos(const base::Fd &table, uint32_t count, KernelJob &job);
	std::string sentence(const unpu_worker_answer &answer) const;
	void take_output(KernelJob &job, uint64_t bytes) const;
	void describe_failure(KernelJob &job, const unpu_worker_answer &answer);
	std::string describe_signal(const unpu_worker_answer &answer);
	std::string find_line(const unpu_worker_answer &answer);
	std::string near(uint64_t address) const;

	uint32_t threads_ = 1;
	WorkerProcess process_;
	base::Fd board_file_;
	base::Mapping board_;
	base::Fd stop_; /* eventfd: stop_work() */
	std::map<uint64_t, MemoryChange> memory_;
	std::map<uint32_t, std::shared_ptr<KernelImage>> images_;
};

} // namespace fw

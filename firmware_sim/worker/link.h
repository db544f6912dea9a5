// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <map>
#include <string>

#include "base/clock.h"
#include "kernel_job.h"
#include "lanes.h"
#include "worker_process.h"

namespace fw {

/** enum class Ending - how a failed launch has ended. */
enum class Ending {
	ANSWERED, /* the worker has reported why */
	LATE,
	STOPPED,
	DEAD,
	BESIDE, /* the process was killed for another reason */
	SILENT, /* a new process does not answer */
};

/**
 * class WorkerLink - the supervisor's connection to its worker: the process, the messages, and the state that
 * a new process has to get. The worker is not trusted: an invalid or late answer ends it. Launches do not use
 * this connection, but the worker's Lanes. Context: one thread.
 */
class WorkerLink {
public:
	/** using Start - a function that starts a worker, such as WorkerProcess::start(). */
	using Start = base::Result<WorkerProcess>(std::string &why);

	/* A worker that does not answer within this time counts as dead. The time is long because a worker
	 * has a low priority, and may be slow on a busy machine. */
	static constexpr uint64_t ANSWER_NS = 60 * base::NS_PER_S;

	/** init() - prepares the link. @threads: threads of each process. @how: starts a process
	 * @heap_bytes: private memory of each process, in addition to the memories of its cores
	 * @answer_ns: how long a process may take for an answer. Return: NO_RESOURCE, NO_MEMORY. */
	base::Status init(uint32_t threads, Start *how, uint64_t heap_bytes, Lanes &lanes,
			  uint32_t cube_cores = 0, uint64_t answer_ns = ANSWER_NS);

	/** start() - starts a process, unless there is one, and gives it the memory and the images.
	 * Return: NOT_SUPPORTED: there is no such program; TIMEOUT: it does not answer; NO_RESOURCE,
	 * BAD_KERNEL. */
	base::Status start();

	/** is_running() - whether there is a process. messages() - sent to it. */
	bool is_running() const { return process_.is_running(); }
	uint64_t messages() const { return messages_; }

	/** load() - loads the image of @job, with a table of its entries. Sets the result of @job. */
	void load(KernelJob &job);

	/** refuse() - sets the result of @job, for which start() has returned @status. */
	void refuse(KernelJob &job, base::Status status);

	/** fail() - sets the result of a launch that has ended badly. Context: end() was called.
	 * @text: the error message of the worker; of a launch that is late, where its blocks were */
	void fail(KernelJob &job, Ending how, const unpu_worker_answer &answer,
		  const std::string &text);

	/** change() - changes the mapped memory; it takes effect with the next message. */
	void change(MemoryChange change);

	/** forget() - the image was unloaded. */
	void forget(uint32_t image);

	/** ask_place() - asks the process where the blocks of launch @number are; see Lanes::place(). */
	void ask_place(uint32_t number);

	/** wait() - sleeps until wake(), an unexpected message, or the deadline.
	 * @kick: also wait for the kick. Return: false: the process has ended, or has sent a message. */
	bool wait(uint64_t deadline_ns, bool kick);

	/** wake() - ends wait(). stop_load() - also ends a load that runs. Context: any thread. */
	void wake();
	void stop_load();

	/** allow_load() - ends the effect of stop_load(). */
	void allow_load() { base::store_relaxed(stops_, uint32_t{0}); }

	/** cpu_ns() - see WorkerProcess. */
	uint64_t cpu_ns() const { return process_.cpu_ns(); }

	/** end() - ends the process. */
	void end() { process_.kill(); }

	/** is_debugged() - whether a debugger was attached to this process when the worker started. A
	 * debugger may stop the worker or this process for any time, so no kernel and no answer counts as
	 * late. */
	bool is_debugged() const { return is_debugged_; }

private:
	enum class Answer { GOOD, LATE, STOPPED, DEAD };

	uint64_t answer_deadline_ns() const;
	base::Status begin_process();
	base::Status make_table();
	bool send(const unpu_worker_message &head, std::initializer_list<int> files = {});
	bool send_map(const MemoryChange &range);
	bool send_load(const KernelImage &image, int table);
	Answer await(uint32_t type, unpu_worker_answer &answer);
	base::Status fetch_infos(const base::Fd &table, uint32_t count, KernelJob &job);
	void describe_failure(KernelJob &job, const unpu_worker_answer &answer,
			      const std::string &text);
	std::string describe_limit() const;
	std::string describe_signal(const unpu_worker_answer &answer);
	std::string find_line(const unpu_worker_answer &answer);
	std::string near(uint64_t address) const;

	uint32_t threads_ = 1;
	Start *start_ = nullptr;
	uint32_t cube_cores_ = 0;
	uint64_t answer_ns_ = ANSWER_NS;
	uint64_t heap_bytes_ = 0;
	Lanes *lanes_ = nullptr;
	WorkerProcess process_;
	bool is_debugged_ = false;
	uint64_t messages_ = 0;
	std::string why_; /* why the last process did not start */
	base::Fd wake_;	  /* eventfd */
	base::Fd table_;
	uint32_t stops_ = 0;
	std::map<uint64_t, MemoryChange> memory_;
	std::map<uint32_t, std::shared_ptr<KernelImage>> images_;
};

} // namespace fw

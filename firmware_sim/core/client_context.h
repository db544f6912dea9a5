// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "core.h"
#include "firmware_sim/memory/mmu.h"
#include "firmware_sim/schedule/host_calls.h"
#include "firmware_sim/schedule/semaphores.h"
#include "firmware_sim/worker/kernel_job.h"

namespace fw {

class Graph;
struct HostFile;
struct Outcome;
struct Task;

/**
 * class ClientContext - what channels, graphs and commands know of their client: its memory, its semaphores and
 * its limits. Context: under the step token.
 */
class ClientContext : public KernelClient {
public:
	ClientContext(const ClientContext &) = delete;
	ClientContext &operator=(const ClientContext &) = delete;

	/** graph(), find_file() - graphs and files by number. Return: nullptr: there is none. */
	virtual Graph *graph(uint32_t id) const = 0;
	virtual std::shared_ptr<HostFile> find_file(uint32_t id) const = 0;

	/** launch_kernel() - gives a launch to the client's worker. */
	virtual Outcome launch_kernel(const Task &task) = 0;

	/** explain() - stores a message about the failed packet with @cookie. The driver can fetch it. */
	virtual void explain(uint64_t cookie, std::string sentence) = 0;

	/** disown_kernel() - see Workers::disown(). */
	virtual void disown_kernel(Waiter &waiter) = 0;

	/** broken() - whether the client is cut off. */
	bool broken() const { return is_broken_; }

	/** stop_work() - disowns the work of engines and disks for @waiter: no waiter is told of its
	 * end. Does not wait. */
	void stop_work(Waiter &waiter);

	/** forget() - removes @waiter from every list in which it may be parked. Does not wait. */
	void forget(Waiter &waiter);

	Core &core;
	const std::shared_ptr<Account> account;
	const base::FenceScope fence;
	uint32_t number = 0; /* number of the client on the device */
	Mmu mmu;
	Semaphores semaphores;
	HostCalls calls;
	ClientQueue client_queue;      /* unit of fair scheduling for its channels and graphs */
	bool has_overflowed = false;   /* an operator overflowed since the last clear */
	uint64_t execute_limit_ns = 0; /* time limit of work on engines; 0: none */
	Counters counted;	       /* counts that no other object keeps, plus those of destroyed
					* channels */

protected:
	/** @queue: the call queue of the client */
	ClientContext(Core &device, base::FenceScope scope, std::shared_ptr<Account> charged,
		      unpu_call_entry *queue);
	~ClientContext() = default;

	bool is_broken_ = false;
};

} // namespace fw

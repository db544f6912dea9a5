// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>

#include "job.h"
#include "pieces.h"

namespace fw {

/** struct Split - a job of the engines, and how much of it has been handed out. Lock: the engines'. */
struct Split {
	std::unique_ptr<Job> job;
	const class Engines *engines = nullptr;
	Cut cut;
	uint64_t next = 0;    /* first unit that no engine has taken */
	uint64_t end = 0;     /* one more than the last such unit */
	unsigned running = 0; /* number of items that have not ended */
	bool is_queued = false;
	std::list<std::shared_ptr<Split>>::iterator place; /* while queued */
	uint64_t arrival = 0; /* while queued: its place in the order of the jobs */

	bool is_cut() const { return cut.units != 0 || job->step; }
	bool is_ordered() const { return cut.is_ordered || job->step; }
	/** items() - number of items that engines could begin now. */
	uint64_t items() const;
	/** is_heavy() - whether one unit takes so long that others must not wait for it. */
	bool is_heavy() const;
};

/**
 * class JobQueue - the jobs of which engines could begin an item. Clients take turns. The jobs of one client come in
 * the order in which they arrived; while no heavy job may begin, the other ones pass the heavy ones. Lock: the
 * engines'.
 */
class JobQueue {
public:
	bool empty() const { return clients_.empty(); }

	/** clients() - how many clients have jobs here. */
	size_t clients() const { return clients_.size(); }

	/** has() - whether there is a job of @client_queue. */
	bool has(const void *client_queue) const;

	/** next() - the job that has the next turn. @heavy: whether it may be a heavy one
	 * Return: NULL if there is none. */
	Split *next(bool heavy) const;

	void append(const std::shared_ptr<Split> &split);

	/** end_turn() - the client of @split has had its turn with it. @is_done: the job leaves the queue. */
	void end_turn(Split &split, bool is_done);

	void take_out(Split &split);

	/** take_all() - takes the jobs of a client out. */
	std::list<std::shared_ptr<Split>> take_all(const void *client_queue);

	void clear() { clients_.clear(); }

private:
	using Splits = std::list<std::shared_ptr<Split>>;

	/* The jobs of one client. At least one of the lists is not empty. */
	struct Client {
		const void *client_queue;
		Splits light;
		Splits heavy;

		bool empty() const { return light.empty() && heavy.empty(); }
		Splits &of(const Split &split) { return split.is_heavy() ? heavy : light; }
		Split *first(bool may_be_heavy) const;
	};

	std::deque<Client>::iterator find(const void *client_queue);
	static void remove(Client &client, Split &split);

	std::deque<Client> clients_; /* the front has the next turn */
	uint64_t arrived_ = 0;
};

} // namespace fw

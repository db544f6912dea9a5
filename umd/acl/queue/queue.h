// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>

#include "base/sync/bell.h"
#include "base/sync/mutex.h"
#include "buffer.h"
#include "item_ring.h"
#include "umd/core/process/process.h"

namespace umd {

constexpr size_t QUEUE_NAME_BYTES = 128; /* size with the terminating zero */
constexpr uint32_t QUEUE_DEPTH = 8;	 /* default capacity */
constexpr uint32_t QUEUE_DEPTH_MIN = 2;
constexpr uint32_t QUEUE_DEPTH_MAX = 8192;

/** enum class RouteState - numbers as in acl_tdt_queue.h. */
enum class RouteState : int32_t { UNBOUND = 0, BOUND = 1, ABNORMAL = 2 };

/** struct Route - buffers that arrive in queue @from move on to queue @to. */
struct Route {
	uint32_t from = 0;
	uint32_t to = 0;
	RouteState state = RouteState::UNBOUND;
};

/**
 * class Queues - the queues of the process: rings of buffers with numbers that are never reused. The thread
 * that enqueues or dequeues a buffer also moves buffers along the routes. Context: any thread. The functions
 * set the error message; all return NO_QUEUE if no queue has the number.
 */
class Queues {
public:
	static Queues &get() { return Process::own<Queues>(); }

	base::Result<uint32_t> create(std::string name, uint32_t depth);
	/** destroy() - destroys a queue and frees its buffers. Threads that wait for it get an error, and its
	 * routes become ABNORMAL. */
	base::Status destroy(uint32_t id);
	base::Status check(uint32_t id);

	/** enqueue() - @deadline_ns: 0 does not wait. Return: QUEUE_FULL, and the caller keeps the buffer; or
	 * as Buffers::give_to_queue(). */
	base::Status enqueue(uint32_t id, const void *buffer, uint64_t deadline_ns);
	/** dequeue() - removes the first buffer. Return: QUEUE_EMPTY. */
	base::Status dequeue(uint32_t id, void **buffer, uint64_t deadline_ns);

	/** dequeue_data() - copies the data of the first buffer and its chain, and its private area,
	 * and frees it. @data: host or device memory; @used: out, bytes of data.
	 * Return: QUEUE_EMPTY; INVALID_ARGUMENT when @data is too small, or not memory: the buffer stays. */
	base::Status dequeue_data(uint32_t id, void *data, size_t bytes, size_t *used, void *area,
				  size_t area_bytes, uint64_t deadline_ns);

	/** bind() - adds a route. Return: NO_QUEUE; INVALID_ARGUMENT if the routes would form a cycle or the
	 * route exists. */
	base::Status bind(const Route &route);
	/** unbind() - removes a route. Return: INVALID_ARGUMENT if the route does not exist. */
	base::Status unbind(const Route &route);
	/** routes() - all routes that are bound. */
	std::vector<Route> routes();

private:
	/* The ring is under the lock. */
	struct Queue {
		Queue(std::string called, size_t depth) : name(std::move(called)), ring(depth) {}

		const std::string name;
		ItemRing<Buffer *> ring;
		base::Bell changed;
	};

	std::shared_ptr<Queue> find(uint32_t id) REQUIRES(mutex_);
	base::Status wait_for(uint32_t id, uint64_t deadline_ns,
			      std::unique_lock<base::Mutex> &lock, bool room,
			      std::shared_ptr<Queue> &queue) REQUIRES(mutex_);
	bool leads_to(uint32_t from, uint32_t to) const REQUIRES(mutex_);
	bool forward(uint32_t id) REQUIRES(mutex_);
	void move_on() REQUIRES(mutex_);

	base::Mutex mutex_{"Queues::mutex_"};
	std::map<uint32_t, std::shared_ptr<Queue>> queues_ GUARDED_BY(mutex_);
	std::vector<Route> routes_ GUARDED_BY(mutex_);
	uint32_t next_ GUARDED_BY(mutex_) = 0;
};

} // namespace umd

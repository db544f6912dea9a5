// SPDX-License-Identifier: MIT
/**
 * DOC: Queues of buffers
 *
 * Queues are rings of buffers. A route forwards the first buffer of a queue to others as soon as each of them
 * has room. There is no thread for that: each call that enqueues, dequeues, binds or destroys runs move_on().
 */
#include "queue.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "uapi/operator.h"
#include "umd/core/memory/host_view.h"
#include "umd/core/process/error.h"

namespace umd {

using base::Result;
using base::Status;

static Status no_queue(uint32_t id)
{
	return set_error(Status::NO_QUEUE,
			 fmt::format("queue {} does not exist; acltdtCreateQueue makes one", id));
}

std::shared_ptr<Queues::Queue> Queues::find(uint32_t id)
{
	auto found = queues_.find(id);
	return found == queues_.end() ? nullptr : found->second;
}

Result<uint32_t> Queues::create(std::string name, uint32_t depth)
{
	std::lock_guard lock(mutex_);
	if (next_ == UINT32_MAX)
		return set_error(Status::NO_RESOURCE,
				 "the process has made 2^32 queues, and none of their numbers is "
				 "used again; start another one");
	queues_[next_] = std::make_shared<Queue>(std::move(name), depth);
	return next_++;
}

Status Queues::destroy(uint32_t id)
{
	std::lock_guard lock(mutex_);
	auto queue = find(id);
	if (!queue)
		return no_queue(id);
	while (!queue->ring.empty())
		Buffers::get().drop(*queue->ring.pop());
	queues_.erase(id);
	for (Route &route : routes_) {
		if (route.from == id || route.to == id)
			route.state = RouteState::ABNORMAL;
	}
	queue->changed.ring();
	move_on();
	return Status::OK;
}

Status Queues::check(uint32_t id)
{
	std::lock_guard lock(mutex_);
	return find(id) ? Status::OK : no_queue(id);
}

/* Waits until the queue has room if @room is set, else until it has a buffer. */
Status Queues::wait_for(uint32_t id, uint64_t deadline_ns, std::unique_lock<base::Mutex> &lock,
			bool room, std::shared_ptr<Queue> &queue)
{
	for (;;) {
		queue = find(id);
		if (!queue)
			return no_queue(id);
		if (room ? !queue->ring.full() : !queue->ring.empty())
			return Status::OK;
		if (queue->changed.wait(lock, deadline_ns))
			continue;
		if (room)
			return set_error(Status::QUEUE_FULL,
					 fmt::format("queue {} is full: it has {} buffers; "
						     "acltdtDequeue takes one out",
						     id, queue->ring.size()));
		return set_error(
			Status::QUEUE_EMPTY,
			fmt::format("queue {} is empty; acltdtEnqueue puts a buffer in", id));
	}
}

Status Queues::enqueue(uint32_t id, const void *buffer, uint64_t deadline_ns)
{
	std::unique_lock lock(mutex_);
	std::shared_ptr<Queue> queue;
	TRY(wait_for(id, deadline_ns, lock, true, queue));
	auto taken = TRY(Buffers::get().give_to_queue(buffer));
	queue->ring.push(taken);
	queue->changed.ring();
	move_on();
	return Status::OK;
}

Status Queues::dequeue(uint32_t id, void **buffer, uint64_t deadline_ns)
{
	std::unique_lock lock(mutex_);
	std::shared_ptr<Queue> queue;
	TRY(wait_for(id, deadline_ns, lock, false, queue));
	*buffer = Buffers::get().take_from_queue(*queue->ring.pop());
	queue->changed.ring();
	move_on();
	return Status::OK;
}

static size_t used_bytes(const Buffer &buffer)
{
	size_t used = buffer.used;
	for (const Buffer *each : buffer.chain)
		used += each->used;
	return used;
}

static Status copy_out(const Buffer &buffer, const HostView &to)
{
	uint64_t done = buffer.used;
	TRY(move_bytes(to, 0, host_view(buffer.data.get()), 0, buffer.used));
	for (const Buffer *each : buffer.chain) {
		TRY(move_bytes(to, done, host_view(each->data.get()), 0, each->used));
		done += each->used;
	}
	return Status::OK;
}

Status Queues::dequeue_data(uint32_t id, void *data, size_t bytes, size_t *used, void *area,
			    size_t area_bytes, uint64_t deadline_ns)
{
	HostView to;
	TRY(view_range("data", data, bytes, UNPU_ACCESS_WRITE, to));
	std::unique_lock lock(mutex_);
	std::shared_ptr<Queue> queue;
	TRY(wait_for(id, deadline_ns, lock, false, queue));
	size_t wanted = used_bytes(*queue->ring.first());
	*used = wanted;
	if (wanted > bytes)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("dataSize is {}; the first buffer of queue {} has {} "
					     "bytes, and stays there",
					     bytes, id, wanted));
	Buffer *buffer = queue->ring.pop();
	queue->changed.ring();
	move_on();
	lock.unlock();
	const Status status = copy_out(*buffer, to);
	if (area)
		memcpy(area, buffer->area.data(), area_bytes);
	Buffers::get().drop(*buffer);
	return status;
}

/* Whether the routes forward a buffer from @from to @to, directly or through other queues. */
bool Queues::leads_to(uint32_t from, uint32_t to) const
{
	if (from == to)
		return true;
	return std::any_of(routes_.begin(), routes_.end(),
			   [&](const Route &route) REQUIRES(mutex_) {
				   return route.from == from && route.state == RouteState::BOUND &&
					  leads_to(route.to, to);
			   });
}

/* Moves the first buffer of a queue to each queue it has a route to. Return: whether it moved. */
bool Queues::forward(uint32_t id)
{
	auto queue = find(id);
	if (!queue || queue->ring.empty())
		return false;
	std::vector<std::shared_ptr<Queue>> targets;
	for (const Route &route : routes_) {
		if (route.from != id || route.state != RouteState::BOUND)
			continue;
		targets.push_back(find(route.to));
		if (targets.back()->ring.full())
			return false;
	}
	if (targets.empty())
		return false;
	std::vector<Buffer *> copies;
	while (copies.size() + 1 < targets.size()) {
		auto copy = Buffers::get().share_queued(*queue->ring.first());
		if (!copy)
			break;
		copies.push_back(*copy);
	}
	if (copies.size() + 1 < targets.size()) {
		/* There is no free handle for a reference, so the buffer stays in its queue for a later
		 * move_on(). */
		for (Buffer *each : copies)
			Buffers::get().drop(*each);
		return false;
	}
	copies.push_back(queue->ring.pop());
	queue->changed.ring();
	for (size_t i = 0; i < targets.size(); i++) {
		targets[i]->ring.push(copies[i]);
		targets[i]->changed.ring();
	}
	return true;
}

void Queues::move_on()
{
	bool moved = true;
	while (moved) {
		moved = false;
		for (size_t i = 0; i < routes_.size(); i++)
			moved = forward(routes_[i].from) || moved;
	}
}

Status Queues::bind(const Route &route)
{
	std::lock_guard lock(mutex_);
	for (uint32_t id : {route.from, route.to}) {
		if (!find(id))
			return no_queue(id);
	}
	if (leads_to(route.to, route.from))
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("a route from queue {} to queue {} would close a cycle",
				    route.from, route.to));
	auto same = std::find_if(routes_.begin(), routes_.end(), [&](const Route &each) {
		return each.from == route.from && each.to == route.to;
	});
	if (same != routes_.end())
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("the route from queue {} to queue {} is bound already",
					     route.from, route.to));
	routes_.push_back({route.from, route.to, RouteState::BOUND});
	move_on();
	return Status::OK;
}

Status Queues::unbind(const Route &route)
{
	std::lock_guard lock(mutex_);
	auto gone = std::erase_if(routes_, [&](const Route &each) {
		return each.from == route.from && each.to == route.to;
	});
	if (gone > 0)
		return Status::OK;
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("no route from queue {} to queue {} is bound", route.from, route.to));
}

std::vector<Route> Queues::routes()
{
	std::lock_guard lock(mutex_);
	return routes_;
}

} // namespace umd

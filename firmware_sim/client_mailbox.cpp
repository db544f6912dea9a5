// SPDX-License-Identifier: MIT
/**
 * DOC: Client, its mailbox
 *
 * One request at a time, copied before it is looked at, and answered when its client may ask.
 */
#include <algorithm>
#include <cstring>
#include <new>

#include "base/ordering.h"
#include "channel.h"
#include "client.h"
#include "cores.h"
#include "graph.h"

namespace fw {

using base::Status;

void Client::memory_info(unpu_msg_memory_info &reply) const
{
	const uint64_t quota = core.config.quotas.memory_bytes;
	reply.total_bytes = core.config.memory_bytes;
	if (quota)
		reply.total_bytes = std::min(reply.total_bytes, quota);
	reply.free_bytes =
		std::min(core.memory->left(Resource::MEMORY), account->left(Resource::MEMORY));
	reply.pages_4k = core.segments_by_pages[UNPU_PAGE_4K];
	reply.pages_thp = core.segments_by_pages[UNPU_PAGE_THP];
	reply.pages_huge = core.segments_by_pages[UNPU_PAGE_HUGETLB];
}

void Client::device_info(unpu_msg_device_info &reply) const
{
	const CoreFacts &facts = core_facts();
	reply.uptime_ns = base::now_ns() - core.boot_ns;
	reply.busy_ns = core.busy.total_ns();
	reply.engines_busy_ns = core.engines.busy_ns();
	reply.local_bytes = facts.local_bytes;
	reply.core_bytes = facts.core_bytes;
	reply.shared_bytes = facts.shared_bytes;
	reply.cores = 1 + core.config.engines;
	reply.clock_mhz = facts.clock_mhz;
}

Status Client::handle(const unpu_message &request, unpu_message &reply)
{
	if (request.status || request.reserved)
		return Status::BAD_MESSAGE;
	if (core.faults) [[unlikely]]
		TRY(core.faults->message(request.type, number));
	switch (request.type) {
	case UNPU_MSG_SEGMENT_CREATE:
		return segment_create(request.segment, reply.segment);
	case UNPU_MSG_SEGMENT_DESTROY:
		return segment_destroy(request.segment.segment);
	case UNPU_MSG_MAP:
		return map(request.map);
	case UNPU_MSG_UNMAP:
		return unmap(request.map);
	case UNPU_MSG_RESERVE:
		return reserve(request.map, false);
	case UNPU_MSG_RELEASE:
		return reserve(request.map, true);
	case UNPU_MSG_PROTECT:
		return protect(request.map);
	case UNPU_MSG_CHANNEL_CREATE:
		return channel_create(request.channel, reply.channel);
	case UNPU_MSG_CHANNEL_DESTROY:
		return channel_destroy(request.channel.channel);
	case UNPU_MSG_CHANNEL_CONTROL:
		return channel_control(request.control);
	case UNPU_MSG_CHANNEL_ABORT:
		return channel_abort(request.abort);
	case UNPU_MSG_CLIENT_CONTROL:
		return client_control(request.client);
	case UNPU_MSG_SEM_SET:
		return sem_set(request.sem);
	case UNPU_MSG_GRAPH_LOAD:
		return graph_load(request.graph, reply.graph);
	case UNPU_MSG_GRAPH_UNLOAD:
		return graph_unload(request.graph.graph);
	case UNPU_MSG_GRAPH_TRACE:
		return graph_trace(request.graph);
	case UNPU_MSG_MEMORY_INFO:
		memory_info(reply.info);
		return Status::OK;
	case UNPU_MSG_EXPORT:
		return share(request.share, reply.share);
	case UNPU_MSG_EXPORT_ALLOW:
		return allow(request.allow);
	case UNPU_MSG_IMPORT:
		return import(request.share, reply.share);
	case UNPU_MSG_EXPORT_FIND:
		return find_export(request.share, reply.share);
	case UNPU_MSG_UNEXPORT:
		return unshare(request.share);
	case UNPU_MSG_UNIMPORT:
		return semaphores.leave(request.share.semaphores[0]);
	case UNPU_MSG_FILE_CLOSE:
		return file_close(request.file);
	case UNPU_MSG_DEVICE_INFO:
		device_info(reply.device);
		return Status::OK;
	default:
		return Status::BAD_MESSAGE;
	}
}

/* A client that asks more often than its quota allows is answered later. */
bool Client::may_ask()
{
	const uint64_t quota = core.config.quotas.messages;
	if (quota == 0)
		return true;
	if (late_.deadline_ns != base::NO_DEADLINE)
		return false;
	const uint64_t each_ns = base::NS_PER_S / quota;
	const uint64_t now = base::now_ns();
	/* What was not asked for in the last tenth of a second may be asked for at once. */
	next_ask_ns_ = std::max(next_ask_ns_, now - base::NS_PER_S / 10) + each_ns;
	if (next_ask_ns_ <= now + each_ns)
		return true;
	next_ask_ns_ -= each_ns;
	core.timers.add(late_, next_ask_ns_);
	return false;
}

void Client::mailbox()
{
	const auto *source = reinterpret_cast<const uint32_t *>(&shared_->request);
	uint32_t words[sizeof(unpu_message) / sizeof(uint32_t)];
	words[0] = base::load_acquire(source[0]);
	if (words[0] == last_sequence_ || loading_.in_engine || !may_ask())
		return;
	for (size_t i = 1; i < sizeof(words) / sizeof(words[0]); i++)
		words[i] = base::load_relaxed(source[i]);
	unpu_message request;
	memcpy(&request, words, sizeof(request));
	/* The number only grows, whatever the client writes. */
	request_number_ = semaphores.value(UNPU_SEM_MAILBOX) +
			  static_cast<uint32_t>(request.sequence - last_sequence_);
	last_sequence_ = request.sequence;
	counted.messages++;
	if (core.trace.on())
		core.trace.put(UNPU_TRACE_MESSAGE, number, 0, 0, request.type, request_number_);
	reply_ = unpu_message{};
	reply_.sequence = request.sequence;
	reply_.type = request.type;
	Status status = Status::NO_MEMORY;
	try {
		status = handle(request, reply_);
	} catch (const std::bad_alloc &) {
		/* What the request had made is gone again. */
	}
	if (!loading_.in_engine)
		answer(status);
}

void Client::answer(Status status)
{
	reply_.status = static_cast<uint32_t>(status);
	/* Who reads the answer is to see that it was the last one. */
	if (stuck_ && !broken_) [[unlikely]]
		core.watchdog.cut_off(*this, stuck_->cookie, stuck_->since_ns, base::now_ns(),
				      core);
	memcpy(&completion_->reply, &reply_, sizeof(reply_));
	semaphores.set(UNPU_SEM_MAILBOX, request_number_);
}

} // namespace fw

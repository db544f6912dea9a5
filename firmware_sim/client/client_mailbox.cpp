// SPDX-License-Identifier: MIT
/**
 * DOC: Client, its mailbox
 *
 * The mailbox handles one request at a time. It copies a request before it checks it, and delays the
 * answer of a client that exceeds its rate.
 */
#include <algorithm>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include "base/json/controls.h"
#include "base/sync/ordering.h"
#include "client.h"
#include "firmware_sim/core/cores.h"
#include "firmware_sim/graph/graph.h"
#include "firmware_sim/packet/channel.h"
#include "hang_search.h"

namespace fw {

using base::Status;

void Client::memory_info(unpu_msg_memory_info &reply) const
{
	const uint64_t quota = core.config.quotas.memory_bytes;
	reply.total_bytes = core.config.memory_bytes;
	if (quota)
		reply.total_bytes = std::min(reply.total_bytes, quota);
	const uint64_t left =
		core.memory->left(Resource::MEMORY) + core.returning->used(Resource::MEMORY);
	reply.free_bytes =
		std::min({left, core.config.memory_bytes, account->left(Resource::MEMORY)});
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

/* Words must be aligned in this process as they are for the client, so the segment begins at a whole unit. */
Status Client::map_in_place(const unpu_msg_map &request)
{
	if (request.offset || request.reserved)
		return Status::INVALID_ARGUMENT;
	if (!core.config.reaches_clients)
		return Status::NOT_SUPPORTED;
	const uint64_t before = request.va % UNPU_MAP_UNIT;
	auto segment = std::make_shared<Segment>();
	segment->kind = UNPU_SEGMENT_PINNED;
	segment->data = reinterpret_cast<std::byte *>(request.va - before);
	segment->bytes = request.bytes + before;
	segment->is_clients = true;
	Charge entries;
	TRY(account->charge(Resource::ENTRIES, 1, entries));
	return mmu.map(request.va, request.bytes, std::move(segment), before, request.access,
		       std::move(entries));
}

Status Client::handle(const unpu_message &request, unpu_message &reply)
{
	if (request.status || request.reserved)
		return Status::BAD_MESSAGE;
	if (core.faults) [[unlikely]]
		TRY(core.faults->message(request.type, number));
	return serve(request, reply);
}

Status Client::serve(const unpu_message &request, unpu_message &reply)
{
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
	case UNPU_MSG_FILE_CLOSE:
		return file_close(request.file);
	case UNPU_MSG_DEVICE_INFO:
		device_info(reply.device);
		return Status::OK;
	default:
		return serve_share(request, reply);
	}
}

/* Serves requests for sharing between clients. */
Status Client::serve_share(const unpu_message &request, unpu_message &reply)
{
	switch (request.type) {
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
	default:
		return serve_kernels(request, reply);
	}
}

/* Rate limit: a client that exceeds its quota of messages is served later. */
bool Client::may_ask()
{
	const uint64_t quota = core.config.quotas.messages;
	if (quota == 0)
		return true;
	if (late_.deadline_ns != base::NO_DEADLINE)
		return false;
	const uint64_t each_ns = base::NS_PER_S / quota;
	const uint64_t now = base::now_ns();
	/* Unused quota of the last 100 ms may be used as a burst. */
	next_ask_ns_ = std::max(next_ask_ns_, now - base::NS_PER_S / 10) + each_ns;
	if (next_ask_ns_ <= now + each_ns)
		return true;
	next_ask_ns_ -= each_ns;
	core.timers.add(late_, next_ask_ns_);
	return false;
}

/* If memory runs out, the request fails and the objects that it had made are destroyed. */
Status Client::attempt(Status (Client::*how)(const unpu_message &, unpu_message &))
{
	try {
		return (this->*how)(request_, reply_);
	} catch (const std::bad_alloc &) {
		is_unanswered_ = false;
		return Status::NO_MEMORY;
	}
}

void Client::mailbox()
{
	const auto *source = reinterpret_cast<const uint32_t *>(&shared_->request);
	uint32_t words[sizeof(unpu_message) / sizeof(uint32_t)];
	words[0] = base::load_acquire(source[0]);
	if (words[0] == last_sequence_ || is_unanswered_ || is_broken_ || !may_ask())
		return;
	for (size_t i = 1; i < sizeof(words) / sizeof(words[0]); i++)
		words[i] = base::load_relaxed(source[i]);
	memcpy(&request_, words, sizeof(request_));
	/* The request number only grows, whatever the hostile client writes. */
	request_number_ = semaphores.value(UNPU_SEM_MAILBOX) +
			  static_cast<uint32_t>(request_.sequence - last_sequence_);
	last_sequence_ = request_.sequence;
	counted.messages++;
	if (core.trace.on())
		core.trace.put(UNPU_TRACE_MESSAGE, number, 0, 0, request_.type, request_number_);
	reply_ = unpu_message{};
	reply_.sequence = request_.sequence;
	reply_.type = request_.type;
	const Status status = attempt(&Client::handle);
	if (!is_unanswered_)
		answer(status);
}

/* For the log: one line about this client. */
void Client::note(const std::string &text) const
{
	constexpr size_t MOST = 400;
	const auto user = account->user();
	if (!core.config.note || !user)
		return;
	core.config.note(*user, fmt::format("client {} of device {} (process {}, user {}): {}",
					    number, core.config.index, pid_, *user,
					    base::without_controls(text.substr(0, MOST))));
}

static const char *request_name(uint32_t type)
{
	switch (type) {
#define REQUEST_NAME(name, number) \
	case number: \
		return #name;
		UNPU_MESSAGE_LIST(REQUEST_NAME)
#undef REQUEST_NAME
	default:
		return "?";
	}
}

/* For the log: which quotas the client has, and what it has taken of them. */
void Client::note_refusal() const
{
	const Quotas &quotas = core.config.quotas;
	std::string text;
	const auto add = [&](uint64_t used, uint64_t most, const char *what) {
		if (most != 0)
			text += fmt::format(", {} of {} {}", used, most, what);
	};
	const auto channels = std::count_if(channels_.begin(), channels_.end(),
					    [](const auto &channel) { return channel != nullptr; });
	add(account->used(Resource::MEMORY), quotas.memory_bytes, "bytes of memory");
	add(static_cast<uint64_t>(channels), quotas.channels, "channels");
	add(graphs_.size(), quotas.graphs, "graphs");
	add(account->used(Resource::ENTRIES), quotas.entries, "entries");
	add(account->used(Resource::DESCRIPTORS), quotas.descriptors, "descriptors");
	if (request_.type == UNPU_MSG_SEGMENT_CREATE)
		text += fmt::format("; it asks for {} bytes", request_.segment.bytes);
	note(fmt::format("{} is refused by a quota; in use are{}", request_name(request_.type),
			 text.substr(std::min<size_t>(1, text.size()))));
}

void Client::answer(Status status)
{
	if (status == Status::QUOTA) [[unlikely]]
		note_refusal();
	reply_.status = static_cast<uint32_t>(status);
	memcpy(&completion_->reply, &reply_, sizeof(reply_));
	semaphores.set(UNPU_SEM_MAILBOX, request_number_);
}

void Client::answer_late(Status status)
{
	is_unanswered_ = false;
	answer(status);
	mailbox();
}

/* How long a request waits for a transfer: a file operation may never end. */
static constexpr uint64_t DISK_PATIENCE_NS = 200 * base::NS_PER_MS;

/*
 * Defers a request that must wait for engines or disks, because the step token may not be held
 * meanwhile. The request is served again from its beginning when a job or transfer has ended. The
 * client's channels and graphs get no turns meanwhile, so the state that the request depends on does
 * not change.
 */
Status Client::defer()
{
	is_unanswered_ = true;
	if (!client_queue.is_paused) {
		disk_limit_ns_ = base::deadline_after(DISK_PATIENCE_NS);
		core.timers.add(deferred_, disk_limit_ns_);
		client_queue.is_paused = true;
		core.deferred++;
	}
	return Status::NOT_READY;
}

void Client::end_deferral()
{
	is_unanswered_ = false;
	if (!client_queue.is_paused)
		return;
	core.deferred--;
	core.timers.remove(deferred_);
	client_queue.is_paused = false;
	core.queue.release(client_queue);
}

void Client::resume()
{
	if (!client_queue.is_paused || is_broken_)
		return;
	is_unanswered_ = false;
	const Status status = attempt(&Client::serve);
	if (is_unanswered_)
		return;
	is_abandoning_ = false;
	end_deferral();
	answer_late(status);
}

/* A request must not wait forever for an engine, even if the watchdog is off. */
void Client::find_overdue()
{
	const uint64_t now_ns = base::now_ns(), patience_ns = core.watchdog.patience_ns();
	try {
		core.timers.add(deferred_, now_ns + DISK_PATIENCE_NS);
	} catch (const std::bad_alloc &) {
		/* No memory for the timer: the end of the job still wakes the device. */
	}
	for (const TimedOutWork &late : core.engines.overdue(now_ns, patience_ns)) {
		if (late.client == number)
			return cut_off(*this, late.cookie, late.since_ns, now_ns);
	}
}

/* Whether a deferred request may still wait for disks. */
bool Client::is_patient() const
{
	return !client_queue.is_paused || base::now_ns() < disk_limit_ns_;
}

/* Stops the graph that @channel has launched, and the work of engines and disks for both.
 * Return: whether all of it has ended. */
bool Client::has_stopped(Channel &channel)
{
	if (!has_abandoned(channel))
		return false;
	stop_work(channel);
	if (kernels_.supervisor && core.workers.settles(*kernels_.supervisor))
		return false;
	return !core.engines.settles(&client_queue) &&
	       !(is_patient() && core.storage.settles(&client_queue));
}

} // namespace fw

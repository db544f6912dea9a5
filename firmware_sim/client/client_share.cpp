// SPDX-License-Identifier: MIT
/**
 * DOC: What a client shares
 *
 * The requests by which a client exports memory and semaphores and imports those of other clients. An
 * importer gets no more than was exported, and never a descriptor of memory that holds other data.
 */
#include <algorithm>
#include <cstring>
#include <new>

#include "client.h"
#include "firmware_sim/core/exchange.h"
#include "firmware_sim/packet/channel.h"
#include "uapi/event.h"

namespace fw {

using base::Result;
using base::Status;

/* The most ended exports that one request frees. */
static constexpr unsigned ENDED_EACH = 256;

static bool zero(const unpu_export_key &key)
{
	const unpu_export_key none{};
	return memcmp(&key, &none, sizeof(key)) == 0;
}

Result<std::shared_ptr<Segment>> Client::own_segment(uint64_t id) const
{
	auto found = segments_.find(id);
	if (found == segments_.end())
		return Status::INVALID_HANDLE;
	/* Only the exporter may export a segment, not an importer. */
	if (found->second->kind == UNPU_SEGMENT_CHANNEL || found->second->of)
		return Status::NOT_SUPPORTED;
	return found->second;
}

Status Client::export_memory(const unpu_msg_export &request, Export &what)
{
	auto segment = TRY(own_segment(request.segment));
	if (request.count != 0 || request.bytes == 0 || request.offset % UNPU_MAP_UNIT != 0 ||
	    request.offset > segment->bytes || request.bytes > segment->bytes - request.offset)
		return Status::INVALID_ARGUMENT;
	what.segment = segment;
	what.offset = request.offset;
	what.bytes = request.bytes;
	return Status::OK;
}

bool Client::is_timeline(uint32_t sem) const
{
	return std::any_of(channels_.begin(), channels_.end(), [sem](const auto &channel) {
		return channel && channel->timeline() == sem;
	});
}

/* Only the channel itself signals its timeline, so a timeline can only become a mirror. */
bool Client::may_join(unpu_export_kind kind, const unpu_msg_export &request) const
{
	const uint32_t *end = request.semaphores + request.count;
	return kind == UNPU_EXPORT_MIRROR ||
	       std::none_of(request.semaphores, end,
			    [this](uint32_t sem) { return is_timeline(sem); });
}

Status Client::export_group(const unpu_msg_export &request, Export &what, uint32_t &member)
{
	std::shared_ptr<Segment> page;
	if (request.offset || request.bytes || request.count == 0 ||
	    request.count > UNPU_EXPORT_MAX_SEMAPHORES ||
	    (request.kind == UNPU_EXPORT_NOTIFY && request.count != 1))
		return Status::INVALID_ARGUMENT;
	if (request.kind == UNPU_EXPORT_EVENT) {
		page = TRY(own_segment(request.segment));
		/* Members map the page, so it must be a segment that holds no other data. */
		if (!page->fd.valid() || page->bytes < sizeof(unpu_event_page) ||
		    request.count != UNPU_EVENT_LANES)
			return Status::INVALID_ARGUMENT;
	} else if (request.segment) {
		return Status::INVALID_ARGUMENT;
	}
	auto kind = static_cast<unpu_export_kind>(request.kind);
	if (!may_join(kind, request))
		return Status::BAD_SEMAPHORE;
	what.group = std::make_shared<Group>(kind, request.count, std::move(page));
	auto joined = TRY(what.group->join(semaphores, request.semaphores));
	member = request.kind == UNPU_EXPORT_EVENT ? joined : 0;
	return Status::OK;
}

Status Client::share(const unpu_msg_export &request, unpu_msg_export &reply)
{
	if (!zero(request.key) || request.member)
		return Status::BAD_MESSAGE;
	if (request.flags & ~UNPU_EXPORT_FLAGS_MASK || request.kind < UNPU_EXPORT_MEMORY ||
	    request.kind > UNPU_EXPORT_MIRROR)
		return Status::INVALID_ARGUMENT;
	if (exporter_.count == UNPU_EXPORT_MAX_PER_CLIENT) {
		unsigned some = ENDED_EACH;
		(void)core.exchange->free_ended(exporter_, some);
	}
	if (exporter_.count == UNPU_EXPORT_MAX_PER_CLIENT)
		return Status::QUOTA;
	Export what;
	what.owner = &exporter_;
	what.flags = request.flags;
	what.key.kind = request.kind;
	what.key.pid = pid_;
	what.key.device = core.config.index;
	if (request.kind == UNPU_EXPORT_MEMORY)
		TRY(export_memory(request, what));
	else
		TRY(export_group(request, what, reply.member));
	reply.kind = request.kind;
	add_export(std::move(what), reply.key);
	return Status::OK;
}

void Client::add_export(Export what, unpu_export_key &key)
{
	const std::shared_ptr<Group> group = what.group;
	try {
		key = core.exchange->add(std::move(what));
	} catch (const std::bad_alloc &) {
		if (group)
			group->withdraw(semaphores);
		throw;
	}
}

Status Client::allow(const unpu_msg_export_allow &request)
{
	if (request.count == 0 || request.count > UNPU_EXPORT_MAX_PIDS)
		return Status::INVALID_ARGUMENT;
	return core.exchange->allow(&exporter_, *account, request.key, request.pids, request.count);
}

/* Creates a segment of this client that is part, or all, of another client's segment. */
Status Client::adopt(const std::shared_ptr<Segment> &whole, uint64_t offset, uint64_t bytes,
		     unpu_msg_export &reply)
{
	auto part = std::make_shared<Segment>();
	TRY(account->charge(Resource::ENTRIES, 1, part->entry));
	part->id = next_segment_;
	part->kind = whole->kind;
	part->pages = whole->pages;
	part->data = whole->data + offset;
	part->bytes = bytes;
	part->of = whole;
	whole->is_imported = true;
	reply.segment = part->id;
	reply.bytes = bytes;
	if (whole->kind == UNPU_SEGMENT_PINNED)
		reply.flags |= UNPU_EXPORT_PINNED;
	/* A descriptor gives access to the whole segment, so only an importer of the whole segment gets
	 * it. */
	if (whole->fd.valid() && bytes == whole->bytes) {
		base::Fd fd = whole->fd.duplicate();
		if (!fd.valid())
			return Status::NO_RESOURCE;
		TRY(account->charge(Resource::DESCRIPTORS, 1, part->outgoing_descriptor));
		part->outgoing = std::move(fd);
		reply.flags |= UNPU_EXPORT_WHOLE;
	}
	next_segment_++;
	add_segment(std::move(part));
	return Status::OK;
}

Status Client::import(const unpu_msg_export &request, unpu_msg_export &reply)
{
	if (request.segment || request.offset || request.bytes || request.kind || request.flags ||
	    request.member)
		return Status::BAD_MESSAGE;
	auto found = TRY(core.exchange->find(request.key, pid_));
	reply.key = request.key;
	reply.kind = found.key.kind;
	if (!found.group) {
		std::shared_ptr<Segment> segment = found.segment.lock();
		if (!segment)
			return Status::NOT_SHARED;
		if (request.count)
			return Status::INVALID_ARGUMENT;
		TRY(adopt(segment, found.offset, found.bytes, reply));
		segments_.at(reply.segment)->is_own_process = pid_ != 0 && found.key.pid == pid_;
		return Status::OK;
	}
	const std::shared_ptr<Group> &group = found.group;
	if (request.count != group->count())
		return Status::INVALID_ARGUMENT;
	if (semaphores.groups() >= UNPU_EXPORT_MAX_PER_CLIENT)
		return Status::QUOTA;
	if (!may_join(group->kind(), request))
		return Status::BAD_SEMAPHORE;
	auto member = TRY(group->join(semaphores, request.semaphores));
	reply.count = group->count();
	if (!group->page())
		return Status::OK;
	reply.member = member;
	Status status = Status::NO_MEMORY;
	try {
		status = adopt(group->page(), 0, group->page()->bytes, reply);
	} catch (const std::bad_alloc &) {
		/* @status is still a failure, so the group is left below. */
	}
	if (status != Status::OK)
		group->leave(member);
	return status;
}

Status Client::find_export(const unpu_msg_export &request, unpu_msg_export &reply)
{
	unpu_msg_export known{};
	known.key.nonce = request.key.nonce;
	if (memcmp(&known, &request, sizeof(known)) != 0)
		return Status::BAD_MESSAGE;
	auto key = TRY(core.exchange->key_of(request.key.nonce));
	reply.key = key;
	return Status::OK;
}

Status Client::unshare(const unpu_msg_export &request)
{
	auto gone = TRY(core.exchange->withdraw(&exporter_, request.key));
	if (gone.group)
		gone.group->withdraw(semaphores);
	return Status::OK;
}

/* The exports of a segment that was destroyed: they have ended, and are freed in turns. */
void Client::end_exports(Segment &segment)
{
	core.exchange->end(exporter_, segment);
	unsigned some = ENDED_EACH;
	if (!core.exchange->free_ended(exporter_, some))
		core.queue.push(chores_);
}

} // namespace fw

// SPDX-License-Identifier: MIT
/**
 * DOC: Sharing
 *
 * Host half of EXPORT and IMPORT. A reply is untrusted data: its sizes are compared with those of the
 * received descriptor before the descriptor is mapped.
 */
#include "sharing.h"

#include <algorithm>

namespace drv {

using base::Result;
using base::Status;

Result<unpu_export_key> Sharing::export_segment(uint64_t segment, uint64_t offset, uint64_t bytes,
						uint32_t flags)
{
	unpu_message message{};
	message.type = UNPU_MSG_EXPORT;
	message.share.segment = segment;
	message.share.offset = offset;
	message.share.bytes = bytes;
	message.share.kind = UNPU_EXPORT_MEMORY;
	message.share.flags = flags;
	TRY(mailbox_.call(message));
	return message.share.key;
}

Status Sharing::allow(const unpu_export_key &key, std::span<const uint32_t> pids)
{
	while (!pids.empty()) {
		auto some = pids.first(std::min<size_t>(pids.size(), UNPU_EXPORT_MAX_PIDS));
		unpu_message message{};
		message.type = UNPU_MSG_EXPORT_ALLOW;
		message.allow.key = key;
		message.allow.count = static_cast<uint32_t>(some.size());
		std::copy(some.begin(), some.end(), message.allow.pids);
		TRY(mailbox_.call(message));
		pids = pids.subspan(some.size());
	}
	return Status::OK;
}

Status Sharing::withdraw(const unpu_export_key &key)
{
	unpu_message message{};
	message.type = UNPU_MSG_UNEXPORT;
	message.share.key = key;
	return mailbox_.call(message);
}

Result<ImportedSegment> Sharing::take(const unpu_msg_export &reply)
{
	ImportedSegment segment;
	segment.id = reply.segment;
	segment.bytes = reply.bytes;
	segment.is_host = reply.flags & UNPU_EXPORT_PINNED;
	if (!(reply.flags & UNPU_EXPORT_WHOLE))
		return segment;
	auto shared = device_.take_segment(segment.id);
	if (shared && shared->bytes >= segment.bytes) {
		segment.shared = shared.take();
		return segment;
	}
	unpu_message message{};
	message.type = UNPU_MSG_SEGMENT_DESTROY;
	message.segment.segment = segment.id;
	(void)mailbox_.call(message);
	return Status::NO_RESOURCE;
}

Result<unpu_export_key> Sharing::find(uint64_t nonce)
{
	unpu_message message{};
	message.type = UNPU_MSG_EXPORT_FIND;
	message.share.key.nonce = nonce;
	TRY(mailbox_.call(message));
	return message.share.key;
}

Result<ImportedSegment> Sharing::import_segment(const unpu_export_key &key)
{
	if (key.kind != UNPU_EXPORT_MEMORY)
		return Status::NOT_SHARED;
	unpu_message message{};
	message.type = UNPU_MSG_IMPORT;
	message.share.key = key;
	TRY(mailbox_.call(message));
	return take(message.share);
}

Result<GroupMember> Sharing::export_group(unpu_export_kind kind,
					  std::span<const uint32_t> semaphores, uint64_t page,
					  uint32_t flags)
{
	unpu_message message{};
	if (semaphores.size() > std::size(message.share.semaphores))
		return Status::INVALID_ARGUMENT;
	message.type = UNPU_MSG_EXPORT;
	message.share.segment = page;
	message.share.kind = kind;
	message.share.flags = flags;
	message.share.count = static_cast<uint32_t>(semaphores.size());
	std::copy(semaphores.begin(), semaphores.end(), message.share.semaphores);
	TRY(mailbox_.call(message));
	GroupMember member;
	member.key = message.share.key;
	member.number = message.share.member;
	return member;
}

Result<GroupMember> Sharing::import_group(const unpu_export_key &key,
					  std::span<const uint32_t> semaphores)
{
	unpu_message message{};
	if (key.kind == UNPU_EXPORT_MEMORY)
		return Status::NOT_SHARED;
	if (semaphores.size() > std::size(message.share.semaphores))
		return Status::INVALID_ARGUMENT;
	message.type = UNPU_MSG_IMPORT;
	message.share.key = key;
	message.share.count = static_cast<uint32_t>(semaphores.size());
	std::copy(semaphores.begin(), semaphores.end(), message.share.semaphores);
	TRY(mailbox_.call(message));
	GroupMember member;
	member.key = key;
	member.number = message.share.member;
	if (key.kind != UNPU_EXPORT_EVENT)
		return member;
	auto page = take(message.share);
	if (!page) {
		(void)leave_group(semaphores[0]);
		return page.status();
	}
	member.page = page.take();
	return member;
}

Status Sharing::leave_group(uint32_t sem)
{
	unpu_message message{};
	message.type = UNPU_MSG_UNIMPORT;
	message.share.semaphores[0] = sem;
	return mailbox_.call(message);
}

} // namespace drv

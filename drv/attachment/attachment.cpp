// SPDX-License-Identifier: MIT
/**
 * DOC: Attachment
 *
 * Requests about segments, semaphores and files that need nothing but the mailbox.
 */
#include "attachment.h"

namespace drv {

using base::Result;
using base::Status;

Attachment::Attachment(std::unique_ptr<hal::Device> hal)
	: hal_(std::move(hal)), mailbox_(*hal_), sharing_(*hal_, mailbox_)
{
}

Status Attachment::set_semaphore(uint32_t sem, uint64_t value)
{
	unpu_message message{};
	message.type = UNPU_MSG_SEM_SET;
	message.sem.sem = sem;
	message.sem.value = value;
	return mailbox_.call(message);
}

Result<OwnedSegment> Attachment::create_segment(unpu_segment_kind kind, uint64_t bytes,
						uint32_t flags)
{
	unpu_msg_segment wanted{};
	wanted.kind = kind;
	wanted.bytes = bytes;
	wanted.flags = flags;
	TRY(mailbox_.create_segment(wanted));
	OwnedSegment segment;
	segment.id = wanted.segment;
	auto shared = hal_->take_segment(segment.id);
	if (shared && shared->bytes >= bytes && shared->pages == UNPU_PAGE_4K) {
		auto memory = hal_->map(shared->fd, shared->bytes, UNPU_PAGE_4K);
		if (memory) {
			segment.memory = memory.take();
			return segment;
		}
	}
	destroy_segment(segment.id);
	return shared ? Status::NO_MEMORY : shared.status();
}

void Attachment::destroy_segment(uint64_t id)
{
	unpu_message message{};
	message.type = UNPU_MSG_SEGMENT_DESTROY;
	message.segment.segment = id;
	(void)mailbox_.call(message);
}

void Attachment::close_file(uint32_t file)
{
	unpu_message message{};
	message.type = UNPU_MSG_FILE_CLOSE;
	message.file.file = file;
	(void)mailbox_.call(message);
}

Status Attachment::control(const ClientControl &wanted)
{
	unpu_message message{};
	message.type = UNPU_MSG_CLIENT_CONTROL;
	if (wanted.report_faults)
		message.client.actions |= UNPU_CLIENT_REPORT_FAULTS;
	if (wanted.has_limit)
		message.client.actions |= UNPU_CLIENT_EXECUTE_LIMIT;
	message.client.execute_limit_ns = wanted.execute_limit_ns;
	return mailbox_.call(message);
}

} // namespace drv

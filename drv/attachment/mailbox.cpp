// SPDX-License-Identifier: MIT
/**
 * DOC: Mailbox
 *
 * Host half of uapi/mailbox.h. The reply is untrusted data: its sequence is compared with that of the request
 * before any other field is used. Request and reply contain the low half of the request's number; the
 * semaphore's value is the whole number.
 */
#include "mailbox.h"

#include <cstring>

#include "base/clock.h"

namespace drv {

using base::Status;

Status Mailbox::call(unpu_message &message)
{
	base::assert_unlocked("a reply to a request", base::Wait::ANSWER);
	std::lock_guard lock(mutex_);
	if (device_.lost())
		return Status::DEVICE_LOST;
	const uint64_t number = ++number_;
	const auto sequence = static_cast<uint32_t>(number);
	auto *words = reinterpret_cast<uint32_t *>(&device_.client().request);
	message.sequence = sequence;
	uint32_t copy[sizeof(message) / sizeof(uint32_t)];
	memcpy(copy, &message, sizeof(message));
	for (size_t i = 1; i < sizeof(copy) / sizeof(copy[0]); i++)
		base::store_relaxed(words[i], copy[i]);
	base::store_release(words[0], sequence);
	device_.ring(UNPU_DOORBELL_MAILBOX);
	Status status = hal::wait_semaphore(device_, UNPU_SEM_MAILBOX, number,
					    base::deadline_after(device_.answer_limit_ns()));
	if (status == Status::OK)
		memcpy(&message, &device_.completion().reply, sizeof(message));
	if (status != Status::OK || message.sequence != sequence) {
		/* Give up the device: every later request would time out too. */
		device_.give_up();
		return Status::DEVICE_LOST;
	}
	return static_cast<Status>(message.status);
}

Status Mailbox::create_segment(unpu_msg_segment &segment)
{
	constexpr uint64_t LIMIT_NS = 10 * base::NS_PER_S;
	const uint64_t deadline_ns = base::deadline_after(LIMIT_NS);
	for (;;) {
		unpu_message message{};
		message.type = UNPU_MSG_SEGMENT_CREATE;
		message.segment = segment;
		const Status status = call(message);
		if (status == Status::OK)
			segment = message.segment;
		if (status != Status::IN_USE)
			return status;
		if (base::now_ns() >= deadline_ns)
			return Status::NO_MEMORY;
	}
}

} // namespace drv

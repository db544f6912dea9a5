// SPDX-License-Identifier: MIT
/**
 * DOC: Channels of a device that explores
 *
 * What a channel could run next, and the order in which its packets came.
 */
#include "base/sync/futex.h"
#include "channel.h"
#include "firmware_sim/explore/choice.h"
#include "firmware_sim/explore/suspect.h"
#include "firmware_sim/kernels/operator_check.h"
#include "firmware_sim/tensor/tensor_op.h"

namespace fw {

using base::Status;

void Channel::count_arrivals(uint64_t &total, std::set<uint32_t> &ends)
{
	ends.insert(timeline_);
	if (!arrivals_)
		arrivals_ = std::make_unique<Arrivals>(ring_.next());
	arrivals_->drop_below(ring_.next() - has_packet());
	base::RingConsumer ahead = ring_;
	ahead.skip_to(arrivals_->next());
	unpu_packet packet;
	while (ahead.next() < ring_.next() + ring_.slots() && ahead.fetch(packet)) {
		/* The end of a host function comes when it comes, so it has no number of its own. */
		const bool is_numbered = packet.opcode != UNPU_OP_HOST_DONE;
		total += is_numbered;
		if (packet.signal_op != UNPU_SIGNAL_NONE)
			ends.insert(packet.signal_sem);
		arrivals_->add(total);
	}
}

uint64_t Channel::arrival() const
{
	return arrivals_ ? arrivals_->of(ring_.next() - has_packet()) : 0;
}

void Channel::invite()
{
	if (state_ != State::ARMED && !is_halted_)
		arming_.invite(line_.armed);
}

void Channel::answer()
{
	if (!rang_)
		return;
	rang_ = false;
	base::store_release(line_.rests, line_.rests + 1);
	base::futex_wake_all(line_.rests, true);
}

/* Whether a packet that @ahead has fetched touches the memory of SchedulePlan::CONFIRM. */
bool Channel::is_suspect(const base::RingConsumer &ahead, const unpu_packet &packet) const
{
	const base::SchedulePlan &plan = *client_.core.config.schedule;
	if (!looks_for_suspects(plan))
		return false;
	if (opcode_row(packet.opcode).has_descriptor) {
		unpu_operator op;
		return ahead.fetch_operator(op) && check_operator(op) == Status::OK &&
		       touches_suspect(plan, packet, &op);
	}
	if (!opcode_row(packet.opcode).has_tensor)
		return touches_suspect(plan, packet, nullptr);
	uint64_t words[UNPU_TENSOR_MAX_BYTES / sizeof(uint64_t)];
	if (packet.tensor.bytes > sizeof(words) || packet.tensor.bytes % sizeof(uint64_t) != 0)
		return false;
	ahead.fetch_words(words, packet.tensor.bytes);
	TensorOp tensor;
	if (tensor.decode({words, packet.tensor.bytes / sizeof(uint64_t)}) != Status::OK)
		return false;
	bool touches = false;
	tensor.for_each_reach([&](uint64_t first, uint64_t bytes) {
		touches |= is_suspect_range(plan, first, bytes);
	});
	return touches;
}

bool Channel::offer(std::vector<Choice> &choices) const
{
	if (is_halted_ || state_ == State::STOPPED)
		return false;
	Choice choice;
	choice.stream = index_;
	choice.arrival = arrival();
	if (state_ == State::WOKEN) {
		choice.kind = long_ ? KIND_PIECE : KIND_END;
		choice.is_suspect = long_ && is_suspect(ring_, packet_);
		choices.push_back(choice);
		return true;
	}
	unpu_packet packet;
	base::RingConsumer ahead = ring_;
	if (!ahead.fetch(packet))
		return true;
	if (packet.opcode == UNPU_OP_HOST_DONE)
		return false;
	choice.kind = kind_of(packet.opcode);
	choice.is_suspect = is_suspect(ahead, packet);
	choices.push_back(choice);
	return true;
}

} // namespace fw

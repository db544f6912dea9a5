// SPDX-License-Identifier: MIT
#pragma once

#include "base/ring.h"
#include "client.h"
#include "command_processor.h"
#include "runner.h"

namespace fw {

/** class Channel - the consumer of one ring: fetches, executes and retires packets in order. */
class Channel final : public Runner, public Waiter {
public:
	Channel(Client &client, unpu_channel_status &line, std::shared_ptr<Segment> segment,
		const unpu_msg_channel &request);
	~Channel() override;

	Progress advance() override;
	bool rest() override;
	void woken(base::Status status, uint64_t address) override;

	/** doorbell() - the host says there may be work. */
	void doorbell();

	/** halt() - the client was cut off: nothing more is fetched or retired. */
	void halt();

	/** control() - applies UNPU_CHANNEL_* actions. */
	void control(uint32_t actions);

	uint32_t timeline() const { return timeline_; }

	/** retired() - packets so far. */
	uint64_t retired() const { return retired_; }

	/** describe() - the channel for a snapshot. */
	nlohmann::ordered_json describe(uint32_t index) const;

private:
	Outcome begin();
	Outcome launch_graph();
	void fail(const Outcome &outcome);
	void retire(const Outcome &outcome);
	void publish();
	const char *state() const;

	Client &client_;
	unpu_channel_status &line_;
	std::shared_ptr<Segment> segment_;
	base::RingConsumer ring_;
	unpu_packet packet_{};
	unpu_operator op_{};
	Outcome outcome_;
	uint64_t timeline_base_;
	uint64_t retired_ = 0;
	uint64_t published_ = 0;
	uint64_t blocked_since_ns_ = 0;
	uint64_t failure_cookie_ = 0;
	base::Status failure_ = base::Status::OK; /* the last one nobody cleared */
	uint32_t timeline_;
	uint32_t priority_;
	uint32_t arming_ = 0;
	bool woke_ = false;
	bool blocked_ = false;
	bool armed_ = false;
	bool stopped_ = false;
	bool halted_ = false;
	bool stop_on_failure_ = false;
	bool failed_ = false;
};

} // namespace fw

// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <set>

#include <nlohmann/json_fwd.hpp>

#include "base/sync/arming.h"
#include "base/sync/ring.h"
#include "firmware_sim/core/client_context.h"
#include "firmware_sim/core/command_processor.h"
#include "firmware_sim/explore/arrivals.h"
#include "firmware_sim/schedule/runner.h"
#include "uapi/graph.h"

namespace fw {

class GraphUpdate;

class Channel;
struct Launch;

/** struct FailureGroup - channels that may share failures: UNPU_CHANNEL_STOP_ON_FAILURE. */
struct FailureGroup {
	bool stops = false;
	bool has_failed = false; /* only if @stops is set: a channel of the group has failed */
	Failure failure;
	std::vector<Channel *> members;
};

/** class Channel - the consumer of one ring: fetches, executes and retires packets in order. */
class Channel final : public Runner, public Waiter {
public:
	Channel(ClientContext &client, unpu_channel_status &line, std::shared_ptr<Segment> segment,
		const unpu_msg_channel &request, std::shared_ptr<FailureGroup> group);
	~Channel() override;

	Progress advance() override;
	Rest rest() override;
	void look_again() override;
	/* channel_explore.cpp */
	bool offer(std::vector<Choice> &choices) const override;
	void settle() override { publish(); }
	void woken(base::Status status, uint64_t address, uint64_t detail) override;
	bool take_pieces(std::unique_ptr<Job> &job) override;

	/** invite() - asks for a doorbell at the next packet, although the ring has some. The caller passes the
	 * heavy fence. */
	void invite();

	/** answer() - if the channel's doorbell has rung, tells the waiting submit that the device rests. */
	void answer();

	/** count_arrivals() - numbers the packets that are new in the ring. @total: the last number so far
	 * @ends: gets the timeline and the semaphores that the new packets signal */
	void count_arrivals(uint64_t &total, std::set<uint32_t> &ends);

	/** arrival() - the arrival number of the running packet; if none is running, of the next one. 0: not
	 * known. */
	uint64_t arrival() const;

	/** doorbell() - the host has rung: the ring may have packets. */
	void doorbell();

	/** halt() - the client was cut off: nothing more is fetched or retired. */
	void halt();

	/** control() - applies UNPU_CHANNEL_* actions. */
	void control(const unpu_msg_channel_control &request);

	/** can_skip_to() - whether @upto is a valid argument for abort(). */
	bool can_skip_to(uint64_t upto) const;

	/** abort() - drops every packet below @upto. */
	void abort(uint64_t upto);

	/** can_stop_current() - whether a packet has begun and has not ended. */
	bool can_stop_current() const;

	/** stop_current() - ends the packet that is running, if any, as a failure. */
	void stop_current();

	/** launch() - the packet launches a graph. */
	Outcome launch();

	/** update() - the packet changes nodes of a graph. */
	Outcome update();

	/** stop() - fetches no packet after this one. */
	void stop() { state_ = State::STOPPED; }

	uint32_t timeline() const { return timeline_; }
	uint32_t index() const { return index_; }

	/** blocked_since_ns() - the time since which its packet waits; base::NO_DEADLINE if it does not
	 * wait. */
	uint64_t blocked_since_ns() const
	{
		return state_ == State::RUNNING && !is_halted_ ? blocked_since_ns_
							       : base::NO_DEADLINE;
	}

	/** hung() - whether its task never ends. */
	bool hung() const { return fault_.is_hung; }

	/** packet() - the packet that was fetched last. */
	const unpu_packet &packet() const { return packet_; }

	/** launched() - the graph whose execution it waits for, or nullptr. */
	Graph *launched() const;

	/** waits() - the first few waits of the channel, or of the graph that it has launched. */
	std::vector<Wait> waits() const;

	/** find_ends() - calls @found for each wait that a packet in the ring, or the current one, may end.
	 * @left: how many packets it may look at; it subtracts those that it has looked at
	 * Return: whether it has looked at all of them. */
	bool find_ends(uint32_t &left, const std::function<void(const Wait &)> &found) const;

	/** state_name() - a word for snapshots and messages. */
	const char *state_name() const;

	/** pending() - packets published and not fetched, which follow each other; a hint, found by a few looks. */
	uint32_t pending() const;

	/** retired() - packets so far. */
	uint64_t retired() const { return retired_; }

	/** describe() - the channel for a snapshot. */
	nlohmann::ordered_json describe(uint32_t index) const;

private:
	/* See the diagram in channel.cpp. */
	enum class State : uint8_t {
		POLLED,	 /* no packet; the next turn looks at the ring */
		ARMED,	 /* no packet; the host rings the doorbell */
		RUNNING, /* a packet was fetched and has not ended */
		WOKEN,	 /* the packet's wait is over, or its next piece is due */
		STOPPED, /* a STOP packet has ended: no other is fetched */
	};

	bool has_packet() const { return state_ == State::RUNNING || state_ == State::WOKEN; }
	Outcome begin();
	Outcome run();
	Progress finish_turn(const Outcome &outcome);
	Progress take_up();
	Progress do_piece();
	Progress do_update();
	base::Status fetch_descriptor();
	base::Status fetch_tensor();
	base::Status fetch_kernel();
	void fail(const Outcome &outcome);
	base::Status fetch_args(Launch &launch, uint64_t &address);
	void retire(const Outcome &outcome);
	void publish();
	base::Status signal_wrongly();
	bool tracing() const { return trace_.on(); }
	void trace_fetch() const;
	void trace(unpu_trace_kind kind, uint32_t object, uint64_t value) const;
	void trace_end(const Outcome &outcome) const;
	void stop_group();
	void take_failure(const Failure &failure);
	void leave_current();

	/* channel_explore.cpp */
	bool is_suspect(const base::RingConsumer &ahead, const unpu_packet &packet) const;

	/* What each packet needs comes first, so that it shares a few cache lines. */
	ClientContext &client_;
	Trace &trace_;
	unpu_channel_status &line_;
	std::shared_ptr<FailureGroup> group_;
	base::RingConsumer ring_;
	uint64_t timeline_base_;
	uint64_t retired_ = 0;
	uint64_t published_ = 0;
	uint32_t timeline_;
	const uint32_t index_;
	base::Arming arming_;
	State state_ = State::POLLED;
	bool rang_ = false;	 /* a doorbell has come since answer() */
	bool is_halted_ = false; /* in any state: see halt() */
	FaultEffect fault_;	 /* fault of the packet that was fetched last */
	unpu_packet packet_{};
	Outcome outcome_;
	unpu_operator op_{};
	std::unique_ptr<TensorOp> tensor_;     /* the last tensor operator that was fetched */
	std::unique_ptr<KernelLaunch> kernel_; /* the last launch of a kernel that was fetched */
	std::unique_ptr<Job> long_;	       /* long work in place: one piece in each turn */
	uint64_t long_done_ = 0;	       /* units of @long_ that are done */
	/* A GRAPH_UPDATE that the upkeep thread reads, or that is made in pieces. */
	std::unique_ptr<GraphUpdate> update_;
	uint64_t blocked_since_ns_ = 0;
	Failure failure_; /* the first failure since the host cleared the status */
	std::shared_ptr<Segment> segment_;
	size_t place_;			     /* index in FailureGroup::members */
	std::unique_ptr<Arrivals> arrivals_; /* exists only on a device that explores */
};

} // namespace fw

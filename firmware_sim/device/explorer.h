// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "firmware_sim/explore/decisions.h"
#include "firmware_sim/explore/strategy.h"

namespace fw {

class Channel;
class Client;
class Runner;
struct Core;
struct Wait;

/**
 * class Explorer - the decision point of a device whose commands run by a plan (Config::schedule).
 *
 * The runners that have work are held back from the scheduler (RunQueue::hold()). One decision runs one of
 * them for one command. Commands run only for a Reason; between two reasons the device rests. Decisions do
 * not depend on the clock. The only exception is the rule that lets programs continue that poll. Context:
 * under the step token.
 */
class Explorer {
public:
	using Clients = std::vector<std::unique_ptr<Client>>;

	/** @core: must outlive the object; its configuration has a plan */
	explicit Explorer(Core &core);

	/** init() - reads the decisions of a replay. Return: BAD_FILE. */
	base::Status init();

	/** choose() - makes a decision. Return: the command to run; nullptr: the device rests. */
	const Choice *choose(const Clients &clients);

	/** running() - the runner whose turn it is, or was last. */
	const Runner &running() const { return *running_; }

	/** invite() - from now on each submit rings a doorbell. The caller then passes the heavy fence. */
	void invite(const Clients &clients);

	/** has_news() - whether something has happened since the last choose() that may change its result. */
	bool has_news(const Clients &clients);

	/** rest() - called when the device goes to sleep. Calls that have submitted a command and wait for
	 * this then return. */
	void rest(const Clients &clients);

	/** deadline_ns() - the time until which the device may sleep. Then tick() has to be called. */
	uint64_t deadline_ns() const { return deadline_ns_; }

	/** tick() - lets commands run for Reason::PROGRESS if the deadline has passed. */
	void tick(const Clients &clients, uint64_t now_ns);

private:
	/* A semaphore for which a thread of the host sleeps. */
	using Awaited = std::vector<std::pair<const Client *, uint32_t>>;

	void hold_runners();
	void count_arrivals(const Clients &clients);
	void gather(const Clients &clients);
	void offer(const Client &client, Runner &runner);
	Awaited find_awaited(const Clients &clients) const;
	void mark_needed();
	void need(const Client &client, const Wait &wait, std::set<const Channel *> &needed) const;
	Reason reason() const;
	Reason replayed_reason() const;
	const Choice *decide(Reason why, size_t which, uint64_t arrivals);
	const Choice *replay_one();
	const Choice *await_replay();
	void diverge();
	std::string log_path() const;
	void begin_patience(const Clients &clients);
	void tell(const std::string &text) const;

	Core &core_;
	const std::unique_ptr<Strategy> strategy_;
	DecisionLog log_;
	std::unique_ptr<Replay> replay_; /* nullptr: there is no replay, or it has ended */
	Reason replayed_ = Reason::NONE; /* reason of the decisions that are being replayed */
	uint64_t replayed_arrivals_ = 0; /* number of arrivals for these decisions */
	Reason marked_ = Reason::NONE;	 /* reason of the last decision */
	uint64_t marked_at_ = 0;	 /* value of arrivals_ at the last decision */
	std::vector<Choice> choices_;
	Choice chosen_;
	const Runner *running_ = nullptr;
	Awaited awaited_;
	std::vector<std::set<uint32_t>>
		/* by client: semaphores that packets have signalled or will signal */
		ends_;
	uint64_t arrivals_ = 0; /* commands submitted so far */
	uint64_t seen_ = 0;	/* value of arrivals_ at the last choose() */
	/* number of commands that still have to run for Reason::SUBMIT */
	uint64_t at_submit_ = 0;
	/* number of commands that still have to run for Reason::PROGRESS */
	uint64_t for_progress_ = 0;
	uint64_t next_progress_ = 1; /* value of for_progress_ at the next deadline */
	uint64_t deadline_ns_;
	uint64_t began_ns_ = 0;	 /* when the device began to wait for deadline_ns_ */
	uint64_t used_ns_ = 0;	 /* CPU time of the clients' processes at that time */
	uint64_t diverges_ns_;	 /* when a waiting replay gives up */
	bool is_resting_ = true; /* the next decision begins a new reason */
};

} // namespace fw

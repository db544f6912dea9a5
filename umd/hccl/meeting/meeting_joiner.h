// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "hccl/hccl_types.h"
#include "line.h"

namespace umd {

/** struct MeetingPlace - where a meeting is. */
struct MeetingPlace {
	Nonce secret{};
	TcpPlace tcp{};		 /* addresses of the process that hosts the meeting */
	bool is_local = true;	 /* the meeting may be at the Unix socket of this network */
	bool is_awaited = false; /* the meeting may open later; false: it is open */
};

/** class MeetingJoiner - a rank's connection to the coordinator of its meeting. Context: one thread at a time. */
class MeetingJoiner {
public:
	/** enter() - connects, says HELLO and waits for all ranks.
	 * @wait_s: how long the coordinator waits for ranks
	 * @all: receives the introductions of all ranks
	 * Return: HCCL_E_TCP_CONNECT; HCCL_E_TIMEOUT; the error by which the coordinator refuses; sets the error
	 * message. */
	HcclResult enter(const MeetingPlace &place, const Hello &own, uint64_t wait_s,
			 std::vector<Introduction> &all);

	/** share() - sends the keys of this rank, and waits for those of all other ranks.
	 * @table: receives the places of all ranks. @island: receives the keys of the ranks of this island
	 * Return: as enter(). */
	HcclResult share(const RankKeys &own, std::vector<RankPlace> &table,
			 std::vector<SeatKeys> &island);

	/** own_address() - the local address of the TCP connection to the coordinator; empty if the connection is no
	 * TCP connection. */
	TcpAddress own_address() const;

	/** settle() - tells the coordinator that this rank has imported the keys, and waits until all ranks have.
	 * Return: as enter(). */
	HcclResult settle();

	/** refuse_all() - tells all ranks that this one has failed. */
	void refuse_all(HcclResult code, const std::string &text);

	/** leave() - tells the coordinator that this rank leaves, and after how many calls. Waits up to a second for
	 * the answer. */
	void leave(const Leave &leave);

	/** say_again() - tells the coordinator that this rank waits for all others. next_reply() returns AGAIN when
	 * all ranks have said so. */
	void say_again() { (void)line_.send(MessageKind::AGAIN); }

	/** enum Reply - results of next_reply(). LOST: the connection to the coordinator has ended. */
	enum class Reply { NONE, REFUSAL, GONE, AGAIN, LOST };

	/** next_reply() - reads the next message of the coordinator, without waiting.
	 * @message: receives the REFUSAL or GONE; for LOST, a REFUSAL that describes the loss */
	Reply next_reply(MeetingMessage &message);

	/** go_on_alone() - continues without the coordinator, whose end is no failure. is_alone() - whether
	 * go_on_alone() was called. */
	void go_on_alone() { is_alone_ = true; }
	bool is_alone() const { return is_alone_.load(); }

	/** socket(), events() - descriptor and events for poll(). Descriptor -1: this rank has no host any
	 * more. */
	int socket() const { return is_alone() ? -1 : line_.socket().get(); }
	short events() { return line_.events(); }

private:
	HcclResult await(MessageKind kind, MeetingMessage &message);

	HcclResult approach(const MeetingPlace &place, const Hello &own, uint64_t wait_s);
	HcclResult enter_here(const MeetingPlace &place, const Hello &own, uint64_t until_ns,
			      bool &is_in);
	bool knock(const TcpAddress &address, const MeetingPlace &place, const Hello &own,
		   uint64_t until_ns, std::string &why);

	Line line_;
	uint64_t deadline_ns_ = 0;
	std::atomic<bool> is_alone_{false};
};

} // namespace umd

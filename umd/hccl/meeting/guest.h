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

/** class MeetingGuest - a rank's connection to the host of its meeting. Context: one thread at a time. */
class MeetingGuest {
public:
	/** enter() - connects, says HELLO and waits for all ranks.
	 * @wait_s: how long the host waits for ranks
	 * @all: receives the introductions of all ranks
	 * Return: HCCL_E_TCP_CONNECT; HCCL_E_TIMEOUT; the error by which the host refuses; sets the error
	 * message. */
	HcclResult enter(const MeetingPlace &place, const Hello &own, uint64_t wait_s,
			 std::vector<Introduction> &all);

	/** share() - sends the keys of this rank, and waits for those of all other ranks.
	 * @table: receives the places of all ranks. @island: receives the keys of the ranks of this island
	 * Return: as enter(). */
	HcclResult share(const RankKeys &own, std::vector<RankPlace> &table,
			 std::vector<SeatKeys> &island);

	/** own_address() - the local address of the TCP connection to the host; empty if the connection is no
	 * TCP connection. */
	TcpAddress own_address() const;

	/** settle() - tells the host that this rank has imported the keys, and waits until all ranks have.
	 * Return: as enter(). */
	HcclResult settle();

	/** refuse_all() - tells all ranks that this one has failed. */
	void refuse_all(HcclResult code, const std::string &text);

	/** leave() - tells the host that this rank leaves, and after how many calls. Waits up to a second for
	 * the answer. */
	void leave(const Leave &leave);

	/** say_again() - tells the host that this rank waits for all others. next_news() returns AGAIN when
	 * all ranks have said so. */
	void say_again() { (void)line_.send(LetterKind::AGAIN); }

	/** enum News - results of next_news(). LOST: the connection to the host has ended. */
	enum class News { NONE, REFUSAL, GONE, AGAIN, LOST };

	/** next_news() - reads the next letter of the host, without waiting.
	 * @letter: receives the REFUSAL or GONE; for LOST, a REFUSAL that describes the loss */
	News next_news(Letter &letter);

	/** go_on_alone() - continues without the host, whose end is no failure. is_alone() - whether
	 * go_on_alone() was called. */
	void go_on_alone() { is_alone_ = true; }
	bool is_alone() const { return is_alone_.load(); }

	/** socket(), events() - descriptor and events for poll(). Descriptor -1: this rank has no host any
	 * more. */
	int socket() const { return is_alone() ? -1 : line_.socket().get(); }
	short events() { return line_.events(); }

private:
	HcclResult await(LetterKind kind, Letter &letter);

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

// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "hccl/hccl_types.h"
#include "line.h"

namespace umd {

/** struct MeetingPlace - where a meeting is. */
struct MeetingPlace {
	Nonce secret{};
	TcpPlace tcp{};		 /* of the process that hosts it */
	bool is_local = true;	 /* it may be at the Unix socket of this network */
	bool is_awaited = false; /* it may open later; else it is there */
};

/** class MeetingGuest - a rank's connection to the host of its meeting. Context: one thread at a time. */
class MeetingGuest {
public:
	/** enter() - connects, says HELLO and waits for all ranks.
	 * @wait_s: how long the host lets ranks come
	 * @all: receives who they are
	 * Return: HCCL_E_TCP_CONNECT; HCCL_E_TIMEOUT; what the host refuses with; with the sentence set. */
	HcclResult enter(const MeetingPlace &place, const Hello &own, uint64_t wait_s,
			 std::vector<Introduction> &all);

	/** share() - gives the own keys, and waits for those of the others.
	 * @table: receives those of all ranks. @island: and those of the ranks of the island
	 * Return: as enter(). */
	HcclResult share(const RankKeys &own, std::vector<RankPlace> &table,
			 std::vector<SeatKeys> &island);

	/** own_address() - of this process, from which it has reached the host over TCP; else empty. */
	TcpAddress own_address() const;

	/** settle() - says that the keys are imported, and waits for all ranks to say so. Return: as enter(). */
	HcclResult settle();

	/** refuse_all() - tells all ranks that this one has failed. */
	void refuse_all(HcclResult code, const std::string &text);

	/** leave() - says that this rank ends after so many calls, and waits up to a second for the answer. */
	void leave(const Leave &leave);

	/** say_again() - says that this rank waits for all others; next_news() tells when these have said so, too. */
	void say_again() { (void)line_.send(LetterKind::AGAIN); }

	/** enum News - what next_news() has found. LOST: the connection to the host has ended. */
	enum class News { NONE, REFUSAL, GONE, AGAIN, LOST };

	/** next_news() - takes what the host has said, without waiting.
	 * @letter: receives the REFUSAL or GONE; a LOST is a REFUSAL, too */
	News next_news(Letter &letter);

	/** go_on_alone() - the host has ended, and its end is no failure. is_alone() - whether that was called. */
	void go_on_alone() { is_alone_ = true; }
	bool is_alone() const { return is_alone_.load(); }

	/** socket(), events() - for poll(); -1: the rank is alone. */
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

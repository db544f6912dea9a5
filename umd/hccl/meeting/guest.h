// SPDX-License-Identifier: MIT
#pragma once

#include "hccl/hccl_types.h"
#include "wire.h"

namespace umd {

/** class MeetingGuest - a rank's connection to the host of its meeting. Context: one thread at a time. */
class MeetingGuest {
public:
	/** enter() - connects, says HELLO and waits for all ranks.
	 * @wait_s: how long the host lets ranks come
	 * @all: receives who they are
	 * @ledger: receives the descriptor of their ledger
	 * Return: HCCL_E_TCP_CONNECT; what the host refuses with; with the sentence set. */
	HcclResult enter(const Nonce &nonce, const Introduction &own, uint64_t wait_s, Welcome &all,
			 base::Fd &ledger);

	/** share() - gives the own keys, and waits for those of all ranks. Return: as enter(). */
	HcclResult share(const RankKeys &own, KeyTable &all);

	/** settle() - says that the keys are imported, and waits for all ranks to say so. Return: as enter(). */
	HcclResult settle();

	/** refuse_all() - tells all ranks that this one has failed. */
	void refuse_all(HcclResult code, const std::string &text);

	/** leave() - says that this rank ends, and waits up to a second for the answer. */
	void leave();

	/** next_refusal() - takes what the host has said, without waiting.
	 * Return: whether the communicator has failed: by a refusal, or because the host is gone. */
	bool next_refusal(Refusal &refusal);

	const base::Fd &socket() const { return socket_; }

private:
	HcclResult await(LetterKind kind, Letter &letter, base::Fd *fd);

	base::Fd socket_;
	uint64_t deadline_ns_ = 0;
};

} // namespace umd

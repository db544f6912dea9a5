// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "call_log.h"
#include "umd/hccl/far/islands.h"
#include "umd/hccl/far/links.h"
#include "umd/hccl/far/send_queue.h"
#include "umd/hccl/meeting/words.h"

namespace umd {

/** class RelayUser - receives the reports of ranks of other islands. Context: the wire's thread, which must
 * not block. */
class RelayUser {
public:
	virtual ~RelayUser() = default;

	/** on_call(), on_message() - a call of rank @from, for the call log of this island. */
	virtual void on_call(uint32_t from, const CallNote &note) = 0;
	virtual void on_message(uint32_t from, uint32_t other, bool is_send,
				const CallNote &note) = 0;

	/** on_loss() - the connection to a rank's process has failed. @text: how it failed, as a part of an
	 * error message */
	virtual void on_loss(uint32_t rank, const std::string &text) = 0;
};

/** class Relay - what a rank exchanges with the ranks of other islands. Context: the caller's lock, unless a function
 * says otherwise. */
class Relay final : public WireUser {
public:
	/** @islands: must outlive the object */
	Relay(const Nonce &comm, uint32_t rank, const Islands &islands, RelayUser &user)
		: comm_(comm), rank_(rank), islands_(islands), user_(user)
	{
	}
	~Relay() override;

	/** open() - joins the wire. @own: has the address at which this process listens; receives the address
	 * of its wire.
	 * Return: as Wire::open(). */
	HcclResult open(RankPlace &own);

	/** make() - makes the links that collective calls need. Return: as Links::make(). */
	base::Status make(const DeviceHold &device, uint64_t bytes)
	{
		return links_.make(device, islands_, rank_, bytes);
	}

	/** connect() - connects to the processes that collective calls need. Return: as Wire::connect(). */
	HcclResult connect(std::span<const RankPlace> table);

	/** reach() - makes the slots that a message between this rank and @rank needs. @is_send: this rank
	 * sends it.
	 * @slots: how many pieces are under way at once
	 * Return: as Links::make(); PEER_LOST. */
	base::Status reach(uint32_t rank, bool is_send, uint32_t slots);

	/** stop() - ends all transfers, and receives nothing any more. Frames that were sent before belong
	 * to an old session. If they arrive after restart(), the relay drops them.
	 * Return: HCCL_E_TIMEOUT if a transfer does not end.
	 * restart() - begins a new session; no rank may send at this time. Return: as connect();
	 * HCCL_E_RUNTIME.
	 * grant_again() - the last step: tells the senders which slots are free. All ranks have called
	 * restart() before. */
	HcclResult stop();
	HcclResult restart();
	void grant_again();

	/** tell_call() - reports the next collective call of this rank to all other islands.
	 * tell_message() - reports the next message between this rank and @other to the island of @other.
	 * @is_send: this rank sends it. */
	void tell_call(const CallNote &note);
	void tell_message(uint32_t other, bool is_send, const CallNote &note);

	/** sending() - makes a task that sends the first @bytes bytes of an outgoing slot.
	 * taking() - makes a task that tells rank @from that this rank has read its piece. @mark: a number
	 * that both sides compute in the same way */
	std::shared_ptr<const HostWork> sending(const StreamStart &start, uint32_t to,
						LinkSlot slot, uint32_t mark, uint64_t bytes);
	std::shared_ptr<const HostWork> taking(const StreamStart &start, uint32_t from,
					       LinkSlot slot, uint32_t mark) const;

	Links &links() { return links_; }

	/** leave() - leaves the wire, and releases everything. @keep: as RankSlots::leave() */
	void leave(bool keep);

	void *place(const Frame &frame) override;
	void arrived(const Frame &frame) override;
	void lost(uint32_t link, const std::string &text) override;
	bool poll() override { return links_.take_calls(); }
	void rest() override { links_.hand_back_calls(); }

private:
	/* struct Note - the body of a FRAME_NOTE: a call of the sender. */
	struct Note {
		CallNote call;
		uint32_t other; /* the other rank of a message */
		/* 0: a collective call; 1: a message from @other; 2: a message to @other */
		uint32_t kind;
	};

	HcclResult connect_all();
	HcclResult connect_to(uint32_t rank);
	void grant(uint32_t rank, uint32_t slots);
	void tell(uint32_t island, const Note &note);
	bool is_valid(const Frame &frame);

	const Nonce comm_;
	const uint32_t rank_;
	const Islands &islands_;
	RelayUser &user_;
	Links links_;
	std::shared_ptr<SendQueue> send_queue_;
	/* wire address of each rank; empty for a rank of this island */
	std::vector<std::vector<uint8_t>> addresses_;
	/* Connection to each rank; NONE: there is none yet. The wire's thread writes this array, too. */
	std::vector<uint32_t> connections_;
	uint64_t session_ = 0; /* changed while the relay is detached */
	Nonce name_{};	       /* name of this rank on the wire */
	bool is_open_ = false;
	bool is_quiet_ = true; /* after the last detach() the wire uses no slot */
	Note incoming_{}; /* the wire's thread receives a note into it: a call of another rank */
};

} // namespace umd

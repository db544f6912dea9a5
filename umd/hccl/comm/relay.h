// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "ledger.h"
#include "umd/hccl/far/islands.h"
#include "umd/hccl/far/links.h"
#include "umd/hccl/far/outlet.h"
#include "umd/hccl/meeting/words.h"

namespace umd {

/** class RelayUser - hears what ranks of other islands say. Context: the wire's thread, which must not wait. */
class RelayUser {
public:
	virtual ~RelayUser() = default;

	/** hear_call(), hear_message() - a call of rank @from, for the ledger of this island. */
	virtual void hear_call(uint32_t from, const CallNote &note) = 0;
	virtual void hear_message(uint32_t from, uint32_t other, bool is_send,
				  const CallNote &note) = 0;

	/** hear_loss() - the connection to a rank's process has failed. @text: how, a part of a sentence */
	virtual void hear_loss(uint32_t rank, const std::string &text) = 0;
};

/** class Relay - what a rank exchanges with the ranks of other islands. Context: the caller's lock, unless a function
 * says otherwise. */
class Relay final : public WireUser {
public:
	/** @islands: stay valid */
	Relay(const Nonce &comm, uint32_t rank, const Islands &islands, RelayUser &user)
		: comm_(comm), rank_(rank), islands_(islands), user_(user)
	{
	}
	~Relay() override;

	/** open() - joins the wire. @own: has where the door of the meetings listens; receives the own address.
	 * Return: as Wire::open(). */
	HcclResult open(RankPlace &own);

	/** make() - the links that collective calls need. Return: as Links::make(). */
	base::Status make(const DeviceHold &device, uint64_t bytes)
	{
		return links_.make(device, islands_, rank_, bytes);
	}

	/** connect() - connects to the processes that collective calls need. Return: as Wire::connect(). */
	HcclResult connect(std::span<const RankPlace> table);

	/** reach() - makes what a message to @rank (@is_send) or from it needs.
	 * @slots: as many pieces as are under way at once
	 * Return: as Links::make(); PEER_LOST. */
	base::Status reach(uint32_t rank, bool is_send, uint32_t slots);

	/** stop() - ends what is under way, and hears nothing any more. What was sent before is of an earlier session,
	 * and is dropped when it comes after restart().
	 * Return: HCCL_E_TIMEOUT where a piece stays under way.
	 * restart() - begins a new session, while no rank sends. Return: as connect(); HCCL_E_RUNTIME.
	 * grant_again() - the last step, when all ranks have called restart(). */
	HcclResult stop();
	HcclResult restart();
	void grant_again();

	/** tell_call() - tells all other islands the next collective call of this rank.
	 * tell_message() - tells the island of @other the next message to it (@is_send), or from it. */
	void tell_call(const CallNote &note);
	void tell_message(uint32_t other, bool is_send, const CallNote &note);

	/** sending() - a task that sends the first @bytes bytes of an outgoing slot.
	 * taking() - a task that tells rank @from that its piece was read. @mark: the same on both sides */
	std::shared_ptr<const HostWork> sending(const StreamStart &start, uint32_t to,
						LinkSlot slot, uint32_t mark, uint64_t bytes);
	std::shared_ptr<const HostWork> taking(const StreamStart &start, uint32_t from,
					       LinkSlot slot, uint32_t mark) const;

	Links &links() { return links_; }

	/** leave() - leaves the wire, and gives all back. @keep: as Seats::leave() */
	void leave(bool keep);

	void *place(const Parcel &parcel) override;
	void arrived(const Parcel &parcel) override;
	void lost(uint32_t link, const std::string &text) override;
	bool poll() override { return links_.take_calls(); }
	void rest() override { links_.hand_back_calls(); }

private:
	/* struct Note - PARCEL_NOTE. */
	struct Note {
		CallNote call;
		uint32_t other; /* of a message */
		uint32_t kind;	/* 0: a collective call; 1: a message from @other; 2: to it */
	};

	HcclResult connect_all();
	HcclResult connect_to(uint32_t rank);
	void grant(uint32_t rank, uint32_t slots);
	void tell(uint32_t island, const Note &note);
	bool is_valid(const Parcel &parcel);

	const Nonce comm_;
	const uint32_t rank_;
	const Islands &islands_;
	RelayUser &user_;
	Links links_;
	std::shared_ptr<Outlet> outlet_;
	std::vector<std::vector<uint8_t>> addresses_; /* of each rank; a near one has none */
	/* Of each rank; NONE: there is none so far. The thread of the wire writes them, too. */
	std::vector<uint32_t> connections_;
	uint64_t session_ = 0; /* changed while the relay is detached */
	Nonce name_{};	       /* on the wire */
	bool is_open_ = false;
	bool is_quiet_ = true; /* the wire uses no slot after its last detach() */
	Note incoming_{};      /* by the wire's thread */
};

} // namespace umd

// SPDX-License-Identifier: MIT
/**
 * DOC: The wire
 *
 * What carries parcels between processes whose devices share no memory: on several machines, or of several firmwares.
 * A process has one wire, with one thread that sleeps while nothing is under way. The thread alone calls the engine
 * (umd/hccl/wire/engine.h) and the users. The other functions hand their work to it, so that no lock is held while a
 * user's function runs.
 *
 * A parcel has a head and data. Data of at most PARCEL_COPIED bytes are copied and go with the head. All others stay
 * in the sender's memory until the receiver's place() has said where they go; then they go there directly.
 *
 * A link leads to one other process. It lives as long as that process's wire, so that a communicator may end while
 * others go on. A wire that closes says so on each link: what follows is no loss, and lost() is not called.
 */
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/os/shm.h"
#include "base/sync/condition.h"
#include "base/sync/mutex.h"
#include "hccl/hccl_types.h"
#include "umd/hccl/meeting/words.h"
#include "umd/hccl/proof/secret.h"

namespace umd {

/** PARCEL_COPIED - data of at most so many bytes are copied by send(). */
constexpr uint32_t PARCEL_COPIED = 256;

/** PARCELS_QUEUED - a link with so many parcels that the other side has not taken has failed. */
constexpr uint32_t PARCELS_QUEUED = 16384;

/** struct Parcel - the head of a parcel; the same bytes on all machines, which are little-endian. */
struct Parcel {
	Nonce comm;    /* which communicator */
	uint32_t kind; /* the wire does not look at it */
	uint32_t from; /* ranks of the communicator */
	uint32_t to;
	uint32_t slot;
	uint64_t number;
	uint64_t bytes; /* of the data that follow */
};
static_assert(sizeof(Parcel) == 48);

/** class WireUser - a communicator that receives parcels. Context: the wire's thread, which must not wait. */
class WireUser {
public:
	virtual ~WireUser() = default;

	/** place() - says where the data of @parcel go. It is called for parcels without data too.
	 * Return: parcel.bytes bytes that stay valid until arrived(); nullptr: the parcel is dropped if it has data. */
	virtual void *place(const Parcel &parcel) = 0;

	/** arrived() - the parcel has come, with all its data. */
	virtual void arrived(const Parcel &parcel) = 0;

	/** lost() - the connection to the process behind @link failed. Called once for each link of this user.
	 * @text: a part of a sentence, such as "the connection was reset" */
	virtual void lost(uint32_t link, const std::string &text) = 0;

	/** poll() - the thread is awake, and may do what the user else wakes a thread for. Return: whether there was
	 * something. rest() - the thread is about to sleep, or to forget the user. */
	virtual bool poll() { return false; }
	virtual void rest() {}
};

class WireWork;

/**
 * class Wire - the wire of this process. Context: any thread but the wire's own, with no lock that a user's function
 * takes; send(): any thread.
 */
class Wire {
public:
	static Wire &get();

	Wire();
	~Wire();

	/** open() - starts the engine and the thread, unless they run. Each open() needs a close().
	 * @place: where the door of the meetings listens, which is open until close(); empty: all others are in this
	 * network
	 * @address: receives where others connect to
	 * Return: HCCL_E_PARA for wrong settings; HCCL_E_NOT_SUPPORT without UCX; HCCL_E_UNAVAIL; with the sentence
	 * set. */
	HcclResult open(const TcpPlace &place, std::vector<uint8_t> &address);

	/** close() - the last one sends what is queued, for a second at most, and ends thread and engine. Then nothing
	 * reads or writes memory that send() and place() named.
	 * Return: whether it was the last one. */
	bool close();

	/** attach() - gives @user the parcels of a communicator. */
	void attach(const Nonce &comm, WireUser *user);

	/** detach() - ends attach(), and the communicator's connect(). When it returns, no function of the user runs or
	 * will run. Parcels whose data were copied are still sent. It waits two seconds for transfers under way.
	 * Return: whether nothing reads or writes memory that send() and place() named. If not, the other side of one
	 * stands still, and the memory has to stay as long as the wire is open. */
	bool detach(const Nonce &comm);

	/** connect() - a connection to the process with this address; the same number for the same address.
	 * @comm: hears lost()
	 * Return: HCCL_E_PARA for what is no address; HCCL_E_TCP_CONNECT; HCCL_E_INTERNAL when the wire is closed;
	 * with the sentence set. A process that does not answer is lost() later. */
	HcclResult connect(const Nonce &comm, std::span<const uint8_t> address, uint32_t &link);

	/** disconnect() - undoes one connect(). */
	void disconnect(const Nonce &comm, uint32_t link);

	/** send() - queues a parcel; never blocks. Parcels of a link with at most PARCEL_COPIED bytes of data arrive
	 * in the order of send(); larger ones may come later than parcels that were sent after them. On a link that
	 * is lost or ended it does nothing.
	 * @data: if larger than PARCEL_COPIED: stays as it is until the receiver has all of it, or until detach()
	 * @may_wait: a moment, for a parcel that goes with it */
	void send(uint32_t link, const Parcel &parcel, const void *data, bool may_wait = false);

private:
	HcclResult start() REQUIRES(opening_);
	bool close_one() REQUIRES(opening_);

	/* Held while the thread starts and ends, which needs no other lock of its callers. */
	base::Mutex opening_{"Wire::opening_", base::HeldOver::WORK};
	uint32_t opened_ GUARDED_BY(opening_) = 0;
	std::thread thread_ GUARDED_BY(opening_);
	const std::unique_ptr<WireWork> work_;
};

} // namespace umd

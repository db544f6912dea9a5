// SPDX-License-Identifier: MIT
/**
 * DOC: The wire
 *
 * The wire carries frames between processes whose devices share no memory: they are on different machines,
 * or use different firmwares. A process has one wire, with one thread, which sleeps while nothing is under
 * way. Only this thread calls the engine (umd/hccl/wire/engine.h) and the users. All other functions pass
 * their work to the thread, so no lock is held while a function of a user runs.
 *
 * A frame has a head and data. Data of at most FRAME_COPIED bytes are copied and sent with the head. Larger
 * data stay in the sender's memory until the receiver's place() has said where to store them; then they are
 * written there directly.
 *
 * A link leads to one other process. It lives as long as the wire of that process, so one communicator may
 * end while others continue. A wire that closes announces that on each link. The end of such a link is no
 * loss, and lost() is not called.
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

/** FRAME_COPIED - send() copies data of at most this many bytes. */
constexpr uint32_t FRAME_COPIED = 256;

/** FRAMES_QUEUED - a link fails when this many of its frames wait to be sent. */
constexpr uint32_t FRAMES_QUEUED = 16384;

/** struct Frame - the head of a frame; the same bytes on all machines, which are little-endian. */
struct Frame {
	Nonce comm;    /* the communicator that the frame belongs to */
	uint32_t kind; /* for the user; the wire ignores it */
	uint32_t from; /* sending rank of the communicator */
	uint32_t to;
	uint32_t slot;
	uint64_t number;
	uint64_t bytes; /* size of the data that follow */
};
static_assert(sizeof(Frame) == 48);

/** class WireUser - a communicator that receives frames. Context: the wire's thread, which must not
 * block. */
class WireUser {
public:
	virtual ~WireUser() = default;

	/** place() - says where to store the data of @frame. It is called for frames without data, too.
	 * Return: frame.bytes bytes that stay valid until arrived(); nullptr: the frame is dropped if it
	 * has data. */
	virtual void *place(const Frame &frame) = 0;

	/** arrived() - the frame has arrived with all its data. */
	virtual void arrived(const Frame &frame) = 0;

	/** lost() - the connection to the process behind @link failed. It is called once for each link of
	 * this user.
	 * @text: a part of an error message, such as "the connection was reset" */
	virtual void lost(uint32_t link, const std::string &text) = 0;

	/** poll() - called while the thread is awake, so that it can do work of the user for which another
	 * thread would have to wake up. Return: whether there was work. rest() - called before the thread
	 * sleeps or removes the user. */
	virtual bool poll() { return false; }
	virtual void rest() {}
};

class WireWork;

/**
 * class Wire - the wire of this process. Context: any thread except the wire's own; the caller holds no lock
 * that a user's function takes. send(): any thread.
 */
class Wire {
public:
	static Wire &get();

	Wire();
	~Wire();

	/** open() - starts the engine and the thread, unless they run. Each open() needs a close().
	 * @place: where the listener of the meetings listens; it stays open until close(). Empty: all other
	 * processes are in this network
	 * @address: receives the address to which others connect
	 * Return: HCCL_E_PARA for wrong settings; HCCL_E_NOT_SUPPORT without UCX; HCCL_E_UNAVAIL; sets the
	 * error message. */
	HcclResult open(const TcpPlace &place, std::vector<uint8_t> &address);

	/** close() - undoes one open(). The last close() sends queued frames for at most a second, and ends
	 * the thread and the engine. After that nothing reads or writes memory that send() or place() named.
	 * Return: whether it was the last one. */
	bool close();

	/** attach() - makes @user the receiver of all frames of a communicator. */
	void attach(const Nonce &comm, WireUser *user);

	/** detach() - undoes attach() and all connect() of the communicator. When it returns, no function of
	 * the user runs or will run. Frames whose data were copied are still sent. It waits up to two
	 * seconds for transfers under way.
	 * Return: whether nothing reads or writes memory that send() and place() named. If not, the other
	 * side of a transfer does not respond, and the caller has to keep the memory as long as the wire is
	 * open. */
	bool detach(const Nonce &comm);

	/** connect() - connects to the process with this address. @link: receives a number, the same one for
	 * the same address.
	 * @comm: the communicator whose user gets lost()
	 * Return: HCCL_E_PARA if the bytes are no address; HCCL_E_TCP_CONNECT; HCCL_E_INTERNAL when the wire
	 * is closed; sets the error message. If the process does not answer, lost() is called later. */
	HcclResult connect(const Nonce &comm, std::span<const uint8_t> address, uint32_t &link);

	/** disconnect() - undoes one connect(). */
	void disconnect(const Nonce &comm, uint32_t link);

	/** send() - queues a frame; never blocks. Frames of a link with at most FRAME_COPIED bytes of data
	 * arrive in the order of send(); larger frames may arrive after frames that were sent later. On a
	 * link that is lost or has ended, send() does nothing.
	 * @data: if larger than FRAME_COPIED: must not change until the receiver has all of it, or until
	 * detach()
	 * @may_wait: the frame may wait for a moment, so that another frame is sent with it */
	void send(uint32_t link, const Frame &frame, const void *data, bool may_wait = false);

private:
	HcclResult start() REQUIRES(opening_);
	bool close_one() REQUIRES(opening_);

	/* Held while the thread starts and ends. The thread takes no lock of its callers for that. */
	base::Mutex opening_{"Wire::opening_", base::HeldOver::WORK};
	uint32_t opened_ GUARDED_BY(opening_) = 0;
	std::thread thread_ GUARDED_BY(opening_);
	const std::unique_ptr<WireWork> work_;
};

} // namespace umd

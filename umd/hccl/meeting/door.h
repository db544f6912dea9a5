// SPDX-License-Identifier: MIT
#pragma once

#include <list>
#include <map>
#include <thread>
#include <vector>

#include "base/os/shm.h"
#include "base/sync/mutex.h"
#include "hccl/hccl_types.h"
#include "umd/hccl/network/address.h"
#include "umd/hccl/proof/handshake.h"

namespace umd {

struct PortChoice;

/** class DoorUser - gets connections that came through the door. */
class DoorUser {
public:
	virtual ~DoorUser() = default;

	/** adopt() - takes a connection whose other side knows the key. Context: the door's thread, with its lock. */
	virtual void adopt(base::Fd socket, const SessionKeys &keys) = 0;
};

/**
 * class MeetingDoor - where a process listens for ranks of other networks, for all of its meetings and for its wire.
 * Who connects has to end a handshake within 5 s, and is cut off else. There is a thread while somebody keeps a
 * listener open. Context: any thread.
 */
class MeetingDoor {
public:
	/** class Hold - keeps the listeners of a place open. */
	class Hold {
	public:
		Hold() = default;
		Hold(Hold &&other) noexcept : ids_(std::move(other.ids_)) { other.ids_.clear(); }
		Hold &operator=(Hold &&other) noexcept;
		~Hold() { release(); }

		bool is_open() const { return !ids_.empty(); }
		void release();

	private:
		friend class MeetingDoor;
		std::vector<uint32_t> ids_;
	};

	static MeetingDoor &get();

	/** open() - listens at the addresses that the environment chooses.
	 * @allowed: where nothing is set, only at these of them, whatever their ports; nullptr: at all
	 * @place: receives them; stays empty if the machine has none, and nothing is set
	 * Return: HCCL_E_PARA, HCCL_E_UNAVAIL, with the sentence. */
	HcclResult open(const TcpPlace *allowed, TcpPlace &place, Hold &hold);

	/** open_at() - listens at one address and its port. @origin: of the port, for sentences. Return: as open(). */
	HcclResult open_at(const TcpAddress &address, const std::string &origin, Hold &hold);

	/** expect() - who names @name and knows @key goes to @user, until forget(), which waits for adopt(). */
	void expect(const Nonce &name, Wish wish, const Key &key, DoorUser *user);
	void forget(const Nonce &name);

private:
	struct Listener {
		base::Fd socket;
		TcpAddress wanted{}; /* its port is 0 if any one was good */
		TcpAddress address{};
		uint32_t users = 0;
	};
	/* A connection that has not ended its handshake. */
	struct Stranger {
		base::Fd socket;
		Handshake handshake;
		uint64_t deadline_ns = 0;
	};
	struct Expected {
		Wish wish;
		Key key;
		DoorUser *user;
	};

	HcclResult listen_at(const TcpAddress &wanted, const PortChoice &ports, Hold &hold,
			     TcpAddress &address);
	HcclResult begin() REQUIRES(thread_mutex_);
	void leave(const std::vector<uint32_t> &ids);
	void kick();
	void serve();
	bool serve_once();
	bool accept_from(uint32_t id);
	void make_room();
	bool find_key(Wish wish, const Nonce &name, Key &key);
	bool is_over(Stranger &stranger);

	/* Held while a thread starts or ends, and while a socket is made. Taken before mutex_. */
	base::Mutex thread_mutex_{"MeetingDoor::thread_mutex_", base::HeldOver::WORK};
	std::thread thread_ GUARDED_BY(thread_mutex_);
	base::Fd kick_;			/* eventfd; while there is a thread */
	std::list<Stranger> strangers_; /* the thread's; the oldest one first */
	uint64_t full_until_ns_ = 0;	/* the thread's: until then no descriptor is left */

	base::Mutex mutex_{"MeetingDoor::mutex_"};
	std::map<uint32_t, Listener> listeners_ GUARDED_BY(mutex_);
	std::map<Nonce, Expected> expected_ GUARDED_BY(mutex_);
	uint32_t next_ GUARDED_BY(mutex_) = 1;
	bool is_ending_ GUARDED_BY(mutex_) = false;
};

} // namespace umd

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

/** class ListenerUser - receives connections that the listener has accepted. */
class ListenerUser {
public:
	virtual ~ListenerUser() = default;

	/** adopt() - takes over a connection whose other side has proved that it knows the key. Context: the
	 * listener's thread, which holds its lock. */
	virtual void adopt(base::Fd socket, const SessionKeys &keys) = 0;
};

/**
 * class MeetingListener - listens for ranks of other networks, for all meetings of this process and for its wire.
 * A connection that does not finish its handshake within 5 s is closed. The thread exists while a Hold keeps
 * a listener open. Context: any thread.
 */
class MeetingListener {
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
		friend class MeetingListener;
		std::vector<uint32_t> ids_;
	};

	static MeetingListener &get();

	/** open() - listens at the addresses that the environment chooses.
	 * @allowed: if the environment sets nothing: listen only at these addresses (their ports do not
	 * matter); nullptr: at all addresses
	 * @place: receives the addresses; stays empty if the machine has none and the environment sets
	 * nothing
	 * Return: HCCL_E_PARA, HCCL_E_UNAVAIL, sets the error message. */
	HcclResult open(const TcpPlace *allowed, TcpPlace &place, Hold &hold);

	/** open_at() - listens at one address and its port. @origin: where the port comes from, for error
	 * messages. Return: as open(). */
	HcclResult open_at(const TcpAddress &address, const std::string &origin, Hold &hold);

	/** expect() - passes connections that name @name and know @key to @user. forget() - ends that; waits
	 * until adopt() has returned. */
	void expect(const Nonce &name, Wish wish, const Key &key, ListenerUser *user);
	void forget(const Nonce &name);

private:
	struct BoundSocket {
		base::Fd socket;
		TcpAddress wanted{}; /* the address asked for; port 0: any port was acceptable */
		TcpAddress address{};
		uint32_t users = 0;
	};
	/* A connection that has not finished its handshake. */
	struct Stranger {
		base::Fd socket;
		Handshake handshake;
		uint64_t deadline_ns = 0;
	};
	struct Expected {
		Wish wish;
		Key key;
		ListenerUser *user;
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

	/* Held while the thread starts or ends, and while a socket is created. Taken before mutex_. */
	base::Mutex thread_mutex_{"MeetingListener::thread_mutex_", base::HeldOver::WORK};
	std::thread thread_ GUARDED_BY(thread_mutex_);
	base::Fd kick_;			/* eventfd; while there is a thread */
	std::list<Stranger> strangers_; /* used by the thread only; the oldest connection first */
	/* used by the thread only: until this time no descriptor is free */
	uint64_t full_until_ns_ = 0;

	base::Mutex mutex_{"MeetingListener::mutex_"};
	std::map<uint32_t, BoundSocket> sockets_ GUARDED_BY(mutex_);
	std::map<Nonce, Expected> expected_ GUARDED_BY(mutex_);
	uint32_t next_ GUARDED_BY(mutex_) = 1;
	bool is_ending_ GUARDED_BY(mutex_) = false;
};

} // namespace umd

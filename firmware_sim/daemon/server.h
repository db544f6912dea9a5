// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <sys/socket.h>

#include "base/clock.h"
#include "base/os/shm.h"
#include "base/sync/mutex.h"
#include "event_loop.h"
#include "firmware_sim/client/log_share.h"
#include "firmware_sim/storage/discarder.h"
#include "listener.h"
#include "log.h"
#include "options.h"
#include "service_manager.h"
#include "session.h"

namespace fwd {

/**
 * class Server - the firmware as a process: devices with one thread each, and a control thread that
 * admits clients. Context: the control thread.
 */
class Server {
public:
	/** Server() - @log: gets its thread when run() has forked what it forks */
	Server(const Options &options, std::shared_ptr<Log> log);
	~Server();

	/** run() - serves until a signal arrives or the parent ends. Return: an exit code. */
	int run();

	EventLoop &loop() { return *loop_; }
	uint32_t devices() const { return static_cast<uint32_t>(devices_.size()); }
	fw::Device &device(uint32_t index) { return *devices_[index].device; }
	/** config() - the configuration common to all devices. */
	const fw::Config &config() const { return config_; }

	/** admit() - starts a session for a connection. Return: NO_PERMISSION, NO_RESOURCE,
	 * INVALID_ARGUMENT. */
	base::Status admit(base::Fd socket, Session::Role role);

	/** has_room() - whether the peer's user may have one more client. */
	bool has_room(const ucred &peer) const;

	/** account() - the account of a user, to which all its clients are charged. */
	std::shared_ptr<fw::Account> account(uid_t user);

	/** use_of_shares() - how much a user has of what the firmware may have, and what bounds it, as text. */
	std::string use_of_shares(uid_t user);

	/** COSTLY_NS - a message for which the control thread works this long is costly. A snapshot always
	 * is. */
	static constexpr uint64_t COSTLY_NS = base::NS_PER_MS;
	/** RESTS - after a costly message of a user, its next costly message has to wait this many times as
	 * long as the message took. */
	static constexpr uint64_t RESTS = 9;

	/** ask_turn() - calls take_turn() of @session later. Costly messages take turns: each user gets a
	 * bounded part of the control thread's time for them, so that attachments do not wait. */
	void ask_turn(Session &session);

	/** note_cost() - the control thread has worked for @took_ns on a costly message of @user. */
	void note_cost(uid_t user, uint64_t took_ns);

	/** attach_limit_ns() - how long a connection may take to attach. */
	uint64_t attach_limit_ns() const { return options_.attach_ms * base::NS_PER_MS; }

	/** may_log() - whether a line about @user may be logged. If earlier lines were left out, logs how
	 * many. Context: any thread. */
	bool may_log(uid_t user);

	/** ended() - called by a session that has closed itself. */
	void ended(const Session &session);

private:
	struct Hosted {
		std::unique_ptr<fw::Device> device;
		std::thread thread;
	};

	void open_accounts();
	fw::Quotas quotas_of_client() const;
	bool find_group();
	bool start_loop();
	bool give_up_calls(bool (*calls)(std::string &why));
	bool start_devices();
	void tell_operator();
	int listen();
	void watch_signals();
	void accepted(int result);
	void accept_next();
	void accept_later();
	void refuse(base::Fd socket, uid_t user);
	bool has_room_for_refusals() const;
	uint64_t rests_until_ns(uid_t user) const;
	void await_turn();
	void give_turn();
	void make_room(const ucred &peer);
	bool may_connect(const base::Fd &socket, const ucred &peer) const;
	void stop(const char *why);
	bool write_trace();
	void sweep();

	const Options options_;
	const std::shared_ptr<Log> log_;
	fw::Config config_;
	gid_t group_ = static_cast<gid_t>(-1);
	uint64_t own_descriptors_ = 0; /* what clients do not get */
	fw::Account::Amounts limits_of_user_{};
	std::shared_ptr<fw::Account> all_users_;
	std::map<uid_t, std::weak_ptr<fw::Account>> users_;
	std::unique_ptr<EventLoop> loop_;
	std::vector<Hosted> devices_;
	std::unique_ptr<Listener> listener_;
	std::vector<std::unique_ptr<Session>> sessions_;
	/* Closes refused connections. The counts are by user. */
	fw::Discarder discarder_;
	std::map<uid_t, std::shared_ptr<fw::Closer>> refusals_;
	std::deque<Session *> turns_;	  /* sessions that wait for a turn */
	std::map<uid_t, uint64_t> rests_; /* time of the next turn of each user */
	uint64_t next_turn_ns_ = 0;	  /* time of the next turn of any user */
	Operation turn_;		  /* timer of the next turn */
	bool awaits_turn_ = false;	  /* the timer is running */
	base::Mutex log_mutex_{"Server::log_mutex_"};
	fw::LogShare log_share_ GUARDED_BY(log_mutex_);
	Operation accept_;
	Operation signal_;
	Operation retry_; /* timer that retries accept after the process ran out of descriptors */
	ServiceManager manager_;
	base::Fd signals_;
	bool is_stopping_ = false;
	unsigned pending_ = 0;
};

} // namespace fwd

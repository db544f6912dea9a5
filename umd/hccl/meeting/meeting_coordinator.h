// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <list>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/sync/mutex.h"
#include "line.h"
#include "meeting_listener.h"

namespace umd {

/**
 * class MeetingCoordinator - the coordinator of one communicator. The ranks find each other here, and learn from it
 * that a rank has failed or ended. It has a thread, which sleeps while no rank sends anything. Context: any
 * thread.
 */
class MeetingCoordinator final : public ListenerUser {
public:
	/** open() - opens a meeting.
	 * @wait_s: how long to wait for the ranks
	 * @group: users in this group may join, too; NO_GROUP: only ranks of this user
	 * @listener: the local_socket for ranks of other networks, if such ranks may join
	 * Return: IN_USE if another process hosts this meeting; NO_RESOURCE, NO_PERMISSION. */
	static base::Result<std::unique_ptr<MeetingCoordinator>> open(
		const Nonce &secret, uint64_t wait_s, uint32_t group,
		MeetingListener::Hold listener);

	/** adopt() - takes over the connection of a rank that the listener has accepted. The rank has proved that
	 * it knows the secret. */
	void adopt(base::Fd socket, const SessionKeys &keys) override;

	/** ~MeetingCoordinator() - ends the meeting. If ranks are left, their communicator fails. */
	~MeetingCoordinator() override;

	const Nonce &secret() const { return secret_; }

	/** is_over() - whether all ranks have left. */
	bool is_over() const { return is_over_.load(); }

private:
	/* STRAY: the connection is no rank of this meeting. GONE: the rank has left, or was refused. */
	enum class Stage { NEW, STRAY, INTRODUCED, SHARED, INSIDE, GONE };

	struct Joiner {
		Line line;
		Stage stage = Stage::NEW;
		Introduction who{};
		Members members{};
		RankKeys keys{};
		bool is_again = false; /* this rank has sent AGAIN and waits for the answer */
		/* refusal that could not be sent before the end of the handshake */
		std::string refusal;
		uint32_t code = 0;
	};

	/* A connection that the listener has accepted. */
	struct Arrival {
		base::Fd socket;
		SessionKeys keys;
	};

	static bool is_rank(const Joiner &joiner) { return joiner.stage > Stage::STRAY; }

	MeetingCoordinator(const Nonce &secret, uint64_t wait_s, uint32_t group)
		: secret_(secret), wait_s_(wait_s), group_(group)
	{
	}

	void serve();
	bool serve_once();
	bool admit();
	void greet();
	Handshake handshake() const;
	void close_listeners();
	static void tell_last(Joiner &joiner, uint64_t deadline_ns);
	static void tell(Joiner &joiner, uint32_t code, const std::string &text);
	bool listen_to(Joiner &joiner);
	bool hear(Joiner &joiner, const MeetingMessage &message);
	bool introduce(Joiner &joiner, const Hello &hello);
	std::string objection(const Joiner &joiner) const;
	bool refuse_all(const std::string &why);
	bool begins_again(const Joiner &joiner) const;
	bool alive();
	bool spread_keys();
	bool let_in();
	void on_again();
	void leave(Joiner &joiner, const Leave &leave);
	void lose(Joiner &joiner);
	static std::string end_of(const Joiner &joiner);
	void tell_gone(const Gone &gone);
	void broadcast(const Joiner *but, uint32_t code, const std::string &text);
	bool turn_away(uint32_t code, const std::string &text);
	std::string missing() const;
	size_t count(Stage stage) const;

	const Nonce secret_;
	const uint64_t wait_s_;
	const uint32_t group_;
	uint64_t deadline_ns_ = 0;
	base::Fd local_socket_;
	base::Fd stop_; /* eventfd */
	base::Fd bell_; /* eventfd: a connection has arrived */
	/* A spare descriptor. When no other is free, the coordinator closes it to accept one more rank, and tells
	 * that rank that there are no descriptors left. */
	base::Fd spare_;
	MeetingListener::Hold listener_;
	base::Mutex mutex_{"MeetingCoordinator::mutex_"};
	std::vector<Arrival> arrivals_ GUARDED_BY(mutex_);
	std::list<Joiner> joiners_;
	/* number of ranks, as the first joiner says; 0: no rank has come */
	uint32_t ranks_ = 0;
	bool is_complete_ = false; /* all ranks have joined */
	std::string refusal_;	   /* why the ranks do not fit together; "": they fit */
	std::atomic<bool> is_over_{false};
	std::thread thread_;
};

/** class Meetings - all MeetingCoordinator objects of this process. */
class Meetings {
public:
	static Meetings &get();

	/** open() - opens a meeting as MeetingCoordinator::open() does. Keeps the coordinator while it has ranks. */
	base::Status open(const Nonce &secret, uint64_t wait_s, uint32_t group,
			  MeetingListener::Hold listener);

	/** has() - whether this process hosts the meeting. */
	bool has(const Nonce &secret);

	/** close() - ends the meeting for all its ranks, if this process hosts it. */
	void close(const Nonce &secret);

	/** reap() - frees the hosts that are over. */
	void reap();

private:
	/* Held also while a finished thread is joined. The join does not block. */
	base::Mutex mutex_{"Meetings::mutex_", base::HeldOver::WORK};
	std::list<std::unique_ptr<MeetingCoordinator>> hosts_ GUARDED_BY(mutex_);
};

} // namespace umd

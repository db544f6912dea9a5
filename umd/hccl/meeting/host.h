// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <list>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/sync/mutex.h"
#include "door.h"
#include "line.h"

namespace umd {

/**
 * class MeetingHost - where the ranks of one communicator find each other, and from which they learn that one of
 * them has failed or ended. It has a thread, which sleeps while no rank says anything. Context: any thread.
 */
class MeetingHost final : public DoorUser {
public:
	/** open() - opens a meeting.
	 * @wait_s: how long the ranks may take to come
	 * @group: whose members may come, too; NO_GROUP: ranks of this user alone
	 * @door: open for ranks of other networks, if any may come
	 * Return: IN_USE when another one has it; NO_RESOURCE, NO_PERMISSION. */
	static base::Result<std::unique_ptr<MeetingHost>> open(const Nonce &secret, uint64_t wait_s,
							       uint32_t group,
							       MeetingDoor::Hold door);

	/** adopt() - takes a rank that came through the door, and knows the secret. */
	void adopt(base::Fd socket, const SessionKeys &keys) override;

	/** ~MeetingHost() - ends the meeting, which fails the communicator where ranks are left. */
	~MeetingHost() override;

	const Nonce &secret() const { return secret_; }

	/** is_over() - whether no rank is left. */
	bool is_over() const { return is_over_.load(); }

private:
	/* STRAY: no rank of this meeting. GONE: it has left, or was refused. */
	enum class Stage { NEW, STRAY, INTRODUCED, SHARED, INSIDE, GONE };

	struct Guest {
		Line line;
		Stage stage = Stage::NEW;
		Introduction who{};
		Members members{};
		RankKeys keys{};
		bool is_again = false; /* waits for AGAIN */
		std::string refusal;   /* that it could not be told before its handshake */
		uint32_t code = 0;
	};

	/* A rank that came through the door. */
	struct Arrival {
		base::Fd socket;
		SessionKeys keys;
	};

	static bool is_rank(const Guest &guest) { return guest.stage > Stage::STRAY; }

	MeetingHost(const Nonce &secret, uint64_t wait_s, uint32_t group)
		: secret_(secret), wait_s_(wait_s), group_(group)
	{
	}

	void serve();
	bool serve_once();
	bool admit();
	void greet();
	Handshake handshake() const;
	void close_doors();
	static void tell_last(Guest &guest, uint64_t deadline_ns);
	static void tell(Guest &guest, uint32_t code, const std::string &text);
	bool listen_to(Guest &guest);
	bool hear(Guest &guest, const Letter &letter);
	bool introduce(Guest &guest, const Hello &hello);
	std::string objection(const Guest &guest) const;
	bool refuse_all(const std::string &why);
	bool begins_again(const Guest &guest) const;
	bool welcome();
	bool spread_keys();
	bool let_in();
	void hear_again();
	void leave(Guest &guest, const Leave &leave);
	void lose(Guest &guest);
	static std::string end_of(const Guest &guest);
	void tell_gone(const Gone &gone);
	void tell_others(const Guest *but, uint32_t code, const std::string &text);
	bool turn_away(uint32_t code, const std::string &text);
	std::string missing() const;
	size_t count(Stage stage) const;

	const Nonce secret_;
	const uint64_t wait_s_;
	const uint32_t group_;
	uint64_t deadline_ns_ = 0;
	base::Fd listener_;
	base::Fd stop_; /* eventfd */
	base::Fd bell_; /* eventfd: somebody has arrived */
	/* Any descriptor: without it there is room for a rank that has to be told that there is none left. */
	base::Fd spare_;
	MeetingDoor::Hold door_;
	base::Mutex mutex_{"MeetingHost::mutex_"};
	std::vector<Arrival> arrivals_ GUARDED_BY(mutex_);
	std::list<Guest> guests_;
	uint32_t ranks_ = 0;	   /* that the first guest expects; 0: none has come */
	bool is_complete_ = false; /* all are inside */
	std::string refusal_;	   /* why the ranks do not fit; "": they do */
	std::atomic<bool> is_over_{false};
	std::thread thread_;
};

/** class Meetings - the hosts of this process. */
class Meetings {
public:
	static Meetings &get();

	/** open() - as MeetingHost::open(); keeps the host while it has ranks. */
	base::Status open(const Nonce &secret, uint64_t wait_s, uint32_t group,
			  MeetingDoor::Hold door);

	/** has() - whether this process hosts the meeting. */
	bool has(const Nonce &secret);

	/** close() - ends the meeting for all its ranks, if this process hosts it. */
	void close(const Nonce &secret);

	/** reap() - frees the hosts that are over. */
	void reap();

private:
	/* Held while a finished thread is joined, which waits for nothing. */
	base::Mutex mutex_{"Meetings::mutex_", base::HeldOver::WORK};
	std::list<std::unique_ptr<MeetingHost>> hosts_ GUARDED_BY(mutex_);
};

} // namespace umd

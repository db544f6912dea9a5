// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <vector>

#include "base/sync/mutex.h"
#include "firmware_sim/memory/mmu.h"
#include "runner.h"
#include "uapi/mailbox.h"
#include "uapi/regs.h"

namespace fw {

class Group;
class Inbox;
class Semaphores;

/** struct Post - message to a device about a change of a group on another device. */
struct Post {
	enum class Kind { RAISE, SET, LOSE, END, SIGNAL };

	Kind kind = Kind::RAISE;
	uint8_t op = 0; /* SIGNAL */
	uint32_t lane = 0;
	uint64_t value = 0;
	uint64_t first = 0; /* LOSE: the values from here to @value are lost */
	/* RAISE, SET: number of the member that has the value already; 0: none */
	uint32_t except = 0;
};

/**
 * class Inbox - queue of messages (struct Post) to this device about groups of shared semaphores. The threads of
 * other devices post here. The device's own thread posts here too, if a group has too many members or waiters to
 * tell all of them in one turn. Groups take turns. The number of posts
 * of a group is bounded: RAISE posts of a lane are merged into one; when the queue is full, a new SET
 * replaces the SET before it; a SIGNAL to a NOTIFY is refused.
 */
class Inbox {
public:
	/** @kick: wakes the device
	 * @long_work: called under the step token after long work */
	Inbox(std::function<void()> kick, std::function<void()> long_work)
		: kick_(std::move(kick)), long_work_(std::move(long_work))
	{
	}

	/** DELIVER_LOOKS - members updated and waiters checked in one turn, so that channels get theirs. */
	static constexpr uint64_t DELIVER_LOOKS = 1024;

	/** post() - @next: members below this number have the post already. It may be used only if the inbox
	 * has() no other post of @group. Context: any thread, with the lock of @group.
	 * Return: NO_RESOURCE for a SIGNAL past the bound. */
	base::Status post(std::shared_ptr<Group> group, const Post &post, uint32_t next = 0);

	/** has() - whether posts of @group are queued. Context: under the step token, with the lock of
	 * @group. */
	bool has(const Group &group);

	/** count_looks() - notes that a signal will check @count waiters or members. */
	void count_looks(size_t count)
	{
		looks_ += count;
		if (count > LOOKS_LONG)
			long_work_();
	}

	/** looks() - sum of these counts; it bounds the work of a turn too. Context: under the step
	 * token. */
	uint64_t looks() const { return looks_; }

	/** expect() - a channel waits for a semaphore of a group, so a message may come soon. expects() -
	 * whether that has happened since the last end_expecting(). Context: under the step token. */
	void expect() { expects_ = true; }
	bool expects() const { return expects_; }
	void end_expecting() { expects_ = false; }

	/** deliver() - delivers some of the queued posts. Context: under the step token.
	 * Return: true when posts may have been queued. */
	bool deliver();

private:
	/* Checking this many waiters takes longer than a small task. */
	static constexpr size_t LOOKS_LONG = 256;

	const std::function<void()> kick_;
	const std::function<void()> long_work_;
	uint64_t looks_ = 0;
	bool expects_ = false;

	/* Undelivered posts of one group to its members on this device. */
	struct PostQueue {
		std::shared_ptr<Group> group;
		std::deque<Post> posts;
		uint32_t next = 0;     /* members before this number have the first post */
		bool is_begun = false; /* some members have got the first post, or are getting it */
	};

	/* The first post of the queue that has the next turn. */
	struct Delivery {
		std::shared_ptr<Group> group;
		Post post;
		uint32_t next = 0;
	};

	using Places = std::map<const Group *, std::list<PostQueue>::iterator>;

	PostQueue &queue_for(std::shared_ptr<Group> group, uint32_t next) REQUIRES(mutex_);
	void drop_first() REQUIRES(mutex_);
	bool merge(PostQueue &queue, const Post &post) const REQUIRES(mutex_);
	bool begin(Delivery &delivery);
	void end(uint32_t next);

	base::Mutex mutex_{"Inbox::mutex_"};
	std::list<PostQueue> queues_
		GUARDED_BY(mutex_); /* the front has the next turn; no queue is empty */
	Places queue_of_ GUARDED_BY(mutex_);
	std::list<PostQueue> spare_ GUARDED_BY(mutex_);	   /* one queue without posts, or none */
	Places::node_type spare_place_ GUARDED_BY(mutex_); /* and its entry in queue_of_ */
	size_t posts_ GUARDED_BY(mutex_) = 0;		   /* number of posts in all queues */
	uint32_t pending_ = 0;
};

/**
 * class Group - semaphores that several clients share: an EVENT, a NOTIFY or a MIRROR of
 * uapi/mailbox.h. Each member has semaphores of its own. Only the member's own device changes them;
 * other devices post to its inbox.
 *
 * Context: under the step token of the device of the Semaphores that are passed. The group's lock
 * protects the list of members and the values, and is held while members on this device are updated.
 * That cannot recurse: a change at the home of a NOTIFY is not spread.
 */
class Group : public std::enable_shared_from_this<Group> {
public:
	Group(unpu_export_kind kind, uint32_t count, std::shared_ptr<Segment> page)
		: kind_(kind), count_(count), page_(std::move(page))
	{
	}

	unpu_export_kind kind() const { return kind_; }
	uint32_t count() const { return count_; }
	const std::shared_ptr<Segment> &page() const { return page_; }

	/** join() - adds a member; the first one is the exporter.
	 * @sems: count() semaphores of @client
	 * Return: the member's number; BAD_SEMAPHORE, NOT_SHARED when the exporter ended it. */
	base::Result<uint32_t> join(Semaphores &client, const uint32_t *sems);

	/** leave() - removes the member with this number, and ends waits of others for its signals. A
	 * client may be a member several times. */
	void leave(uint32_t member);

	/** withdraw() - the same for the exporter, if it has not left yet. */
	void withdraw(Semaphores &client);

	/** propagate() - spreads the new value that @member of client @from has for @lane. @raised: values of
	 * the lane only grow. */
	void propagate(const Semaphores &from, uint32_t member, uint32_t lane, uint64_t value,
		       bool raised);

	/** signal() - a signal to a NOTIFY that lives with another client. Return: PEER_LOST,
	 * NO_RESOURCE when it is on another device whose inbox is full. */
	base::Status signal(const Semaphores &from, uint8_t op, uint64_t value);

	/** wait() - a wait for a NOTIFY that lives with another client.
	 * Return: as Semaphores::wait(); BAD_SEMAPHORE on another device. */
	base::Status wait(const Semaphores &from, unpu_sem_wait wait, Waiter &waiter);

	/** receive() - passes a post to the members on the device of @inbox, from member @next on, until
	 * Inbox::looks() is @end or more.
	 * Return: the number of the next member; 0: all have it. */
	uint32_t receive(Inbox &inbox, const Post &post, uint32_t next, uint64_t end);

private:
	struct Member {
		Semaphores *client;
		uint32_t sems[UNPU_EXPORT_MAX_SEMAPHORES];
	};
	using Members = std::map<uint32_t, Member>; /* indexed by member number */

	/* A device that has members. */
	struct MemberDevice {
		Inbox *inbox;
		uint32_t members;
	};

	void add(uint32_t number, const Member &member) REQUIRES(mutex_);
	void remove(Members::iterator member) REQUIRES(mutex_);
	const Member *exporter() const REQUIRES(mutex_);
	uint32_t free_number() const REQUIRES(mutex_);
	void adopt(Semaphores &client, const uint32_t *sems, uint32_t number, bool first)
		REQUIRES(mutex_);
	void end_claims(Inbox &here, uint32_t member) REQUIRES(mutex_);
	void end_all(Inbox &here) REQUIRES(mutex_);
	void spread(Inbox &here, const Post &post) REQUIRES(mutex_);
	uint32_t deliver_to_members(Inbox &inbox, const Post &post, uint32_t next, uint64_t end)
		REQUIRES(mutex_);
	static void apply(const Member &member, const Post &post);

	const unpu_export_kind kind_;
	const uint32_t count_;
	const std::shared_ptr<Segment> page_;

	base::Mutex mutex_{"Group::mutex_"};
	Members members_ GUARDED_BY(mutex_);
	std::vector<MemberDevice> places_ GUARDED_BY(mutex_);
	/* member number of the exporter; 0: it has left */
	uint32_t exporter_ GUARDED_BY(mutex_) = 0;
	bool ended_ GUARDED_BY(mutex_) = false;
	uint64_t values_[UNPU_EXPORT_MAX_SEMAPHORES] GUARDED_BY(mutex_) = {};
	uint64_t lost_first_[UNPU_EXPORT_MAX_SEMAPHORES] GUARDED_BY(mutex_) = {};
	uint64_t lost_last_[UNPU_EXPORT_MAX_SEMAPHORES] GUARDED_BY(mutex_) = {};
};

} // namespace fw

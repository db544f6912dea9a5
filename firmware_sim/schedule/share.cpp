// SPDX-License-Identifier: MIT
/**
 * DOC: Shared semaphores
 *
 * How members of a group pass values to each other. Values that only grow need no owner: the member
 * that raises one posts it to the others, and the order does not matter. A notify counts and clears, so
 * only the device of its exporter holds its value. When a member leaves, the values that it has claimed
 * and not signalled end, so no waiter waits for it forever.
 */
#include "share.h"

#include <algorithm>

#include "base/assert.h"
#include "base/hot_path.h"
#include "base/sync/ordering.h"
#include "semaphores.h"
#include "uapi/event.h"

namespace fw {

using base::Result;
using base::Status;

/* Bounds the cost of a signal, which updates each member. */
static constexpr uint32_t MAX_MEMBERS = 4096;
/* The most undelivered posts of a group, and the lower limit once all groups together have MANY_POSTS. */
static constexpr size_t GROUP_POSTS = 4096;
static constexpr size_t GROUP_POSTS_AMONG_MANY = 64;
static constexpr size_t MANY_POSTS = size_t{1} << 18;

/* Return: whether @post was merged into a queued one. */
bool Inbox::merge(PostQueue &queue, const Post &post) const
{
	const size_t most = posts_ < MANY_POSTS ? GROUP_POSTS : GROUP_POSTS_AMONG_MANY;
	const bool full = queue.posts.size() >= most;
	if (queue.posts.empty() ||
	    (post.kind != Post::Kind::RAISE && !(full && post.kind == Post::Kind::SET)))
		return false;
	/* Posts of other lanes that were queued later do not depend on it. */
	for (auto last = queue.posts.rbegin(); last != queue.posts.rend(); ++last) {
		if (queue.is_begun && &*last == &queue.posts.front())
			return false;
		if (last->lane != post.lane)
			continue;
		const bool raises =
			last->kind == Post::Kind::RAISE && post.kind == Post::Kind::RAISE;
		if (!raises && !(full && last->kind == Post::Kind::SET))
			return false;
		last->value = post.kind == Post::Kind::SET ? post.value
							   : std::max(last->value, post.value);
		if (last->except != post.except)
			last->except = 0;
		return true;
	}
	return false;
}

/* Return: the queue of @group. A new one has the memory of one that has emptied, where there is one. */
Inbox::PostQueue &Inbox::queue_for(std::shared_ptr<Group> group, uint32_t next)
{
	const Group *key = group.get();
	const auto found = queue_of_.find(key);
	if (found != queue_of_.end())
		return *found->second;
	if (spare_.empty()) {
		queues_.emplace_back();
		try {
			queue_of_.emplace(key, std::prev(queues_.end()));
		} catch (...) {
			queues_.pop_back();
			throw;
		}
	} else {
		queues_.splice(queues_.end(), spare_, spare_.begin());
		spare_place_.key() = key;
		spare_place_.mapped() = std::prev(queues_.end());
		queue_of_.insert(std::move(spare_place_));
	}
	PostQueue &queue = queues_.back();
	queue.group = std::move(group);
	queue.next = next;
	queue.is_begun = next != 0;
	return queue;
}

/* Drops the first queue, which is empty. The memory of one is kept: most inboxes have one queue at a time. */
void Inbox::drop_first()
{
	PostQueue &queue = queues_.front();
	auto place = queue_of_.extract(queue.group.get());
	queue.group.reset();
	if (!spare_.empty())
		return queues_.pop_front();
	spare_.splice(spare_.end(), queues_, queues_.begin());
	spare_place_ = std::move(place);
}

Status Inbox::post(std::shared_ptr<Group> group, const Post &post, uint32_t next)
{
	{
		std::lock_guard lock(mutex_);
		PostQueue &queue = queue_for(std::move(group), next);
		if (post.kind == Post::Kind::SIGNAL &&
		    queue.posts.size() >=
			    (posts_ < MANY_POSTS ? GROUP_POSTS : GROUP_POSTS_AMONG_MANY))
			return Status::NO_RESOURCE;
		if (merge(queue, post))
			return Status::OK;
		queue.posts.push_back(post);
		posts_++;
		base::store_release(pending_, uint32_t{1});
	}
	/* The lock of the group is held. It keeps the device of this inbox, whose members leave before it ends. A
	 * kick is one system call at most, and that does not block. */
	kick_();
	return Status::OK;
}

bool Inbox::has(const Group &group)
{
	/* The lock of @group orders this after each post of the group. */
	if (base::load_relaxed(pending_) == 0) [[likely]]
		return false;
	std::lock_guard lock(mutex_);
	return queue_of_.contains(&group);
}

/* Return: false when no post is queued. */
bool Inbox::begin(Delivery &delivery)
{
	std::lock_guard lock(mutex_);
	if (queues_.empty()) {
		base::store_release(pending_, uint32_t{0});
		return false;
	}
	PostQueue &queue = queues_.front();
	queue.is_begun = true;
	delivery = {queue.group, queue.posts.front(), queue.next};
	return true;
}

/* Ends the turn of the first queue. The post stays if members from number @next on have to get it. Posts that
 * came meanwhile are behind it, so the queue is still the first one. */
void Inbox::end(uint32_t next)
{
	std::lock_guard lock(mutex_);
	PostQueue &queue = queues_.front();
	queue.next = next;
	queue.is_begun = next != 0;
	if (next == 0) {
		queue.posts.pop_front();
		unpu_assert(posts_ != 0);
		posts_--;
	}
	if (queue.posts.empty())
		drop_first();
	else
		queues_.splice(queues_.end(), queues_, queues_.begin());
	if (queues_.empty())
		base::store_release(pending_, uint32_t{0});
}

HOT_PATH bool Inbox::deliver()
{
	if (base::load_acquire(pending_) == 0) [[likely]]
		return false;
	const uint64_t enough = looks_ + DELIVER_LOOKS;
	Delivery delivery;
	while (looks_ < enough && base::load_relaxed(pending_) != 0 && begin(delivery)) {
		looks_++;
		end(delivery.group->receive(*this, delivery.post, delivery.next, enough));
	}
	return true;
}

const Group::Member *Group::exporter() const
{
	auto found = members_.find(exporter_);
	return found == members_.end() ? nullptr : &found->second;
}

/* The numbers of members that left can be used again, because end_claims() has ended their claims. */
uint32_t Group::free_number() const
{
	uint32_t number = 1;
	for (const auto &member : members_) {
		if (member.first != number)
			break;
		number++;
	}
	return number;
}

/* If memory runs out, the group has not changed. */
void Group::add(uint32_t number, const Member &member)
{
	Inbox *inbox = &member.client->inbox();
	places_.reserve(places_.size() + 1);
	members_.emplace(number, member);
	auto place = std::find_if(places_.begin(), places_.end(),
				  [inbox](const MemberDevice &one) { return one.inbox == inbox; });
	if (place == places_.end())
		places_.push_back({inbox, 1});
	else
		place->members++;
}

/* A mirror begins with the values of its exporter, the lanes of an event with 0; a later member takes
 * over the current values. For a notify only the exporter holds the value. */
void Group::adopt(Semaphores &client, const uint32_t *sems, uint32_t number, bool first)
{
	for (uint32_t lane = 0; lane < count_; lane++) {
		client.bind(sems[lane], {shared_from_this(), number, lane, first});
		if (kind_ == UNPU_EXPORT_NOTIFY)
			continue;
		if (first && kind_ == UNPU_EXPORT_MIRROR) {
			values_[lane] = client.value(sems[lane]);
			continue;
		}
		client.follow(sems[lane], values_[lane], false);
		if (lost_last_[lane] != 0)
			client.lose(sems[lane], lost_first_[lane], lost_last_[lane]);
	}
}

Result<uint32_t> Group::join(Semaphores &client, const uint32_t *sems)
{
	for (uint32_t lane = 0; lane < count_; lane++) {
		if (!client.user_valid(sems[lane]) || client.shared(sems[lane]) ||
		    std::find(sems, sems + lane, sems[lane]) != sems + lane)
			return Status::BAD_SEMAPHORE;
	}
	std::lock_guard lock(mutex_);
	if (ended_)
		return Status::NOT_SHARED;
	if (members_.size() == MAX_MEMBERS)
		return Status::NO_RESOURCE;
	Member member{&client, {}};
	std::copy(sems, sems + count_, member.sems);
	const bool first = members_.empty();
	const uint32_t number = free_number();
	client.prepare_shares(count_);
	add(number, member);
	if (first)
		exporter_ = number;
	adopt(client, sems, number, first);
	return number;
}

void Group::apply(const Member &member, const Post &post)
{
	uint32_t sem = member.sems[post.lane];
	switch (post.kind) {
	case Post::Kind::RAISE:
		return member.client->follow(sem, post.value, true);
	case Post::Kind::SET:
		return member.client->follow(sem, post.value, false);
	case Post::Kind::LOSE:
		return member.client->lose(sem, post.first, post.value);
	case Post::Kind::END:
		return member.client->end(sem);
	case Post::Kind::SIGNAL:
		(void)member.client->signal(sem, post.op, post.value);
		return;
	}
}

/* Passes a post to members on the device of @inbox; see receive(). */
uint32_t Group::deliver_to_members(Inbox &inbox, const Post &post, uint32_t next, uint64_t end)
{
	uint64_t passed = 0;
	auto member = members_.lower_bound(next);
	for (; member != members_.end() && inbox.looks() + passed < end; ++member, passed++) {
		const auto &[number, who] = *member;
		const bool meant = post.kind != Post::Kind::SIGNAL || number == exporter_;
		if (meant && number != post.except && &who.client->inbox() == &inbox)
			apply(who, post);
	}
	inbox.count_looks(passed);
	return member == members_.end() ? 0 : member->first;
}

/* Passes @post to the members. Each other device gets one post. Members on this device are updated at once,
 * as far as one turn allows; for the rest, and for later posts, this device also gets a post. */
void Group::spread(Inbox &here, const Post &post)
{
	for (const MemberDevice &place : places_) {
		if (place.inbox != &here)
			(void)place.inbox->post(shared_from_this(), post);
	}
	uint32_t next = 0;
	if (!here.has(*this)) {
		next = deliver_to_members(here, post, 0, here.looks() + Inbox::DELIVER_LOOKS);
		if (next == 0)
			return;
	}
	(void)here.post(shared_from_this(), post, next);
}

uint32_t Group::receive(Inbox &inbox, const Post &post, uint32_t next, uint64_t end)
{
	std::lock_guard lock(mutex_);
	return deliver_to_members(inbox, post, next, end);
}

void Group::propagate(const Semaphores &from, uint32_t member, uint32_t lane, uint64_t value,
		      bool raised)
{
	if (kind_ == UNPU_EXPORT_NOTIFY)
		return;
	std::lock_guard lock(mutex_);
	values_[lane] = raised ? std::max(values_[lane], value) : value;
	Post post;
	post.kind = raised ? Post::Kind::RAISE : Post::Kind::SET;
	post.lane = lane;
	post.value = value;
	post.except = member;
	spread(from.inbox(), post);
}

Status Group::signal(const Semaphores &from, uint8_t op, uint64_t value)
{
	std::lock_guard lock(mutex_);
	const Member *home = exporter();
	if (!home)
		return Status::PEER_LOST;
	Post post;
	post.kind = Post::Kind::SIGNAL;
	post.op = op;
	post.value = value;
	if (&home->client->inbox() != &from.inbox())
		return home->client->inbox().post(shared_from_this(), post);
	apply(*home, post);
	return Status::OK;
}

Status Group::wait(const Semaphores &from, unpu_sem_wait wait, Waiter &waiter)
{
	std::lock_guard lock(mutex_);
	const Member *home = exporter();
	if (!home)
		return Status::PEER_LOST;
	if (&home->client->inbox() != &from.inbox())
		return Status::BAD_SEMAPHORE;
	wait.sem = home->sems[0];
	return home->client->wait(wait, waiter);
}

/* Clients write the claims, so they are not trusted: they only say up to which value a lane ends. */
void Group::end_claims(Inbox &here, uint32_t member)
{
	const auto *page = reinterpret_cast<const unpu_event_page *>(page_->data);
	for (uint32_t lane = 0; lane < count_; lane++) {
		uint64_t claim = base::load_acquire(page->lanes[lane]);
		uint64_t last = claim & UNPU_EVENT_VALUE_MASK;
		if (UNPU_EVENT_CLAIM_MEMBER(claim) != member || last <= values_[lane])
			continue;
		Post post;
		post.kind = Post::Kind::LOSE;
		post.lane = lane;
		post.first = lost_first_[lane] = values_[lane] + 1;
		post.value = lost_last_[lane] = values_[lane] = last;
		spread(here, post);
	}
}

void Group::end_all(Inbox &here)
{
	ended_ = true;
	for (uint32_t lane = 0; lane < count_; lane++) {
		Post post;
		post.kind = Post::Kind::END;
		post.lane = lane;
		spread(here, post);
	}
}

void Group::remove(Members::iterator member)
{
	const auto [number, gone] = *member;
	Inbox &inbox = gone.client->inbox();
	members_.erase(member);
	std::erase_if(places_, [&inbox](MemberDevice &place) {
		return place.inbox == &inbox && --place.members == 0;
	});
	for (uint32_t lane = 0; lane < count_; lane++)
		gone.client->unbind(gone.sems[lane]);
	if (kind_ == UNPU_EXPORT_EVENT)
		end_claims(inbox, number);
	else if (exporter_ == number)
		end_all(inbox);
	if (exporter_ == number)
		exporter_ = 0;
}

void Group::leave(uint32_t member)
{
	std::lock_guard lock(mutex_);
	auto found = members_.find(member);
	if (found != members_.end())
		remove(found);
}

void Group::withdraw(Semaphores &client)
{
	std::lock_guard lock(mutex_);
	auto found = members_.find(exporter_);
	if (found != members_.end() && found->second.client == &client)
		remove(found);
}

} // namespace fw

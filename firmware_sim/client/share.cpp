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

#include "base/sync/ordering.h"
#include "firmware_sim/schedule/semaphores.h"
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
/* Members updated and waiters checked in one deliver(), so that channels get their turns. */
static constexpr uint64_t DELIVER_LOOKS = 1024;

/* Return: whether @post was merged into a queued one. */
bool Inbox::merge(Line &line, const Post &post) const
{
	const size_t most = posts_ < MANY_POSTS ? GROUP_POSTS : GROUP_POSTS_AMONG_MANY;
	const bool full = line.posts.size() >= most;
	if (line.posts.empty() ||
	    (post.kind != Post::Kind::RAISE && !(full && post.kind == Post::Kind::SET)))
		return false;
	/* Posts of other lanes that were queued later do not depend on it. */
	for (auto last = line.posts.rbegin(); last != line.posts.rend(); ++last) {
		if (last->lane != post.lane)
			continue;
		if (last->kind == Post::Kind::RAISE && post.kind == Post::Kind::RAISE) {
			last->value = std::max(last->value, post.value);
			return true;
		}
		if (full && last->kind == Post::Kind::SET) {
			last->value = post.kind == Post::Kind::SET
					      ? post.value
					      : std::max(last->value, post.value);
			return true;
		}
		return false;
	}
	return false;
}

Status Inbox::post(std::shared_ptr<Group> group, const Post &post)
{
	{
		std::lock_guard lock(mutex_);
		auto [found, fresh] = line_of_.try_emplace(group.get());
		if (fresh)
			found->second = lines_.insert(lines_.end(), {std::move(group), {}});
		Line &line = *found->second;
		if (post.kind == Post::Kind::SIGNAL &&
		    line.posts.size() >=
			    (posts_ < MANY_POSTS ? GROUP_POSTS : GROUP_POSTS_AMONG_MANY))
			return Status::NO_RESOURCE;
		if (merge(line, post))
			return Status::OK;
		line.posts.push_back(post);
		posts_++;
		base::store_release(pending_, uint32_t{1});
	}
	kick_();
	return Status::OK;
}

/* Takes the next post of the group that has the next turn.
 * Return: false when no post is queued. */
bool Inbox::take(Line &taken)
{
	std::lock_guard lock(mutex_);
	if (lines_.empty()) {
		base::store_release(pending_, uint32_t{0});
		return false;
	}
	Line &line = lines_.front();
	taken.group = line.group;
	taken.posts = {line.posts.front()};
	line.posts.pop_front();
	posts_--;
	if (line.posts.empty()) {
		line_of_.erase(line.group.get());
		lines_.pop_front();
	} else {
		lines_.splice(lines_.end(), lines_, lines_.begin());
	}
	return true;
}

bool Inbox::deliver()
{
	if (base::load_acquire(pending_) == 0) [[likely]]
		return false;
	const uint64_t before = looks_;
	Line taken;
	while (looks_ - before < DELIVER_LOOKS && take(taken)) {
		looks_++;
		taken.group->receive(*this, taken.posts.front());
	}
	return true;
}

const Group::Member *Group::exporter() const
{
	for (const Member &member : members_) {
		if (member.number == exporter_)
			return &member;
	}
	return nullptr;
}

/* The numbers of members that left can be used again, because end_claims() has ended their claims. */
uint32_t Group::free_number() const
{
	std::vector<bool> used(members_.size() + 2);
	for (const Member &member : members_) {
		if (member.number < used.size())
			used[member.number] = true;
	}
	uint32_t number = 1;
	while (used[number])
		number++;
	return number;
}

/* A mirror begins with the values of its exporter, the lanes of an event with 0; a later member takes
 * over the current values. For a notify only the exporter holds the value. */
void Group::adopt(Semaphores &client, const uint32_t *sems, bool first)
{
	for (uint32_t lane = 0; lane < count_; lane++) {
		client.bind(sems[lane], shared_from_this(), lane, first);
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
	Member member{&client, free_number(), {}};
	std::copy(sems, sems + count_, member.sems);
	const bool first = members_.empty();
	client.prepare_shares(count_);
	members_.push_back(member);
	if (first)
		exporter_ = member.number;
	adopt(client, sems, first);
	return member.number;
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

/* Passes @post to every member but @except: directly to members on this device, by one post to each
 * other device. */
void Group::spread(const Inbox &here, const Post &post, const Semaphores *except,
		   uint32_t except_sem)
{
	std::vector<Inbox *> told;
	for (const Member &member : members_) {
		Inbox &there = member.client->inbox();
		if (member.client == except && member.sems[post.lane] == except_sem)
			continue;
		if (&there == &here) {
			apply(member, post);
		} else if (std::find(told.begin(), told.end(), &there) == told.end()) {
			told.push_back(&there);
			(void)there.post(shared_from_this(), post);
		}
	}
}

void Group::receive(Inbox &inbox, const Post &post)
{
	std::lock_guard lock(mutex_);
	inbox.count_looks(members_.size());
	for (const Member &member : members_) {
		bool meant = post.kind != Post::Kind::SIGNAL || member.number == exporter_;
		if (meant && &member.client->inbox() == &inbox)
			apply(member, post);
	}
}

void Group::tell(const Semaphores &from, uint32_t sem, uint32_t lane, uint64_t value, bool raised)
{
	if (kind_ == UNPU_EXPORT_NOTIFY)
		return;
	std::lock_guard lock(mutex_);
	values_[lane] = raised ? std::max(values_[lane], value) : value;
	Post post;
	post.kind = raised ? Post::Kind::RAISE : Post::Kind::SET;
	post.lane = lane;
	post.value = value;
	from.inbox().count_looks(members_.size());
	spread(from.inbox(), post, &from, sem);
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
void Group::end_claims(const Inbox &here, uint32_t member)
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

void Group::end_all(const Inbox &here)
{
	ended_ = true;
	for (uint32_t lane = 0; lane < count_; lane++) {
		Post post;
		post.kind = Post::Kind::END;
		post.lane = lane;
		spread(here, post);
	}
}

void Group::remove(std::vector<Member>::iterator member)
{
	Member gone = *member;
	members_.erase(member);
	for (uint32_t lane = 0; lane < count_; lane++)
		gone.client->unbind(gone.sems[lane]);
	if (kind_ == UNPU_EXPORT_EVENT)
		end_claims(gone.client->inbox(), gone.number);
	else if (exporter_ == gone.number)
		end_all(gone.client->inbox());
	if (exporter_ == gone.number)
		exporter_ = 0;
}

void Group::leave(Semaphores &client, uint32_t sem)
{
	std::lock_guard lock(mutex_);
	/* Search from the end: leave_all() leaves the latest membership first. */
	auto found = std::find_if(members_.rbegin(), members_.rend(), [&](const Member &member) {
		const uint32_t *end = member.sems + count_;
		return member.client == &client && std::find(member.sems, end, sem) != end;
	});
	if (found != members_.rend())
		remove(std::prev(found.base()));
}

void Group::withdraw(Semaphores &client)
{
	std::lock_guard lock(mutex_);
	const uint32_t number = exporter_;
	auto found = std::find_if(members_.begin(), members_.end(), [&](const Member &member) {
		return member.client == &client && member.number == number;
	});
	if (found != members_.end())
		remove(found);
}

} // namespace fw

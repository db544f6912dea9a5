// SPDX-License-Identifier: MIT
/**
 * DOC: Coordinator of a meeting
 *
 * The ranks join in three steps. The coordinator answers a step only when all ranks have taken it. An error that one
 * rank reports ends the meeting for all ranks, with one message. If the ranks do not fit together, the coordinator
 * tells the ranks that are there at once, and the other ranks when they arrive. After the third step the coordinator
 * waits only for a rank that leaves, that fails, or whose connection ends with its process.
 */
#include "meeting_coordinator.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/os/calls/sockets.h"
#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"
#include "base/os/thread.h"
#include "base/sync/mutex.h"
#include "hccl/hccl_types.h"
#include "local.h"
#include "umd/core/process/process.h"

namespace umd {

using base::Fd;
using base::Result;
using base::Status;

/* Limit of connections: the ranks, and allowed processes that have not sent HELLO yet. */
static constexpr size_t JOINERS_MOST = 2 * MAX_RANKS;

Result<std::unique_ptr<MeetingCoordinator>> MeetingCoordinator::open(const Nonce &secret,
								     uint64_t wait_s,
								     uint32_t group,
								     MeetingListener::Hold listener)
{
	std::unique_ptr<MeetingCoordinator> host(new MeetingCoordinator(secret, wait_s, group));
	host->local_socket_ = TRY(listen_for(secret));
	host->stop_ = Fd(eventfd(0, EFD_CLOEXEC));
	host->bell_ = Fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
	host->spare_ = host->stop_.duplicate();
	if (!host->stop_.valid() || !host->bell_.valid() || !host->spare_.valid())
		return Status::NO_RESOURCE;
	host->listener_ = std::move(listener);
	host->deadline_ns_ = base::deadline_after(wait_s * base::NS_PER_S);
	/* Ranks may connect as soon as this function has returned, so the listener has to know the name
	 * before. */
	if (host->listener_.is_open())
		MeetingListener::get().expect(derive(Topic::DOOR, secret), Wish::MEETING,
					      key_of(secret), host.get());
	auto thread = base::start_thread("unpu-hccl-host", [host = host.get()] { host->serve(); });
	if (!thread) {
		host->close_listeners();
		return thread.status();
	}
	host->thread_ = thread.take();
	return host;
}

MeetingCoordinator::~MeetingCoordinator()
{
	if (!thread_.joinable())
		return;
	const uint64_t one = 1;
	(void)base::calls::write(stop_.get(), &one, sizeof(one));
	thread_.join();
}

void MeetingCoordinator::serve()
{
	while (serve_once()) {
	}
	close_listeners();
	const uint64_t deadline_ns = base::deadline_after(base::NS_PER_S);
	const auto message = std::make_unique<MeetingMessage>();
	for (Joiner &joiner : joiners_) {
		tell_last(joiner, deadline_ns);
		joiner.line.drain(deadline_ns);
		/* If the coordinator closed a socket with an unread message, the kernel would reset the connection,
		 * and the rank would lose the refusal. So the coordinator reads the message first. */
		if (joiner.stage == Stage::NEW)
			(void)joiner.line.receive(*message, deadline_ns);
	}
	is_over_ = true;
	joiners_.clear();
}

/* The coordinator accepts no more connections. */
void MeetingCoordinator::close_listeners()
{
	local_socket_ = Fd();
	if (listener_.is_open())
		MeetingListener::get().forget(derive(Topic::DOOR, secret_));
	listener_.release();
}

/* Sends the refusal to a rank that had not finished its handshake when the meeting ended. */
void MeetingCoordinator::tell_last(Joiner &joiner, uint64_t deadline_ns)
{
	if (joiner.code != 0 && joiner.line.prove(deadline_ns) == Status::OK)
		tell(joiner, joiner.code, joiner.refusal);
}

Handshake MeetingCoordinator::handshake() const
{
	return Handshake::receive([this](Wish wish, const Nonce &name, Key &key) {
		key = key_of(secret_);
		return wish == Wish::MEETING && name == derive(Topic::SOCKET, secret_);
	});
}

void MeetingCoordinator::adopt(Fd socket, const SessionKeys &keys)
{
	const uint64_t one = 1;
	std::lock_guard lock(mutex_);
	arrivals_.push_back({std::move(socket), keys});
	(void)base::calls::write(bell_.get(), &one, sizeof(one));
}

/* Return: false when the meeting is over. */
bool MeetingCoordinator::serve_once()
{
	joiners_.remove_if([](const Joiner &joiner) { return joiner.stage == Stage::STRAY; });
	std::vector<pollfd> polls{{stop_.get(), POLLIN, 0},
				  {local_socket_.get(), POLLIN, 0},
				  {bell_.get(), POLLIN, 0}};
	const size_t first = polls.size();
	std::vector<Joiner *> behind;
	for (Joiner &joiner : joiners_) {
		if (joiner.stage == Stage::GONE)
			continue;
		polls.push_back({joiner.line.socket().get(), joiner.line.events(), 0});
		behind.push_back(&joiner);
	}
	const int ready = base::calls::poll(polls.data(), polls.size(),
					    is_complete_ ? base::NO_DEADLINE : deadline_ns_);
	if (polls[0].revents != 0)
		return turn_away(HCCL_E_INTERNAL,
				 "the process that hosts the communicator closed it");
	if (ready == 0)
		return refusal_.empty() && turn_away(HCCL_E_TIMEOUT, missing());
	for (size_t i = 0; i < behind.size(); i++) {
		const Stage stage = behind[i]->stage;
		if (stage == Stage::GONE || stage == Stage::STRAY)
			continue;
		if (polls[first + i].revents & POLLOUT)
			(void)behind[i]->line.flush();
		if ((polls[first + i].revents & ~POLLOUT) != 0 && !listen_to(*behind[i]))
			return false;
	}
	if (local_socket_.valid() && polls[1].revents != 0 && !admit())
		return false;
	if (polls[2].revents != 0)
		greet();
	return true;
}

void MeetingCoordinator::greet()
{
	uint64_t rings;
	std::vector<Arrival> arrivals;
	{
		std::lock_guard lock(mutex_);
		(void)base::calls::read(bell_.get(), &rings, sizeof(rings));
		arrivals.swap(arrivals_);
	}
	for (Arrival &arrival : arrivals) {
		if (joiners_.size() < JOINERS_MOST)
			joiners_.emplace_back().line.open(std::move(arrival.socket),
							  Line::Kind::TCP, arrival.keys);
	}
}

/* Return: false when the meeting is over. */
bool MeetingCoordinator::admit()
{
	Fd socket(base::calls::accept(local_socket_.get(), SOCK_CLOEXEC));
	const bool is_full = !socket.valid() && (errno == EMFILE || errno == ENFILE);
	if (is_full) {
		spare_ = Fd();
		socket = Fd(base::calls::accept(local_socket_.get(), SOCK_CLOEXEC));
	}
	if (socket.valid() && may_meet(socket, group_) && joiners_.size() < JOINERS_MOST)
		joiners_.emplace_back().line.open(std::move(socket), Line::Kind::LOCAL,
						  handshake());
	return !is_full || turn_away(HCCL_E_UNAVAIL,
				     "the process that hosts the communicator has no descriptor "
				     "left for its ranks; raise RLIMIT_NOFILE");
}

bool MeetingCoordinator::listen_to(Joiner &joiner)
{
	const auto message = std::make_unique<MeetingMessage>();
	const Status status = joiner.line.receive(*message, 0);
	if (status == Status::NOT_READY)
		return true;
	if (status == Status::OK)
		return hear(joiner, *message);
	if (!is_rank(joiner)) {
		joiner.stage = Stage::STRAY;
		return true;
	}
	if (!is_complete_)
		return turn_away(HCCL_E_REMOTE,
				 fmt::format("rank {} (process {}) {} while the ranks met",
					     joiner.who.rank, joiner.who.pid,
					     joiner.line.was_cut() ? "was cut off" : "ended"));
	lose(joiner);
	return count(Stage::GONE) != joiners_.size();
}

bool MeetingCoordinator::hear(Joiner &joiner, const MeetingMessage &message)
{
	switch (message.kind) {
	case MessageKind::HELLO:
		return joiner.stage != Stage::NEW || introduce(joiner, message.body.hello);
	case MessageKind::KEYS:
		if (joiner.stage != Stage::INTRODUCED)
			return true;
		joiner.keys = message.body.keys;
		joiner.stage = Stage::SHARED;
		return count(Stage::SHARED) < ranks_ || spread_keys();
	case MessageKind::READY:
		if (joiner.stage != Stage::SHARED)
			return true;
		joiner.stage = Stage::INSIDE;
		return count(Stage::INSIDE) < ranks_ || let_in();
	case MessageKind::REFUSAL:
		if (!is_complete_)
			return turn_away(message.body.refusal.code, message.body.refusal.text);
		broadcast(&joiner, message.body.refusal.code, message.body.refusal.text);
		return true;
	case MessageKind::AGAIN:
		joiner.is_again = is_complete_;
		on_again();
		return true;
	case MessageKind::LEAVE:
		leave(joiner, message.body.leave);
		return !is_over_.load();
	default:
		return true;
	}
}

/* Return: the setting in which two ranks differ; "": they agree. */
static std::string difference(const Introduction &first, const Introduction &who)
{
	if (first.buffer_bytes != who.buffer_bytes)
		return fmt::format("ranks {} and {} have buffers of different sizes: {} and {} "
				   "bytes (hcclBufferSize or HCCL_BUFFSIZE)",
				   first.rank, who.rank, first.buffer_bytes, who.buffer_bytes);
	if (first.wait_ns != who.wait_ns)
		return fmt::format("ranks {} and {} have different time limits: {} and {} s "
				   "(hcclExecTimeOut or HCCL_EXEC_TIMEOUT)",
				   first.rank, who.rank, first.wait_ns / base::NS_PER_S,
				   who.wait_ns / base::NS_PER_S);
	if (first.user != who.user && first.network == who.network && first.group != who.group)
		return fmt::format("ranks {} and {} are of users {} and {}, and do not name the "
				   "same group (UNPU_HCCL_GROUP)",
				   first.rank, who.rank, first.user, who.user);
	const std::string names[] = {first.name, who.name};
	if (!names[0].empty() && !names[1].empty() && names[0] != names[1])
		return fmt::format("ranks {} and {} name the communicator \"{}\" and \"{}\" "
				   "(hcclCommName)",
				   first.rank, who.rank, names[0], names[1]);
	return {};
}

/* Lists only the first members, so that the error message stays short. */
static std::string members_text(const Members &members, uint32_t ranks)
{
	constexpr uint32_t SHOWN = 32;
	std::string text;
	for (uint32_t i = 0; i < std::min(ranks, SHOWN); i++)
		text += fmt::format("{}{}", i == 0 ? "" : ", ", members[i]);
	return ranks > SHOWN ? text + ", ..." : text;
}

/* Return: why the joiner does not fit to the other ranks; "": it fits. */
std::string MeetingCoordinator::objection(const Joiner &joiner) const
{
	const Introduction &who = joiner.who;
	for (const Joiner &other : joiners_) {
		if (&other == &joiner || !is_rank(other))
			continue;
		const Introduction &first = other.who;
		if (other.members != joiner.members)
			return fmt::format("ranks {} and {} of a sub-communicator have different "
					   "rankIds: {{{}}} and {{{}}}",
					   first.rank, who.rank,
					   members_text(other.members, first.ranks),
					   members_text(joiner.members, who.ranks));
		if (first.ranks != who.ranks)
			return fmt::format("rank {} says there are {} ranks, rank {} says {}",
					   first.rank, first.ranks, who.rank, who.ranks);
		if (first.rank == who.rank)
			return fmt::format("rank {} came twice: from processes {} and {}", who.rank,
					   first.pid, who.pid);
		if (first.instance == who.instance && first.device == who.device)
			return fmt::format(
				"ranks {} and {} both have device {}; each rank needs one of "
				"its own",
				first.rank, who.rank, who.device);
		const std::string why = difference(first, who);
		if (!why.empty())
			return why;
	}
	return {};
}

/* Whether this rank was refused before and now tries again. */
bool MeetingCoordinator::begins_again(const Joiner &joiner) const
{
	return std::any_of(joiners_.begin(), joiners_.end(), [&joiner](const Joiner &other) {
		return other.stage == Stage::GONE && other.who.rank == joiner.who.rank &&
		       other.who.pid == joiner.who.pid && other.who.device == joiner.who.device;
	});
}

/* Refuses all ranks that have come. Return: whether more ranks may come, which have to be refused as well. */
bool MeetingCoordinator::refuse_all(const std::string &why)
{
	std::set<uint16_t> members;
	size_t come = 0;
	size_t expected = 0;
	for (const Joiner &joiner : joiners_) {
		if (!is_rank(joiner))
			continue;
		come++;
		members.insert(joiner.members.begin(), joiner.members.end());
		members.erase(NO_MEMBER);
		expected = std::max({expected, size_t{joiner.who.ranks}, members.size()});
	}
	/* The listeners close before a rank is told: a refused rank may try again at once, and must not join a
	 * meeting that is ending. */
	if (come >= expected)
		close_listeners();
	refusal_ = why;
	(void)turn_away(HCCL_E_PARA, why);
	for (Joiner &joiner : joiners_) {
		if (is_rank(joiner))
			joiner.stage = Stage::GONE;
	}
	return come < expected;
}

bool MeetingCoordinator::introduce(Joiner &joiner, const Hello &hello)
{
	joiner.who = hello.who;
	joiner.members = hello.members;
	joiner.code = 0;
	joiner.stage = Stage::INTRODUCED;
	if (begins_again(joiner)) {
		/* This is a new try of all ranks, so the coordinator forgets the ranks of the old one. */
		for (Joiner &other : joiners_) {
			if (other.stage == Stage::GONE)
				other.stage = Stage::STRAY;
		}
		refusal_.clear();
		ranks_ = 0;
		deadline_ns_ = base::deadline_after(wait_s_ * base::NS_PER_S);
	}
	const std::string why = refusal_.empty() ? objection(joiner) : refusal_;
	if (!why.empty())
		return refuse_all(why);
	ranks_ = joiner.who.ranks;
	return count(Stage::INTRODUCED) < ranks_ || alive();
}

bool MeetingCoordinator::alive()
{
	close_listeners();
	for (Joiner &joiner : joiners_) {
		if (!is_rank(joiner))
			joiner.stage = Stage::STRAY;
	}
	std::vector<Introduction> all(ranks_);
	for (const Joiner &joiner : joiners_) {
		if (joiner.stage == Stage::INTRODUCED)
			all[joiner.who.rank] = joiner.who;
	}
	for (Joiner &joiner : joiners_) {
		if (is_rank(joiner))
			(void)joiner.line.send(MessageKind::WELCOME, std::span(std::as_const(all)));
	}
	return true;
}

bool MeetingCoordinator::spread_keys()
{
	std::vector<const Joiner *> ranks(ranks_);
	for (const Joiner &joiner : joiners_) {
		if (joiner.stage == Stage::SHARED)
			ranks[joiner.who.rank] = &joiner;
	}
	std::vector<RankPlace> table;
	std::map<uint64_t, std::vector<SeatKeys>> islands; /* indexed by firmware */
	for (const Joiner *joiner : ranks) {
		table.push_back(joiner->keys.place);
		islands[joiner->who.instance].push_back(joiner->keys.seat);
	}
	for (Joiner &joiner : joiners_) {
		const std::vector<SeatKeys> &island = islands[joiner.who.instance];
		(void)joiner.line.send(MessageKind::TABLE, std::span(std::as_const(table)));
		(void)joiner.line.send(MessageKind::ISLAND, std::span(island));
	}
	return true;
}

bool MeetingCoordinator::let_in()
{
	is_complete_ = true;
	for (Joiner &joiner : joiners_)
		(void)joiner.line.send(MessageKind::GO);
	return true;
}

/* Answers AGAIN when all ranks have sent it. If a rank has left, the others can't resume without it, so they
 * are told. */
void MeetingCoordinator::on_again()
{
	const auto says = [](const Joiner &joiner) { return joiner.is_again; };
	const auto is_gone = [](const Joiner &joiner) { return joiner.stage == Stage::GONE; };
	if (std::none_of(joiners_.begin(), joiners_.end(), says))
		return;
	const auto gone = std::find_if(joiners_.begin(), joiners_.end(), is_gone);
	if (gone != joiners_.end())
		broadcast(nullptr, HCCL_E_REMOTE,
			  fmt::format("rank {} has left, so the others can't resume",
				      gone->who.rank));
	if (!std::all_of(joiners_.begin(), joiners_.end(), says))
		return;
	for (Joiner &joiner : joiners_) {
		joiner.is_again = false;
		(void)joiner.line.send(MessageKind::AGAIN);
	}
}

void MeetingCoordinator::leave(Joiner &joiner, const Leave &leave)
{
	joiner.stage = Stage::GONE;
	if (!is_complete_) {
		(void)turn_away(HCCL_E_REMOTE,
				fmt::format("rank {} left while the ranks met", joiner.who.rank));
		is_over_ = true;
		return;
	}
	tell_gone({joiner.who.rank, false, leave});
	on_again();
	/* is_over_ is set before the answer is sent, because the process that gets the answer may free this
	 * host at once. */
	is_over_ = count(Stage::GONE) == joiners_.size();
	(void)joiner.line.send(MessageKind::LEFT);
	joiner.line.close();
}

std::string MeetingCoordinator::end_of(const Joiner &joiner)
{
	const Introduction &who = joiner.who;
	if (joiner.line.was_cut())
		return fmt::format("rank {} does not answer any more, as its machine or the "
				   "network is down: process {}, device {} on {}",
				   who.rank, who.pid, who.device, who.host);
	return fmt::format("rank {} has ended: process {}, device {}", who.rank, who.pid,
			   who.device);
}

void MeetingCoordinator::lose(Joiner &joiner)
{
	joiner.stage = Stage::GONE;
	joiner.line.close();
	tell_gone({joiner.who.rank, true, {}});
	broadcast(&joiner, HCCL_E_REMOTE, end_of(joiner));
}

void MeetingCoordinator::tell_gone(const Gone &gone)
{
	for (Joiner &joiner : joiners_) {
		if (joiner.stage != Stage::GONE)
			(void)joiner.line.send(MessageKind::GONE, gone);
	}
}

void MeetingCoordinator::tell(Joiner &joiner, uint32_t code, const std::string &text)
{
	Refusal refusal{};
	refusal.code = code;
	snprintf(refusal.text, sizeof(refusal.text), "%s", text.c_str());
	(void)joiner.line.send(MessageKind::REFUSAL, refusal);
}

void MeetingCoordinator::broadcast(const Joiner *but, uint32_t code, const std::string &text)
{
	for (Joiner &joiner : joiners_) {
		if (&joiner == but || joiner.stage == Stage::GONE)
			continue;
		if (joiner.line.is_proved())
			tell(joiner, code, text);
		joiner.code = joiner.line.is_proved() ? 0 : code;
		joiner.refusal = text;
	}
}

/* Return: always false, so that a caller can return the result. */
bool MeetingCoordinator::turn_away(uint32_t code, const std::string &text)
{
	broadcast(nullptr, code, text);
	return false;
}

std::string MeetingCoordinator::missing() const
{
	if (ranks_ == 0)
		return fmt::format("no rank came within {} s (HCCL_CONNECT_TIMEOUT)", wait_s_);
	std::string ranks;
	for (uint32_t rank = 0; rank < ranks_; rank++) {
		const bool has_come =
			std::any_of(joiners_.begin(), joiners_.end(), [&](const Joiner &joiner) {
				return is_rank(joiner) && joiner.who.rank == rank;
			});
		if (!has_come)
			ranks += fmt::format("{}{}", ranks.empty() ? "" : ", ", rank);
	}
	if (ranks.empty())
		return fmt::format("the ranks did not share their memory within {} s "
				   "(HCCL_CONNECT_TIMEOUT)",
				   wait_s_);
	return fmt::format("of {} ranks these did not come within {} s (HCCL_CONNECT_TIMEOUT): {}",
			   ranks_, wait_s_, ranks);
}

size_t MeetingCoordinator::count(Stage stage) const
{
	return static_cast<size_t>(
		std::count_if(joiners_.begin(), joiners_.end(),
			      [stage](const Joiner &joiner) { return joiner.stage == stage; }));
}

Meetings &Meetings::get()
{
	return Process::own<Meetings>();
}

Status Meetings::open(const Nonce &secret, uint64_t wait_s, uint32_t group,
		      MeetingListener::Hold listener)
{
	reap();
	auto host = TRY(MeetingCoordinator::open(secret, wait_s, group, std::move(listener)));
	std::lock_guard lock(mutex_);
	hosts_.push_back(std::move(host));
	return Status::OK;
}

bool Meetings::has(const Nonce &secret)
{
	std::lock_guard lock(mutex_);
	return std::any_of(hosts_.begin(), hosts_.end(),
			   [&](const auto &host) { return host->secret() == secret; });
}

void Meetings::close(const Nonce &secret)
{
	std::lock_guard lock(mutex_);
	hosts_.remove_if([&](const auto &host) { return host->secret() == secret; });
}

void Meetings::reap()
{
	std::lock_guard lock(mutex_);
	hosts_.remove_if([](const auto &host) { return host->is_over(); });
}

} // namespace umd

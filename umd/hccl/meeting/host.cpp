// SPDX-License-Identifier: MIT
/**
 * DOC: Host of a meeting
 *
 * The ranks join in three steps. The host answers a step only when all ranks have taken it. An error that one
 * rank reports ends the meeting for all ranks, with one message. If the ranks do not fit together, the host
 * tells the ranks that are there at once, and the other ranks when they arrive. After the third step the host
 * waits only for a rank that leaves, that fails, or whose connection ends with its process.
 */
#include "host.h"

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
static constexpr size_t GUESTS_MOST = 2 * MAX_RANKS;

Result<std::unique_ptr<MeetingHost>> MeetingHost::open(const Nonce &secret, uint64_t wait_s,
						       uint32_t group, MeetingDoor::Hold door)
{
	std::unique_ptr<MeetingHost> host(new MeetingHost(secret, wait_s, group));
	auto listener = listen_for(secret);
	if (!listener)
		return listener.status();
	host->listener_ = listener.take();
	host->stop_ = Fd(eventfd(0, EFD_CLOEXEC));
	host->bell_ = Fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
	host->spare_ = host->stop_.duplicate();
	if (!host->stop_.valid() || !host->bell_.valid() || !host->spare_.valid())
		return Status::NO_RESOURCE;
	host->door_ = std::move(door);
	host->deadline_ns_ = base::deadline_after(wait_s * base::NS_PER_S);
	/* Ranks may connect as soon as this function has returned, so the door has to know the name
	 * before. */
	if (host->door_.is_open())
		MeetingDoor::get().expect(derive(Topic::DOOR, secret), Wish::MEETING,
					  key_of(secret), host.get());
	auto thread = base::start_thread("unpu-hccl-host", [host = host.get()] { host->serve(); });
	if (!thread) {
		host->close_doors();
		return thread.status();
	}
	host->thread_ = thread.take();
	return host;
}

MeetingHost::~MeetingHost()
{
	if (!thread_.joinable())
		return;
	const uint64_t one = 1;
	(void)base::calls::write(stop_.get(), &one, sizeof(one));
	thread_.join();
}

void MeetingHost::serve()
{
	while (serve_once()) {
	}
	close_doors();
	const uint64_t deadline_ns = base::deadline_after(base::NS_PER_S);
	const auto letter = std::make_unique<Letter>();
	for (Guest &guest : guests_) {
		tell_last(guest, deadline_ns);
		guest.line.drain(deadline_ns);
		/* If the host closed a socket with an unread letter, the kernel would reset the connection,
		 * and the rank would lose the refusal. So the host reads the letter first. */
		if (guest.stage == Stage::NEW)
			(void)guest.line.receive(*letter, deadline_ns);
	}
	is_over_ = true;
	guests_.clear();
}

/* The host accepts no more connections. */
void MeetingHost::close_doors()
{
	listener_ = Fd();
	if (door_.is_open())
		MeetingDoor::get().forget(derive(Topic::DOOR, secret_));
	door_.release();
}

/* Sends the refusal to a rank that had not finished its handshake when the meeting ended. */
void MeetingHost::tell_last(Guest &guest, uint64_t deadline_ns)
{
	if (guest.code != 0 && guest.line.prove(deadline_ns) == Status::OK)
		tell(guest, guest.code, guest.refusal);
}

Handshake MeetingHost::handshake() const
{
	return Handshake::receive([this](Wish wish, const Nonce &name, Key &key) {
		key = key_of(secret_);
		return wish == Wish::MEETING && name == derive(Topic::SOCKET, secret_);
	});
}

void MeetingHost::adopt(Fd socket, const SessionKeys &keys)
{
	const uint64_t one = 1;
	std::lock_guard lock(mutex_);
	arrivals_.push_back({std::move(socket), keys});
	(void)base::calls::write(bell_.get(), &one, sizeof(one));
}

/* Return: false when the meeting is over. */
bool MeetingHost::serve_once()
{
	guests_.remove_if([](const Guest &guest) { return guest.stage == Stage::STRAY; });
	std::vector<pollfd> polls{
		{stop_.get(), POLLIN, 0}, {listener_.get(), POLLIN, 0}, {bell_.get(), POLLIN, 0}};
	const size_t first = polls.size();
	std::vector<Guest *> behind;
	for (Guest &guest : guests_) {
		if (guest.stage == Stage::GONE)
			continue;
		polls.push_back({guest.line.socket().get(), guest.line.events(), 0});
		behind.push_back(&guest);
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
	if (listener_.valid() && polls[1].revents != 0 && !admit())
		return false;
	if (polls[2].revents != 0)
		greet();
	return true;
}

void MeetingHost::greet()
{
	uint64_t rings;
	std::vector<Arrival> arrivals;
	{
		std::lock_guard lock(mutex_);
		(void)base::calls::read(bell_.get(), &rings, sizeof(rings));
		arrivals.swap(arrivals_);
	}
	for (Arrival &arrival : arrivals) {
		if (guests_.size() < GUESTS_MOST)
			guests_.emplace_back().line.open(std::move(arrival.socket), Line::Kind::TCP,
							 arrival.keys);
	}
}

/* Return: false when the meeting is over. */
bool MeetingHost::admit()
{
	Fd socket(base::calls::accept(listener_.get(), SOCK_CLOEXEC));
	const bool is_full = !socket.valid() && (errno == EMFILE || errno == ENFILE);
	if (is_full) {
		spare_ = Fd();
		socket = Fd(base::calls::accept(listener_.get(), SOCK_CLOEXEC));
	}
	if (socket.valid() && may_meet(socket, group_) && guests_.size() < GUESTS_MOST)
		guests_.emplace_back().line.open(std::move(socket), Line::Kind::LOCAL, handshake());
	return !is_full || turn_away(HCCL_E_UNAVAIL,
				     "the process that hosts the communicator has no descriptor "
				     "left for its ranks; raise RLIMIT_NOFILE");
}

bool MeetingHost::listen_to(Guest &guest)
{
	const auto letter = std::make_unique<Letter>();
	const Status status = guest.line.receive(*letter, 0);
	if (status == Status::NOT_READY)
		return true;
	if (status == Status::OK)
		return hear(guest, *letter);
	if (!is_rank(guest)) {
		guest.stage = Stage::STRAY;
		return true;
	}
	if (!is_complete_)
		return turn_away(HCCL_E_REMOTE,
				 fmt::format("rank {} (process {}) {} while the ranks met",
					     guest.who.rank, guest.who.pid,
					     guest.line.was_cut() ? "was cut off" : "ended"));
	lose(guest);
	return count(Stage::GONE) != guests_.size();
}

bool MeetingHost::hear(Guest &guest, const Letter &letter)
{
	switch (letter.kind) {
	case LetterKind::HELLO:
		return guest.stage != Stage::NEW || introduce(guest, letter.body.hello);
	case LetterKind::KEYS:
		if (guest.stage != Stage::INTRODUCED)
			return true;
		guest.keys = letter.body.keys;
		guest.stage = Stage::SHARED;
		return count(Stage::SHARED) < ranks_ || spread_keys();
	case LetterKind::READY:
		if (guest.stage != Stage::SHARED)
			return true;
		guest.stage = Stage::INSIDE;
		return count(Stage::INSIDE) < ranks_ || let_in();
	case LetterKind::REFUSAL:
		if (!is_complete_)
			return turn_away(letter.body.refusal.code, letter.body.refusal.text);
		tell_others(&guest, letter.body.refusal.code, letter.body.refusal.text);
		return true;
	case LetterKind::AGAIN:
		guest.is_again = is_complete_;
		hear_again();
		return true;
	case LetterKind::LEAVE:
		leave(guest, letter.body.leave);
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

/* Return: why the guest does not fit to the other ranks; "": it fits. */
std::string MeetingHost::objection(const Guest &guest) const
{
	const Introduction &who = guest.who;
	for (const Guest &other : guests_) {
		if (&other == &guest || !is_rank(other))
			continue;
		const Introduction &first = other.who;
		if (other.members != guest.members)
			return fmt::format("ranks {} and {} of a sub-communicator have different "
					   "rankIds: {{{}}} and {{{}}}",
					   first.rank, who.rank,
					   members_text(other.members, first.ranks),
					   members_text(guest.members, who.ranks));
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
bool MeetingHost::begins_again(const Guest &guest) const
{
	return std::any_of(guests_.begin(), guests_.end(), [&guest](const Guest &other) {
		return other.stage == Stage::GONE && other.who.rank == guest.who.rank &&
		       other.who.pid == guest.who.pid && other.who.device == guest.who.device;
	});
}

/* Refuses all ranks that have come. Return: whether more ranks may come, which have to be refused as well. */
bool MeetingHost::refuse_all(const std::string &why)
{
	std::set<uint16_t> members;
	size_t come = 0;
	size_t expected = 0;
	for (const Guest &guest : guests_) {
		if (!is_rank(guest))
			continue;
		come++;
		members.insert(guest.members.begin(), guest.members.end());
		members.erase(NO_MEMBER);
		expected = std::max({expected, size_t{guest.who.ranks}, members.size()});
	}
	/* The doors close before a rank is told: a refused rank may try again at once, and must not join a
	 * meeting that is ending. */
	if (come >= expected)
		close_doors();
	refusal_ = why;
	(void)turn_away(HCCL_E_PARA, why);
	for (Guest &guest : guests_) {
		if (is_rank(guest))
			guest.stage = Stage::GONE;
	}
	return come < expected;
}

bool MeetingHost::introduce(Guest &guest, const Hello &hello)
{
	guest.who = hello.who;
	guest.members = hello.members;
	guest.code = 0;
	guest.stage = Stage::INTRODUCED;
	if (begins_again(guest)) {
		/* This is a new try of all ranks, so the host forgets the ranks of the old one. */
		for (Guest &other : guests_) {
			if (other.stage == Stage::GONE)
				other.stage = Stage::STRAY;
		}
		refusal_.clear();
		ranks_ = 0;
		deadline_ns_ = base::deadline_after(wait_s_ * base::NS_PER_S);
	}
	const std::string why = refusal_.empty() ? objection(guest) : refusal_;
	if (!why.empty())
		return refuse_all(why);
	ranks_ = guest.who.ranks;
	return count(Stage::INTRODUCED) < ranks_ || welcome();
}

bool MeetingHost::welcome()
{
	close_doors();
	for (Guest &guest : guests_) {
		if (!is_rank(guest))
			guest.stage = Stage::STRAY;
	}
	std::vector<Introduction> all(ranks_);
	for (const Guest &guest : guests_) {
		if (guest.stage == Stage::INTRODUCED)
			all[guest.who.rank] = guest.who;
	}
	for (Guest &guest : guests_) {
		if (is_rank(guest))
			(void)guest.line.send(LetterKind::WELCOME, std::span(std::as_const(all)));
	}
	return true;
}

bool MeetingHost::spread_keys()
{
	std::vector<const Guest *> ranks(ranks_);
	for (const Guest &guest : guests_) {
		if (guest.stage == Stage::SHARED)
			ranks[guest.who.rank] = &guest;
	}
	std::vector<RankPlace> table;
	std::map<uint64_t, std::vector<SeatKeys>> islands; /* indexed by firmware */
	for (const Guest *guest : ranks) {
		table.push_back(guest->keys.place);
		islands[guest->who.instance].push_back(guest->keys.seat);
	}
	for (Guest &guest : guests_) {
		const std::vector<SeatKeys> &island = islands[guest.who.instance];
		(void)guest.line.send(LetterKind::TABLE, std::span(std::as_const(table)));
		(void)guest.line.send(LetterKind::ISLAND, std::span(island));
	}
	return true;
}

bool MeetingHost::let_in()
{
	is_complete_ = true;
	for (Guest &guest : guests_)
		(void)guest.line.send(LetterKind::GO);
	return true;
}

/* Answers AGAIN when all ranks have sent it. If a rank has left, the others can't resume without it, so they
 * are told. */
void MeetingHost::hear_again()
{
	const auto says = [](const Guest &guest) { return guest.is_again; };
	const auto is_gone = [](const Guest &guest) { return guest.stage == Stage::GONE; };
	if (std::none_of(guests_.begin(), guests_.end(), says))
		return;
	const auto gone = std::find_if(guests_.begin(), guests_.end(), is_gone);
	if (gone != guests_.end())
		tell_others(nullptr, HCCL_E_REMOTE,
			    fmt::format("rank {} has left, so the others can't resume",
					gone->who.rank));
	if (!std::all_of(guests_.begin(), guests_.end(), says))
		return;
	for (Guest &guest : guests_) {
		guest.is_again = false;
		(void)guest.line.send(LetterKind::AGAIN);
	}
}

void MeetingHost::leave(Guest &guest, const Leave &leave)
{
	guest.stage = Stage::GONE;
	if (!is_complete_) {
		(void)turn_away(HCCL_E_REMOTE,
				fmt::format("rank {} left while the ranks met", guest.who.rank));
		is_over_ = true;
		return;
	}
	tell_gone({guest.who.rank, false, leave});
	hear_again();
	/* is_over_ is set before the answer is sent, because the process that gets the answer may free this
	 * host at once. */
	is_over_ = count(Stage::GONE) == guests_.size();
	(void)guest.line.send(LetterKind::LEFT);
	guest.line.close();
}

std::string MeetingHost::end_of(const Guest &guest)
{
	const Introduction &who = guest.who;
	if (guest.line.was_cut())
		return fmt::format("rank {} does not answer any more, as its machine or the "
				   "network is down: process {}, device {} on {}",
				   who.rank, who.pid, who.device, who.host);
	return fmt::format("rank {} has ended: process {}, device {}", who.rank, who.pid,
			   who.device);
}

void MeetingHost::lose(Guest &guest)
{
	guest.stage = Stage::GONE;
	guest.line.close();
	tell_gone({guest.who.rank, true, {}});
	tell_others(&guest, HCCL_E_REMOTE, end_of(guest));
}

void MeetingHost::tell_gone(const Gone &gone)
{
	for (Guest &guest : guests_) {
		if (guest.stage != Stage::GONE)
			(void)guest.line.send(LetterKind::GONE, gone);
	}
}

void MeetingHost::tell(Guest &guest, uint32_t code, const std::string &text)
{
	Refusal refusal{};
	refusal.code = code;
	snprintf(refusal.text, sizeof(refusal.text), "%s", text.c_str());
	(void)guest.line.send(LetterKind::REFUSAL, refusal);
}

void MeetingHost::tell_others(const Guest *but, uint32_t code, const std::string &text)
{
	for (Guest &guest : guests_) {
		if (&guest == but || guest.stage == Stage::GONE)
			continue;
		if (guest.line.is_proved())
			tell(guest, code, text);
		guest.code = guest.line.is_proved() ? 0 : code;
		guest.refusal = text;
	}
}

/* Return: always false, so that a caller can return the result. */
bool MeetingHost::turn_away(uint32_t code, const std::string &text)
{
	tell_others(nullptr, code, text);
	return false;
}

std::string MeetingHost::missing() const
{
	if (ranks_ == 0)
		return fmt::format("no rank came within {} s (HCCL_CONNECT_TIMEOUT)", wait_s_);
	std::string ranks;
	for (uint32_t rank = 0; rank < ranks_; rank++) {
		const bool has_come =
			std::any_of(guests_.begin(), guests_.end(), [&](const Guest &guest) {
				return is_rank(guest) && guest.who.rank == rank;
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

size_t MeetingHost::count(Stage stage) const
{
	return static_cast<size_t>(
		std::count_if(guests_.begin(), guests_.end(),
			      [stage](const Guest &guest) { return guest.stage == stage; }));
}

Meetings &Meetings::get()
{
	return Process::own<Meetings>();
}

Status Meetings::open(const Nonce &secret, uint64_t wait_s, uint32_t group, MeetingDoor::Hold door)
{
	reap();
	auto host = MeetingHost::open(secret, wait_s, group, std::move(door));
	if (!host)
		return host.status();
	std::lock_guard lock(mutex_);
	hosts_.push_back(host.take());
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

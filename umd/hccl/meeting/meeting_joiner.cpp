// SPDX-License-Identifier: MIT
/**
 * DOC: Joiner of a meeting
 *
 * A rank's side of the messages of words.h.
 */
#include "meeting_joiner.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/os/calls/sockets.h"
#include "base/os/calls/waits.h"
#include "local.h"
#include "umd/hccl/hccl_result.h"

namespace umd {

using base::Fd;
using base::Status;

/* How long a rank waits longer than the coordinator, so that the coordinator can still tell it which ranks did not
 * come. */
static constexpr uint64_t HOST_GRACE_S = 20;
/* Time limit for connecting to one address and for its handshake. */
static constexpr uint64_t CONNECT_NS = 3 * base::NS_PER_S;
static constexpr uint64_t ANSWER_NS = 5 * base::NS_PER_S;
static constexpr uint64_t RETRY_NS = 100 * base::NS_PER_MS;

static Handshake handshake_for(const MeetingPlace &place, Topic topic)
{
	return Handshake::call(Wish::MEETING, derive(topic, place.secret), key_of(place.secret));
}

HcclResult MeetingJoiner::await(MessageKind kind, MeetingMessage &message)
{
	const Status status = line_.receive(message, deadline_ns_);
	if (status == Status::NOT_READY)
		return refuse(HCCL_E_TIMEOUT, "the process that hosts the communicator does not "
					      "answer; raise HCCL_CONNECT_TIMEOUT if it is slow");
	if (status != Status::OK)
		return refuse(HCCL_E_TCP_TRANSFER,
			      line_.was_cut()
				      ? "the process that hosts the communicator does not answer "
					"any more, as its machine or the network is down; begin "
					"again with another rootInfo when it is back"
				      : "the process that hosts the communicator has ended, or its "
					"meeting is over, or it lets no other user in "
					"(UNPU_HCCL_GROUP); begin again with another rootInfo");
	if (message.kind == MessageKind::REFUSAL)
		return refuse(static_cast<HcclResult>(message.body.refusal.code),
			      message.body.refusal.text);
	if (message.kind != kind)
		return refuse(HCCL_E_INTERNAL,
			      "the host of the communicator said something unexpected; use one "
			      "version of the library in all ranks");
	return HCCL_SUCCESS;
}

/* Enters the meeting through the Unix socket of this network. */
HcclResult MeetingJoiner::enter_here(const MeetingPlace &place, const Hello &own, uint64_t until_ns,
				     bool &is_in)
{
	auto socket = connect_to(place.secret, place.is_awaited);
	is_in = socket.ok();
	if (socket.status() == Status::NO_RESOURCE)
		return refuse(HCCL_E_UNAVAIL, "the process has no descriptor left for a socket to "
					      "the other ranks; raise RLIMIT_NOFILE");
	if (!socket)
		return HCCL_SUCCESS;
	if (!may_meet(*socket, own.who.group))
		return refuse(HCCL_E_TCP_CONNECT,
			      "the place where the ranks meet belongs to another user; ranks of "
			      "several users need a group that both are in (UNPU_HCCL_GROUP)");
	line_.open(socket.take(), Line::Kind::LOCAL, handshake_for(place, Topic::SOCKET));
	const Status status = line_.prove(until_ns);
	if (status == Status::OK)
		(void)line_.send(MessageKind::HELLO, own);
	if (status == Status::OK || status == Status::DEVICE_LOST)
		return HCCL_SUCCESS;
	return refuse(HCCL_E_TCP_CONNECT,
		      status == Status::NOT_READY
			      ? "the process that hosts the communicator does not answer; raise "
				"HCCL_CONNECT_TIMEOUT if it is slow"
			      : "the process at the place where the ranks meet does not know the "
				"meeting's secret, or its library has another version; start all "
				"ranks with one rootInfo and one version");
}

/* Return: 0, or an errno value. */
static int connect_tcp(const TcpAddress &address, uint64_t deadline_ns, Fd &socket)
{
	sockaddr_storage where;
	const socklen_t bytes = to_socket_address(address, where);
	socket = Fd(::socket(address.family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
	if (!socket.valid() ||
	    (base::calls::connect(socket.get(), reinterpret_cast<const sockaddr *>(&where), bytes,
				  base::NO_DEADLINE) != 0 &&
	     errno != EINPROGRESS))
		return errno;
	pollfd one{socket.get(), POLLOUT, 0};
	const int ready = base::calls::poll(&one, 1, deadline_ns);
	int error = ETIMEDOUT;
	socklen_t size = sizeof(error);
	if (ready > 0)
		(void)getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size);
	return error;
}

/* @why: receives the reason if there is no such meeting at @address. */
bool MeetingJoiner::knock(const TcpAddress &address, const MeetingPlace &place, const Hello &own,
			  uint64_t until_ns, std::string &why)
{
	Fd socket;
	const auto soon = [until_ns](uint64_t span_ns) {
		return std::min(until_ns, base::deadline_after(span_ns));
	};
	const int error = connect_tcp(address, soon(CONNECT_NS), socket);
	if (error != 0) {
		why = fmt::format("{}: {}", tcp_text(address), strerror(error));
		return false;
	}
	line_.open(std::move(socket), Line::Kind::TCP, handshake_for(place, Topic::DOOR));
	const Status status = line_.prove(soon(ANSWER_NS));
	if (status == Status::OK && line_.send(MessageKind::HELLO, own) == Status::OK)
		return true;
	line_.close();
	why = fmt::format("{}: {}", tcp_text(address),
			  status == Status::NOT_READY ? "no answer"
						      : "another program, or the meeting is over");
	return false;
}

HcclResult MeetingJoiner::approach(const MeetingPlace &place, const Hello &own, uint64_t wait_s)
{
	const uint64_t until_ns = base::deadline_after(wait_s * base::NS_PER_S);
	std::string why;
	for (;;) {
		std::string all;
		bool is_in = false;
		if (place.is_local)
			TRY(enter_here(place, own, until_ns, is_in));
		if (is_in)
			return HCCL_SUCCESS;
		for (const TcpAddress &address : place.tcp.at) {
			if (address.family != 0 && knock(address, place, own, until_ns, why))
				return HCCL_SUCCESS;
			if (address.family != 0)
				all += (all.empty() ? "" : ", ") + why;
		}
		why = all;
		if (!place.is_awaited || base::now_ns() >= until_ns)
			break;
		base::calls::sleep_until(base::deadline_after(RETRY_NS));
	}
	if (place.is_awaited)
		return refuse(HCCL_E_TIMEOUT,
			      fmt::format("rank 0 did not open the meeting within {} s "
					  "(HCCL_CONNECT_TIMEOUT): {}",
					  wait_s, why));
	return refuse(HCCL_E_TCP_CONNECT,
		      "nobody is at the place that rootInfo names: the process that called "
		      "HcclGetRootInfo has ended or can't be reached, its HCCL_CONNECT_TIMEOUT "
		      "has passed, or all ranks have come already" +
			      (why.empty() ? "" : " (" + why + ")"));
}

HcclResult MeetingJoiner::enter(const MeetingPlace &place, const Hello &own, uint64_t wait_s,
				std::vector<Introduction> &all)
{
	deadline_ns_ = base::deadline_after((wait_s + HOST_GRACE_S) * base::NS_PER_S);
	TRY(approach(place, own, wait_s));
	const auto message = std::make_unique<MeetingMessage>();
	TRY(await(MessageKind::WELCOME, *message));
	const auto ranks = records_of(*message, message->body.welcome);
	all.assign(ranks.begin(), ranks.end());
	if (all.size() != own.who.ranks ||
	    memcmp(&all[own.who.rank], &own.who, sizeof(own.who)) != 0)
		return refuse(HCCL_E_INTERNAL,
			      "the host of the communicator names other ranks than those that have "
			      "come; start all ranks again, with a rootInfo of their own");
	return HCCL_SUCCESS;
}

TcpAddress MeetingJoiner::own_address() const
{
	sockaddr_storage where{};
	socklen_t bytes = sizeof(where);
	if (getsockname(line_.socket().get(), reinterpret_cast<sockaddr *>(&where), &bytes) != 0)
		return {};
	return from_socket_address(reinterpret_cast<const sockaddr *>(&where));
}

HcclResult MeetingJoiner::share(const RankKeys &own, std::vector<RankPlace> &table,
				std::vector<SeatKeys> &island)
{
	const auto message = std::make_unique<MeetingMessage>();
	(void)line_.send(MessageKind::KEYS, own);
	TRY(await(MessageKind::TABLE, *message));
	const auto places = records_of(*message, message->body.table);
	table.assign(places.begin(), places.end());
	TRY(await(MessageKind::ISLAND, *message));
	const auto seats = records_of(*message, message->body.island);
	island.assign(seats.begin(), seats.end());
	return HCCL_SUCCESS;
}

HcclResult MeetingJoiner::settle()
{
	const auto message = std::make_unique<MeetingMessage>();
	(void)line_.send(MessageKind::READY);
	return await(MessageKind::GO, *message);
}

void MeetingJoiner::refuse_all(HcclResult code, const std::string &text)
{
	Refusal refusal{};
	refusal.code = code;
	snprintf(refusal.text, sizeof(refusal.text), "%s", text.c_str());
	(void)line_.send(MessageKind::REFUSAL, refusal);
}

void MeetingJoiner::leave(const Leave &leave)
{
	const auto message = std::make_unique<MeetingMessage>();
	const uint64_t deadline_ns = base::deadline_after(base::NS_PER_S);
	if (line_.send(MessageKind::LEAVE, leave) != Status::OK)
		return;
	while (line_.receive(*message, deadline_ns) == Status::OK) {
		if (message->kind == MessageKind::LEFT)
			return;
	}
}

MeetingJoiner::Reply MeetingJoiner::next_reply(MeetingMessage &message)
{
	(void)line_.flush();
	const Status status = line_.receive(message, 0);
	if (status == Status::NOT_READY)
		return Reply::NONE;
	if (status == Status::OK)
		return message.kind == MessageKind::REFUSAL ? Reply::REFUSAL
		       : message.kind == MessageKind::GONE  ? Reply::GONE
		       : message.kind == MessageKind::AGAIN ? Reply::AGAIN
							    : Reply::NONE;
	message.kind = MessageKind::REFUSAL;
	message.body.refusal.code = HCCL_E_REMOTE;
	snprintf(message.body.refusal.text, sizeof(message.body.refusal.text),
		 "the process that hosts the communicator %s",
		 line_.was_cut() ? "does not answer any more, as its machine or the network is "
				   "down"
				 : "has ended");
	return Reply::LOST;
}

} // namespace umd

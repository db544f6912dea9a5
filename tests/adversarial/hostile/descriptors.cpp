// SPDX-License-Identifier: MIT
/*
 * DOC: descriptors whose last close takes long
 *
 * The firmware gets them with a message, and may have the only one by the time it refuses it.
 */
#include "hostile.h"

#include <cstring>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <unistd.h>

namespace hostile {

namespace {

/* A connection that has more to send than the other end takes: its last close() waits so long for that. */
base::Fd lingering_socket(int linger_s, base::Fd &listener, base::Fd &other)
{
	sockaddr_in name{};
	name.sin_family = AF_INET;
	name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	socklen_t bytes = sizeof(name);
	auto *address = reinterpret_cast<sockaddr *>(&name);
	listener = base::Fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
	base::Fd made(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
	const int small = 4096;
	(void)setsockopt(made.get(), SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
	if (bind(listener.get(), address, bytes) != 0 || listen(listener.get(), 1) != 0 ||
	    getsockname(listener.get(), address, &bytes) != 0 ||
	    connect(made.get(), address, bytes) != 0)
		return {};
	other = base::Fd(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
	const std::vector<char> data(65536);
	while (send(made.get(), data.data(), data.size(), MSG_DONTWAIT | MSG_NOSIGNAL) > 0)
		continue;
	const linger wanted{1, linger_s};
	(void)setsockopt(made.get(), SOL_SOCKET, SO_LINGER, &wanted, sizeof(wanted));
	return made;
}

/* A socket with @inner in its queue, so that the firmware can't change how @inner lingers. */
base::Fd wrap(base::Fd inner)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return {};
	const base::Fd sender(ends[0]);
	base::Fd wrapped(ends[1]);
	base::FdMessage message;
	if (!message.add(std::move(inner)) ||
	    send_message(sender, message, base::NO_DEADLINE) != Status::OK)
		return {};
	return wrapped;
}

/* give() - hands over @fds as files. */
Answer give(Peer &peer, std::vector<base::Fd> fds, Status &status)
{
	base::FdMessage message;
	message.message.type = UNPU_SOCKET_GIVE_FILE;
	for (base::Fd &fd : fds)
		message.add(std::move(fd));
	const Answer answer = peer.exchange(message);
	status = static_cast<Status>(message.message.status);
	return answer;
}

/* give_last() - hands over a descriptor of which the firmware has the only one by the time it looks at it,
 * since it has other messages to answer before. Return: its status. */
Status give_last(Peer &peer, base::Fd fd)
{
	constexpr unsigned SNAPSHOTS = 10;
	base::FdMessage ask, message;
	ask.message.type = UNPU_SOCKET_SNAPSHOT;
	message.message.type = UNPU_SOCKET_GIVE_FILE;
	message.add(std::move(fd));
	for (unsigned i = 0; i < SNAPSHOTS; i++)
		TRY(send_message(peer.socket(), ask, base::NO_DEADLINE));
	TRY(send_message(peer.socket(), message, base::NO_DEADLINE));
	message = {};
	for (;;) {
		base::MessageBuffer buffer;
		const auto reply = buffer.open(
			recvmsg(peer.socket().get(), &buffer.header(), MSG_CMSG_CLOEXEC));
		TRY(reply.status());
		if (reply->message.type == UNPU_SOCKET_GIVE_FILE)
			return static_cast<Status>(reply->message.status);
	}
}

std::vector<base::Fd> some_sockets()
{
	std::vector<base::Fd> fds;
	for (unsigned i = 0; i < 2; i++)
		fds.emplace_back(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
	return fds;
}

bool gives_a_file(Peer &peer)
{
	std::vector<base::Fd> fds;
	fds.emplace_back(memfd_create("file", MFD_CLOEXEC));
	Status status{};
	return give(peer, std::move(fds), status) == Answer::REPLY && status == Status::OK;
}

} // namespace

/* A close that blocks keeps the descriptors of its sender waiting, and those of no other client. */
End sockets_inside_sockets(Peer &peer, const Place &place)
{
	constexpr int LINGER_S = 60;
	constexpr unsigned ENOUGH = 1000;
	auto other = Peer::attach(place.path);
	CHECK(other);
	base::Fd listener, end;
	Status status = give_last(peer, wrap(lingering_socket(LINGER_S, listener, end)));
	CHECK(status == Status::BAD_FILE);
	unsigned count = 0;
	while (status == Status::BAD_FILE && count++ < ENOUGH)
		CHECK(give(peer, some_sockets(), status) == Answer::REPLY);
	CHECK(status == Status::NO_RESOURCE);
	CHECK(gives_a_file(*other));
	Answer answer = Answer::REPLY;
	while (answer == Answer::REPLY && count++ < ENOUGH)
		answer = give(peer, some_sockets(), status);
	CHECK(answer == Answer::CLOSED);
	CHECK(gives_a_file(*other));
	const auto late = Peer::attach(place.path);
	CHECK(late && gives_a_file(*late));
	return nullptr;
}

/* The firmware first answers other messages of the client. When it then refuses this descriptor, the client has
 * closed its own, so the firmware closes the last one. */
End descriptors_that_close_slowly(Peer &peer, const Place &place)
{
	constexpr unsigned SNAPSHOTS = 20;
	constexpr int LINGER_S = 60;
	for (uint32_t type : {UNPU_SOCKET_GIVE_FILE, UNPU_SOCKET_PROBE}) {
		base::Fd listener, other;
		base::FdMessage message;
		CHECK(message.add(lingering_socket(LINGER_S, listener, other)));
		message.message.type = type;
		base::FdMessage ask;
		ask.message.type = UNPU_SOCKET_SNAPSHOT;
		for (unsigned i = 0; i < SNAPSHOTS; i++)
			CHECK(send_message(peer.socket(), ask, base::NO_DEADLINE) == Status::OK);
		CHECK(send_message(peer.socket(), message, base::NO_DEADLINE) == Status::OK);
		message = {};
		usleep(200000);
		const uint64_t began_ns = base::now_ns();
		auto late = Peer::attach(place.path);
		CHECK(late);
		unpu_message info{};
		info.type = UNPU_MSG_MEMORY_INFO;
		CHECK(late->call(info) == Status::OK);
		CHECK(base::now_ns() - began_ns < LINGER_S / 2 * base::NS_PER_S);
		usleep(500000);
	}
	return nullptr;
}

} // namespace hostile

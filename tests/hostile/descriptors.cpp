// SPDX-License-Identifier: MIT
/*
 * DOC: descriptors whose last close takes long
 *
 * The firmware gets them with a message, and may have the only one by the time it refuses it.
 */
#include "hostile.h"

#include <netinet/in.h>
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

} // namespace

/* The firmware has the only descriptor by the time it refuses it, since it has other messages to answer
 * before. */
End descriptors_that_close_slowly(Peer &peer, const Place &place)
{
	constexpr unsigned SNAPSHOTS = 20;
	constexpr int LINGER_S = 60;
	for (uint32_t type : {UNPU_SOCKET_GIVE_FILE, UNPU_SOCKET_PROBE}) {
		base::Fd listener, other;
		base::Parcel parcel;
		CHECK(parcel.add(lingering_socket(LINGER_S, listener, other)));
		parcel.message.type = type;
		base::Parcel ask;
		ask.message.type = UNPU_SOCKET_SNAPSHOT;
		for (unsigned i = 0; i < SNAPSHOTS; i++)
			CHECK(send_parcel(peer.socket(), ask, true) == Status::OK);
		CHECK(send_parcel(peer.socket(), parcel, true) == Status::OK);
		parcel = {};
		usleep(200000);
		const uint64_t began_ns = base::now_ns();
		auto late = Peer::attach(place.path);
		CHECK(late);
		unpu_message message{};
		message.type = UNPU_MSG_MEMORY_INFO;
		CHECK(late->call(message) == Status::OK);
		CHECK(base::now_ns() - began_ns < LINGER_S / 2 * base::NS_PER_S);
		usleep(500000);
	}
	return nullptr;
}

} // namespace hostile

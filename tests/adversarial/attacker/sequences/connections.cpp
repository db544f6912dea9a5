// SPDX-License-Identifier: MIT
/*
 * DOC: sequences of connections
 */
#include <sys/socket.h>
#include <unistd.h>

#include "sequences.h"

namespace attacker {

void leave_connections_idle(Actor &actor)
{
	std::array<base::Fd, 8> connections;
	for (base::Fd &fd : connections) {
		fd = hostile::connect_to(actor.settings().socket);
		const uint64_t half = UNPU_SOCKET_MAGIC;
		if (fd.valid() && actor.one_in(2))
			(void)send(fd.get(), &half, sizeof(half), MSG_NOSIGNAL);
	}
	usleep(static_cast<useconds_t>(actor.below(3000)));
}

/* Does not read the replies, so they stay in the socket. */
void take_snapshots(Actor &actor)
{
	const base::Fd fd = hostile::connect_to(actor.settings().socket);
	if (!fd.valid())
		return;
	for (unsigned i = 0; i < 6; i++) {
		base::FdMessage message;
		message.message.type = UNPU_SOCKET_SNAPSHOT;
		(void)send_message(fd, message, base::calls::NOW);
		actor.tally().messages++;
	}
	base::FdMessage message;
	message.message.type = UNPU_SOCKET_SNAPSHOT;
	if (actor.one_in(2))
		(void)actor.tell(message);
}

/* ATTACH is sent again over a connection that is a client, and by clients that leave at once. */
void attach_and_leave(Actor &actor)
{
	for (unsigned i = 0; i < 4; i++) {
		const auto guest = actor.add_peer();
		if (!guest)
			return;
		Channel channel;
		if (channel.open(*guest, UNPU_SEM_FIRST_FREE) == Status::OK)
			channel.publish({});
	}
	base::FdMessage message;
	message.message.type = UNPU_SOCKET_ATTACH;
	if (actor.one_in(16))
		(void)actor.tell(message);
}

} // namespace attacker

// SPDX-License-Identifier: MIT
/**
 * DOC: Socket messages
 *
 * Both halves of uapi/socket.h: a message and the descriptors beside it.
 */
#pragma once

#include <array>
#include <utility>
#include <vector>

#include <sys/socket.h>

#include "base/shm.h"
#include "uapi/socket.h"

namespace base {

/** struct Parcel - a message with the descriptors that travel beside it. */
struct Parcel {
	unpu_socket_message message{};
	std::array<Fd, UNPU_SOCKET_DESCRIPTORS> descriptors;
	unsigned count = 0; /* of descriptors */

	/** add() - one descriptor more. Return: false when it is not valid or there is no place. */
	bool add(Fd fd);
};

/** class ParcelBuffer - where a message is received. It does not move while the kernel writes. */
class ParcelBuffer {
public:
	/** header() - empty and ready for recvmsg() with MSG_CMSG_CLOEXEC. */
	msghdr &header();

	/** open() - what recvmsg() left, with the descriptors, also after a failure.
	 * @bytes: what recvmsg() returned
	 * Return: BAD_MESSAGE for another size, magic or number of descriptors, NO_RESOURCE when the
	 * process has no room for the descriptors. The caller looks at abi and type. */
	Result<Parcel> open(ssize_t bytes);

	/** take_surplus() - the descriptors of a message that open() refused. */
	std::vector<Fd> take_surplus() { return std::move(surplus_); }

private:
	/* As many as the kernel lets into a message (SCM_MAX_FD): those that it has no room for it would
	 * close itself, on the thread that receives. */
	static constexpr size_t DESCRIPTORS_MOST = 253;
	static constexpr size_t CONTROL_BYTES = CMSG_SPACE(sizeof(int) * DESCRIPTORS_MOST);

	unpu_socket_message message_{};
	iovec vector_{};
	msghdr header_{};
	std::vector<Fd> surplus_;
	alignas(cmsghdr) std::array<std::byte, CONTROL_BYTES> control_{};
};

/** send_parcel() - sends a message, magic and abi filled in. Never a signal when the peer is gone.
 * @wait: for room in the socket
 * Return: DEVICE_LOST when the peer is gone, NO_RESOURCE when it does not take messages. */
Status send_parcel(const Fd &socket, Parcel &parcel, bool wait);

} // namespace base

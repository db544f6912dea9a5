// SPDX-License-Identifier: MIT
/**
 * DOC: Socket messages
 *
 * Sends and receives the messages of uapi/socket.h with their file descriptors.
 */
#pragma once

#include <array>
#include <utility>
#include <vector>

#include <sys/socket.h>

#include "calls/waits.h"
#include "shm.h"
#include "uapi/socket.h"

namespace base {

/** struct FdMessage - a message with its file descriptors (SCM_RIGHTS). */
struct FdMessage {
	unpu_socket_message message{};
	std::array<Fd, UNPU_SOCKET_DESCRIPTORS> descriptors;
	unsigned count = 0; /* number of descriptors */

	/** add() - appends a descriptor. Return: false if it is invalid or the message is full. */
	bool add(Fd fd);
};

/** class MessageBuffer - the buffer for recvmsg(). It must not move between header() and open(). */
class MessageBuffer {
public:
	/** header() - an empty message header, ready for recvmsg() with MSG_CMSG_CLOEXEC. */
	msghdr &header();

	/** open() - parses the result of recvmsg() and takes the descriptors; call it also after a failure.
	 * @bytes: what recvmsg() returned
	 * Return: BAD_MESSAGE for a wrong size, magic or number of descriptors, NO_RESOURCE when the
	 * process has no room for the descriptors. The caller checks abi and type. */
	Result<FdMessage> open(ssize_t bytes);

	/** take_surplus() - returns the descriptors of a message that open() has refused. */
	std::vector<Fd> take_surplus() { return std::move(surplus_); }

private:
	/* The kernel's limit (SCM_MAX_FD). With a smaller buffer the kernel would close the surplus
	 * descriptors on the receiving thread, and that close can block. */
	static constexpr size_t DESCRIPTORS_MOST = 253;
	static constexpr size_t CONTROL_BYTES = CMSG_SPACE(sizeof(int) * DESCRIPTORS_MOST);

	unpu_socket_message message_{};
	iovec vector_{};
	msghdr header_{};
	std::vector<Fd> surplus_;
	alignas(cmsghdr) std::array<std::byte, CONTROL_BYTES> control_{};
};

/** send_message() - sends a message and fills in magic and abi. Raises no SIGPIPE if the peer is gone.
 * @deadline_ns: until when to wait for room; calls::NOW: do not wait
 * Return: DEVICE_LOST when the peer is gone, NO_RESOURCE when it does not take messages. */
Status send_message(const Fd &socket, FdMessage &message, uint64_t deadline_ns);

} // namespace base

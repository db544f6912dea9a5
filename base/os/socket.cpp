// SPDX-License-Identifier: MIT
/**
 * DOC: Socket messages
 *
 * Parses received messages. Every received descriptor gets an owner (Fd) before the message is checked, so
 * that a malformed message leaks none.
 */
#include "socket.h"

#include <cerrno>
#include <cstring>

#include "calls/transfers.h"

namespace base {

bool FdMessage::add(Fd fd)
{
	if (!fd.valid() || count == descriptors.size())
		return false;
	descriptors[count++] = std::move(fd);
	return true;
}

msghdr &MessageBuffer::header()
{
	vector_ = {&message_, sizeof(message_)};
	header_ = {};
	header_.msg_iov = &vector_;
	header_.msg_iovlen = 1;
	header_.msg_control = control_.data();
	header_.msg_controllen = control_.size();
	return header_;
}

/* Takes the descriptors out of a control message. Return: false if there are too many; @surplus then has
 * them. */
static bool take_descriptors(const cmsghdr &control, FdMessage &message, std::vector<Fd> &surplus)
{
	if (control.cmsg_level != SOL_SOCKET || control.cmsg_type != SCM_RIGHTS)
		return true;
	bool fits = true;
	size_t count = (control.cmsg_len - CMSG_LEN(0)) / sizeof(int);
	for (size_t i = 0; i < count; i++) {
		int fd;
		memcpy(&fd, CMSG_DATA(&control) + i * sizeof(fd), sizeof(fd));
		if (message.count < message.descriptors.size()) {
			message.add(Fd(fd));
		} else {
			surplus.emplace_back(fd);
			fits = false;
		}
	}
	return fits;
}

Result<FdMessage> MessageBuffer::open(ssize_t bytes)
{
	FdMessage message;
	bool fits = true;
	if (bytes >= 0) {
		for (cmsghdr *control = CMSG_FIRSTHDR(&header_); control;
		     control = CMSG_NXTHDR(&header_, control))
			fits = take_descriptors(*control, message, surplus_) && fits;
	}
	Status status = Status::OK;
	if (bytes != sizeof(message_) || header_.msg_flags & MSG_TRUNC || !fits)
		status = Status::BAD_MESSAGE;
	else if (header_.msg_flags & MSG_CTRUNC)
		status = Status::NO_RESOURCE;
	else if (message_.magic != UNPU_SOCKET_MAGIC)
		status = Status::BAD_MESSAGE;
	if (status != Status::OK) {
		for (unsigned i = 0; i < message.count; i++)
			surplus_.push_back(std::move(message.descriptors[i]));
		return status;
	}
	message.message = message_;
	return message;
}

Status send_message(const Fd &socket, FdMessage &message, uint64_t deadline_ns)
{
	message.message.magic = UNPU_SOCKET_MAGIC;
	message.message.abi = UNPU_ABI;
	iovec vector{&message.message, sizeof(message.message)};
	alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(int) * UNPU_SOCKET_DESCRIPTORS)>
		space{};
	msghdr header{};
	header.msg_iov = &vector;
	header.msg_iovlen = 1;
	if (message.count > 0) {
		header.msg_control = space.data();
		header.msg_controllen = CMSG_SPACE(sizeof(int) * message.count);
		cmsghdr *control = CMSG_FIRSTHDR(&header);
		control->cmsg_level = SOL_SOCKET;
		control->cmsg_type = SCM_RIGHTS;
		control->cmsg_len = CMSG_LEN(sizeof(int) * message.count);
		for (unsigned i = 0; i < message.count; i++) {
			int fd = message.descriptors[i].get();
			memcpy(CMSG_DATA(control) + i * sizeof(fd), &fd, sizeof(fd));
		}
	}
	const ssize_t sent = calls::sendmsg(socket.get(), header, deadline_ns);
	if (sent == sizeof(message.message))
		return Status::OK;
	bool busy = sent < 0 && (errno == EAGAIN || errno == ENOBUFS || errno == ENOMEM ||
				 errno == ETOOMANYREFS || errno == EMFILE);
	return busy ? Status::NO_RESOURCE : Status::DEVICE_LOST;
}

} // namespace base

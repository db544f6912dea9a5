// SPDX-License-Identifier: MIT
/*
 * DOC: a client that breaks the protocol
 */
#include "hostile_peer.h"

#include <cstring>

#include <poll.h>
#include <sys/un.h>
#include <unistd.h>

namespace hostile {

base::Fd connect_to(const std::string &path)
{
	base::Fd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
	sockaddr_un address{};
	address.sun_family = AF_UNIX;
	memcpy(address.sun_path, path.c_str(), std::min(path.size(), sizeof(address.sun_path) - 1));
	if (connect(socket.get(), reinterpret_cast<sockaddr *>(&address), sizeof(address)) != 0)
		return {};
	return socket;
}

Answer Peer::exchange(base::FdMessage &message)
{
	base::MessageBuffer buffer;
	pollfd entry{socket_.get(), POLLIN, 0};
	if (send_message(socket_, message, base::NO_DEADLINE) != Status::OK)
		return Answer::CLOSED;
	if (poll(&entry, 1, static_cast<int>(PATIENCE_NS / base::NS_PER_MS)) != 1)
		return Answer::SILENCE;
	ssize_t bytes = recvmsg(socket_.get(), &buffer.header(), MSG_CMSG_CLOEXEC);
	if (bytes <= 0)
		return Answer::CLOSED;
	auto reply = buffer.open(bytes);
	if (!reply)
		return Answer::CLOSED;
	message = reply.take();
	return Answer::REPLY;
}

Status Peer::ask(Peer &peer, const std::string &path)
{
	peer.socket_ = connect_to(path);
	base::FdMessage message;
	message.message.type = UNPU_SOCKET_ATTACH;
	if (!peer.socket_.valid() || peer.exchange(message) != Answer::REPLY)
		return Status::DEVICE_LOST;
	if (message.message.status != 0)
		return static_cast<Status>(message.message.status);
	if (message.count != UNPU_SOCKET_DESCRIPTORS)
		return Status::BAD_MESSAGE;
	peer.descriptors_ = std::move(message.descriptors);
	peer.number_ = message.message.attach.client;
	const uint32_t quota = message.message.attach.quota_semaphores;
	peer.semaphores_ = UNPU_SEMAPHORES_END(quota);
	return peer.map_shared(peer.descriptors_[1], peer.descriptors_[2], quota);
}

std::unique_ptr<Peer> Peer::attach(const std::string &path)
{
	auto peer = std::make_unique<Peer>();
	return ask(*peer, path) == Status::OK ? std::move(peer) : nullptr;
}

void Peer::kick() const
{
	uint64_t one = 1;
	ssize_t written = write(descriptors_[3].get(), &one, sizeof(one));
	(void)written;
}

bool Peer::reaches(uint32_t sem, uint64_t wanted, uint64_t patience_ns) const
{
	const uint64_t end_ns = base::deadline_after(patience_ns);
	while (value(sem) < wanted) {
		if (broken() != Status::OK || base::now_ns() > end_ns)
			return false;
		usleep(50);
	}
	return true;
}

Status Peer::call(unpu_message &message, uint64_t patience_ns)
{
	patience_ns_ = patience_ns;
	const Status status = raw::Attachment::call(message);
	patience_ns_ = PATIENCE_NS;
	return status;
}

Status Peer::fetch(uint64_t segment, base::Fd &fd, uint64_t &bytes)
{
	base::FdMessage message;
	message.message.type = UNPU_SOCKET_TAKE_SEGMENT;
	message.message.segment.segment = segment;
	if (exchange(message) != Answer::REPLY || message.count != 1)
		return Status::DEVICE_LOST;
	fd = std::move(message.descriptors[0]);
	bytes = message.message.segment.bytes;
	return Status::OK;
}

Status Channel::open(Peer &peer, uint32_t sem)
{
	peer_ = &peer;
	return raw::Channel::open(peer, {.timeline = sem});
}

uint64_t Channel::publish(const unpu_packet &packet)
{
	ring().publish(packet);
	peer_->ring(index());
	return ring().next();
}

bool Channel::reaches(uint64_t value, uint64_t patience_ns) const
{
	return peer_->reaches(timeline(), value, patience_ns);
}

Status Channel::run(const unpu_packet &packet)
{
	if (!reaches(publish(packet)))
		return Status::TIMEOUT;
	const Status status = peer_->status(timeline());
	if (status != Status::OK)
		TRY(clear());
	return status;
}

} // namespace hostile

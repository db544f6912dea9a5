// SPDX-License-Identifier: MIT
/*
 * DOC: a client that keeps to nothing
 */
#include "peer.h"

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

Answer Peer::exchange(base::Parcel &parcel)
{
	constexpr int PATIENCE_MS = 20000;
	base::ParcelBuffer buffer;
	pollfd entry{socket_.get(), POLLIN, 0};
	if (send_parcel(socket_, parcel, true) != Status::OK)
		return Answer::CLOSED;
	if (poll(&entry, 1, PATIENCE_MS) != 1)
		return Answer::SILENCE;
	ssize_t bytes = recvmsg(socket_.get(), &buffer.header(), MSG_CMSG_CLOEXEC);
	if (bytes <= 0)
		return Answer::CLOSED;
	auto reply = buffer.open(bytes);
	if (!reply)
		return Answer::CLOSED;
	parcel = reply.take();
	return Answer::REPLY;
}

Status Peer::ask(Peer &peer, const std::string &path)
{
	peer.socket_ = connect_to(path);
	base::Parcel parcel;
	parcel.message.type = UNPU_SOCKET_ATTACH;
	if (!peer.socket_.valid() || peer.exchange(parcel) != Answer::REPLY)
		return Status::DEVICE_LOST;
	if (parcel.message.status != 0)
		return static_cast<Status>(parcel.message.status);
	if (parcel.count != UNPU_SOCKET_DESCRIPTORS)
		return Status::BAD_MESSAGE;
	peer.descriptors_ = std::move(parcel.descriptors);
	peer.number_ = parcel.message.attach.client;
	const uint32_t quota = parcel.message.attach.quota_semaphores;
	peer.semaphores_ = UNPU_SEMAPHORES_END(quota);
	auto completion = base::map_shared(peer.descriptors_[1], UNPU_COMPLETION_BYTES(quota),
					   false, UNPU_PAGE_4K);
	auto client = base::map_shared(peer.descriptors_[2], UNPU_CLIENT_BYTES(quota), true,
				       UNPU_PAGE_4K);
	if (!completion || !client)
		return Status::NO_MEMORY;
	peer.completion_ = completion.take();
	peer.client_ = client.take();
	return Status::OK;
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

void Peer::ring(uint32_t channel)
{
	base::ring_doorbell(shared().doorbells, channel);
	kick();
}

void Peer::post(unpu_message &message)
{
	message.sequence = ++sequence_;
	auto *words = reinterpret_cast<uint32_t *>(&shared().request);
	uint32_t copy[sizeof(message) / sizeof(uint32_t)];
	memcpy(copy, &message, sizeof(message));
	for (size_t i = 1; i < sizeof(copy) / sizeof(copy[0]); i++)
		base::store_relaxed(words[i], copy[i]);
	base::store_release(words[0], message.sequence);
	ring(UNPU_DOORBELL_MAILBOX);
}

Status Peer::call(unpu_message &message, uint64_t patience_ns)
{
	post(message);
	uint64_t end_ns = base::deadline_after(patience_ns);
	while (value(UNPU_SEM_MAILBOX) != sequence_) {
		if (broken() != Status::OK || base::now_ns() > end_ns)
			return Status::TIMEOUT;
		usleep(50);
	}
	memcpy(&message, &completion().reply, sizeof(message));
	return static_cast<Status>(message.status);
}

Status Peer::create(uint32_t kind, uint64_t bytes, Memory &memory, unpu_page_kind pages)
{
	unpu_message message{};
	message.type = UNPU_MSG_SEGMENT_CREATE;
	message.segment = {0, bytes, kind, static_cast<uint32_t>(pages), 0, 0};
	TRY(call(message));
	memory.segment = message.segment.segment;
	if (message.segment.pages != pages)
		return Status::NO_MEMORY;
	base::Parcel parcel;
	parcel.message.type = UNPU_SOCKET_TAKE_SEGMENT;
	parcel.message.segment.segment = memory.segment;
	if (exchange(parcel) != Answer::REPLY || parcel.count != 1)
		return Status::DEVICE_LOST;
	memory.bytes = parcel.message.segment.bytes;
	memory.fd = std::move(parcel.descriptors[0]);
	auto window = base::map_shared(memory.fd, memory.bytes, true, UNPU_PAGE_4K);
	if (!window)
		return window.status();
	memory.window = window.take();
	return Status::OK;
}

Status Peer::place(Memory &memory)
{
	unpu_message message{};
	memory.va = next_va_;
	next_va_ += memory.bytes + base::HUGE_PAGE_BYTES;
	message.type = UNPU_MSG_MAP;
	message.map = {
		memory.va, memory.bytes, memory.segment, 0, UNPU_ACCESS_READ | UNPU_ACCESS_WRITE,
		0};
	return call(message);
}

Status Channel::open(Peer &peer, uint32_t sem)
{
	peer_ = &peer;
	sem_ = sem;
	TRY(peer.create(UNPU_SEGMENT_CHANNEL, UNPU_CHANNEL_BYTES(SLOTS), memory_));
	ring_ = base::RingProducer(memory_.window.data(), SLOTS);
	unpu_message message{};
	message.type = UNPU_MSG_CHANNEL_CREATE;
	message.channel.segment = memory_.segment;
	message.channel.slots = SLOTS;
	message.channel.timeline = sem;
	TRY(peer.call(message));
	index_ = message.channel.channel;
	return Status::OK;
}

uint64_t Channel::publish(const unpu_packet &packet)
{
	ring_.publish(packet);
	peer_->ring(index_);
	return ring_.next();
}

bool Channel::reaches(uint64_t value, uint64_t patience_ns) const
{
	uint64_t end_ns = base::deadline_after(patience_ns);
	while (peer_->value(sem_) < value) {
		if (peer_->broken() != Status::OK || base::now_ns() > end_ns)
			return false;
		usleep(50);
	}
	return true;
}

Status Channel::clear()
{
	unpu_message message{};
	message.type = UNPU_MSG_CHANNEL_CONTROL;
	message.control = {index_, UNPU_CHANNEL_CLEAR_STATUS, 0, 0};
	return peer_->call(message);
}

Status Channel::run(const unpu_packet &packet)
{
	if (!reaches(publish(packet)))
		return Status::TIMEOUT;
	Status status = peer_->status(sem_);
	if (status != Status::OK)
		TRY(clear());
	return status;
}

} // namespace hostile

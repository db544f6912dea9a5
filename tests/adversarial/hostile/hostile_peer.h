// SPDX-License-Identifier: MIT
/*
 * DOC: a client that breaks the protocol
 *
 * An attachment to a firmware over its socket. The client keeps to no rule of the protocol, and
 * maps every line that it can map.
 */
#ifndef UNPU_TESTS_HOSTILE_PEER_H
#define UNPU_TESTS_HOSTILE_PEER_H

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/os/socket.h"
#include "firmware_sim/self_test/raw_client.h"
#include "uapi/graph.h"

namespace hostile {

using base::Status;

using raw::Memory;
using raw::SLOTS;

/* Only a fault takes as long, also with a sanitizer on a busy machine. */
constexpr uint64_t PATIENCE_NS = 120 * base::NS_PER_S;

/* connect_to() - a connection that has said nothing yet. */
base::Fd connect_to(const std::string &path);

/* What became of a message on a socket. */
enum class Answer { REPLY, CLOSED, SILENCE };

class Peer final : public raw::Attachment {
public:
	/* attach() - nullptr when the firmware does not let it in. */
	static std::unique_ptr<Peer> attach(const std::string &path);
	/* ask() - the same, and what the firmware says. */
	static Status ask(Peer &peer, const std::string &path);

	const base::Fd &socket() const { return socket_; }
	/* BAR, completion segment, client segment, kick. */
	const base::Fd &descriptor(unsigned index) const { return descriptors_[index]; }
	uint32_t number() const { return number_; }
	/* semaphores() - one more than the last semaphore that the segments have. */
	uint32_t semaphores() const { return semaphores_; }

	void kick() const;
	/* call() - TIMEOUT when there is no answer, or the client is cut off. */
	Status call(unpu_message &message, uint64_t patience_ns = PATIENCE_NS);
	/* reaches() - whether a semaphore comes to @value in time. */
	bool reaches(uint32_t sem, uint64_t wanted, uint64_t patience_ns) const;

	/* exchange() - one message over the socket. */
	Answer exchange(base::FdMessage &message);

private:
	void wake() override { kick(); }
	bool await(uint32_t sem, uint64_t wanted) override
	{
		return reaches(sem, wanted, patience_ns_);
	}
	Status fetch(uint64_t segment, base::Fd &fd, uint64_t &bytes) override;

	base::Fd socket_;
	std::array<base::Fd, UNPU_SOCKET_DESCRIPTORS> descriptors_;
	uint64_t patience_ns_ = PATIENCE_NS; /* of the request under way */
	uint32_t number_ = 0;
	uint32_t semaphores_ = 0;
};

/* A ring of a peer. */
class Channel : public raw::Channel {
public:
	/* open() - @sem: its timeline. */
	Status open(Peer &peer, uint32_t sem);

	/* publish() - rings for each packet: the peer may have spoilt earlier doorbells itself. */
	uint64_t publish(const unpu_packet &packet);
	/* run() - one packet to its end; TIMEOUT when it does not come. */
	Status run(const unpu_packet &packet);
	bool reaches(uint64_t value, uint64_t patience_ns = PATIENCE_NS) const;

private:
	Peer *peer_ = nullptr;
};

} // namespace hostile

#endif

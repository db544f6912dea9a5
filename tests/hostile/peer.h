// SPDX-License-Identifier: MIT
/*
 * DOC: a client that keeps to nothing
 *
 * An attachment to a firmware over its socket, with every line that it can map in reach.
 */
#ifndef UNPU_TESTS_HOSTILE_PEER_H
#define UNPU_TESTS_HOSTILE_PEER_H

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/os/shm.h"
#include "base/os/socket.h"
#include "base/sync/doorbell.h"
#include "base/sync/ring.h"
#include "uapi/graph.h"
#include "uapi/regs.h"

namespace hostile {

using base::Status;

constexpr uint32_t SLOTS = 64;
constexpr uint64_t PATIENCE_NS = 20 * base::NS_PER_S;

struct Memory {
	uint64_t segment = 0;
	uint64_t va = 0;
	uint64_t bytes = 0;
	base::Fd fd;
	base::Mapping window;
};

/* connect_to() - a connection that has said nothing yet. */
base::Fd connect_to(const std::string &path);

/* What became of a message on a socket. */
enum class Answer { REPLY, CLOSED, SILENCE };

class Peer {
public:
	/* attach() - nullptr when the firmware does not let it in. */
	static std::unique_ptr<Peer> attach(const std::string &path);
	/* ask() - the same, and what the firmware says. */
	static Status ask(Peer &peer, const std::string &path);

	unpu_client &shared() const { return *client_.as<unpu_client>(); }
	const unpu_completion &completion() const
	{
		return *completion_.as<const unpu_completion>();
	}
	const base::Fd &socket() const { return socket_; }
	/* BAR, completion segment, client segment, kick. */
	const base::Fd &descriptor(unsigned index) const { return descriptors_[index]; }
	uint32_t number() const { return number_; }
	/* semaphores() - one more than the last semaphore that the segments have. */
	uint32_t semaphores() const { return semaphores_; }
	uint64_t value(uint32_t sem) const
	{
		return base::load_acquire(completion().semaphores[sem].value);
	}
	Status status(uint32_t sem) const
	{
		return static_cast<Status>(base::load_acquire(completion().semaphores[sem].status));
	}
	Status broken() const
	{
		return static_cast<Status>(base::load_acquire(completion().status.broken));
	}

	void kick() const;
	void ring(uint32_t channel);
	/* post() - leaves a request and rings. */
	void post(unpu_message &message);
	/* call() - TIMEOUT when there is no answer, or the client is cut off. */
	Status call(unpu_message &message, uint64_t patience_ns = PATIENCE_NS);
	Status create(uint32_t kind, uint64_t bytes, Memory &memory,
		      unpu_page_kind pages = UNPU_PAGE_4K);
	Status place(Memory &memory);
	/* forget_sequence() - what the mailbox was told last is not ours. */
	void skip_sequence() { sequence_ += 1000; }

	/* exchange() - one message over the socket. */
	Answer exchange(base::Parcel &parcel);

private:
	base::Fd socket_;
	std::array<base::Fd, UNPU_SOCKET_DESCRIPTORS> descriptors_;
	base::Mapping completion_;
	base::Mapping client_;
	uint32_t number_ = 0;
	uint32_t semaphores_ = 0;
	uint32_t sequence_ = 0;
	uint64_t next_va_ = uint64_t{1} << 32;
};

/* A ring of a peer. */
class Channel {
public:
	/* open() - @sem: its timeline. */
	Status open(Peer &peer, uint32_t sem);

	uint64_t publish(const unpu_packet &packet);
	/* run() - one packet to its end; TIMEOUT when it does not come. */
	Status run(const unpu_packet &packet);
	bool reaches(uint64_t value, uint64_t patience_ns = PATIENCE_NS) const;
	Status clear();

	unpu_packet *slots() const { return memory_.window.as<unpu_packet>(); }
	const Memory &memory() const { return memory_; }
	base::RingProducer &ring() { return ring_; }
	uint32_t index() const { return index_; }

private:
	Peer *peer_ = nullptr;
	Memory memory_;
	base::RingProducer ring_;
	uint32_t sem_ = 0;
	uint32_t index_ = 0;
};

} // namespace hostile

#endif

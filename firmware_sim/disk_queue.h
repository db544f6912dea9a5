// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "base/shm.h"

namespace fw {

struct HostFile;
struct Segment;
struct Transfer;

/** struct Piece - a part of a transfer, and the operation that is under way for it. */
struct Piece {
	Transfer *transfer = nullptr; /* nullptr: free */
	uint64_t start = 0;	      /* in the transfer */
	uint64_t bytes = 0;
	uint64_t done = 0;

	bool direct = false;
	bool bounces = false;
	bool apart = false; /* a long copy: for another thread, if the queue has some */
	uint64_t skip = 0;  /* bytes of the bounce before the piece's own */
	std::byte *buffer = nullptr;
	uint64_t length = 0;
	uint64_t position = 0;
	base::Mapping bounce; /* made by the first operation that needs it */
	int slot = -1;	      /* for the queue's own use */
	bool lost = false;    /* its operation takes no room any more, should it ever end */
};

/** class Poke - wakes a thread that waits for its queue. Context: any thread. */
class Poke {
public:
	/** init() - Return: NO_RESOURCE. */
	base::Status init();
	void poke() const;
	int fd() const { return event_.get(); }

private:
	base::Fd event_;
};

/** struct DiskCounts - what a queue has registered with the kernel. */
struct DiskCounts {
	uint64_t fixed_files = 0;
	uint64_t fixed_bytes = 0;
	uint64_t fixed_operations = 0; /* done on registered memory */
};

/** class DiskQueue - operations on files that are under way. Context: one thread, but for name(). */
class DiskQueue {
public:
	virtual ~DiskQueue() = default;
	virtual const char *name() const = 0;

	/** room() - whether another operation may start. */
	virtual bool room() const = 0;
	virtual void start(Piece &piece) = 0;

	/** next() - an operation that has ended.
	 * @wait: for one, or for a poke
	 * @result: bytes, or a negative errno
	 * Return: nullptr when there is none. */
	virtual Piece *next(bool wait, int64_t &result) = 0;

	/** write_off() - an operation that does not end takes no room from others. */
	virtual void write_off(Piece &piece) { piece.lost = true; }

	/** blocks() - whether start() waits for the operation, and who is stuck in it starts no other. */
	virtual bool blocks() const = 0;

	/** sweep() - gives up what belongs to files and segments that are gone. */
	virtual void sweep() {}

	virtual DiskCounts counts() const { return {}; }
};

/** make_uring_queue() - operations by io_uring. Return: nullptr where the kernel forbids it. */
std::unique_ptr<DiskQueue> make_uring_queue(std::shared_ptr<const Poke> poke);

/** make_plain_queue() - one operation at a time, done when it starts. */
std::unique_ptr<DiskQueue> make_plain_queue(std::shared_ptr<const Poke> poke);

} // namespace fw

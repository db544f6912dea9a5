// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "base/os/shm.h"
#include "firmware_sim/memory/wake_event.h"

namespace fw {

struct HostFile;
struct Segment;
struct Transfer;

/** struct Piece - a part of a transfer, and its running operation. */
struct Piece {
	Transfer *transfer = nullptr; /* nullptr: the piece is free */
	uint64_t start = 0;	      /* offset in the transfer */
	uint64_t bytes = 0;
	uint64_t done = 0;

	bool is_direct = false;
	bool bounces = false;
	/* A long copy through the page cache: runs on a kernel worker thread if the queue has any. */
	bool is_apart = false;
	uint64_t skip = 0; /* bytes at the start of @bounce that do not belong to the piece */
	std::byte *buffer = nullptr;
	uint64_t length = 0;
	uint64_t position = 0;
	base::Mapping bounce; /* allocated by the first operation that needs it */
	int slot = -1;	      /* private to the queue */
	bool is_lost = false; /* abandoned: its operation no longer counts against room() */
};

/** struct DiskCounts - what a queue has registered with the kernel. */
struct DiskCounts {
	uint64_t fixed_files = 0;
	uint64_t fixed_bytes = 0;
	uint64_t fixed_operations = 0; /* operations that used registered memory */
};

/** class DiskQueue - queue of running file operations. Context: one thread, except name(). */
class DiskQueue {
public:
	virtual ~DiskQueue() = default;
	virtual const char *name() const = 0;

	/** room() - whether another operation may start. */
	virtual bool room() const = 0;
	virtual void start(Piece &piece) = 0;

	/** next() - takes an operation that has ended. @wait: sleep until an operation ends or a poke
	 * comes
	 * @result: bytes, or a negative errno
	 * Return: nullptr when there is none. */
	virtual Piece *next(bool wait, int64_t &result) = 0;

	/** write_off() - abandons an operation that does not end, so that it no longer counts against
	 * room(). */
	virtual void write_off(Piece &piece) { piece.is_lost = true; }

	/** blocks() - whether start() blocks until the operation ends. */
	virtual bool blocks() const = 0;

	/** sweep() - releases registrations of files and segments that no longer exist. */
	virtual void sweep() {}

	virtual DiskCounts counts() const { return {}; }
};

/** make_uring_queue() - queue over io_uring. Return: nullptr if the kernel refuses it. */
std::unique_ptr<DiskQueue> make_uring_queue(std::shared_ptr<const WakeEvent> poke);

/** make_plain_queue() - queue that executes each operation synchronously in start(). */
std::unique_ptr<DiskQueue> make_plain_queue(std::shared_ptr<const WakeEvent> poke);

} // namespace fw

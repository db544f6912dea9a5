// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "base/ordering.h"
#include "disk_queue.h"
#include "host_file.h"
#include "mmu.h"
#include "runner.h"
#include "uapi/packet.h"

namespace fw {

/** struct Transfer - one packet's bytes between a file and memory, checked and translated. */
struct Transfer {
	/* Before it begins: */
	std::shared_ptr<HostFile> file;
	bool write = false;
	Hold memory; /* that @data points to */
	std::byte *data = nullptr;
	uint64_t bytes = 0;
	uint64_t offset = 0;
	Hold state_memory;
	unpu_file_state *state = nullptr; /* in it; nullptr: nobody wants to know */
	Waiter *owner = nullptr;
	const void *party = nullptr; /* the client */
	uint32_t client = 0;	     /* number */
	uint64_t cookie = 0;
	uint64_t va = 0;
	uint32_t cancelled = 0; /* nothing more is begun */
	uint64_t stands_since_ns =
		0;	   /* operations are under way, and none has ended; 0: it moves */
	uint32_t lost = 0; /* what is under way is not expected to end */

	/* Under way: */
	uint64_t next = 0;  /* first byte that is not begun */
	uint64_t limit = 0; /* no byte from here on counts */
	uint32_t pieces = 0;
	uint64_t moved = 0; /* from the first byte on without a gap */
	int error = 0;
	base::Status status = base::Status::OK;

	/** stop() - the byte at @position could not be moved; the first such one counts. */
	void stop(uint64_t position, base::Status why, int host_error);

	/** over() - whether nothing of it is under way or will be. */
	bool over() const;

	/** close() - the last word in @state, and what becomes of the packet. */
	void close();
};

/**
 * class Mover - moves transfers, a few pieces at a time: whole blocks past the page cache where the
 * file allows it and has to be read from its disk, the edges through it. Context: one thread.
 */
class Mover {
public:
	explicit Mover(DiskQueue &queue) : queue_(queue) {}

	void add(Transfer &transfer);
	bool idle() const { return active_.empty(); }

	/** turn() - begins what there is room for, and takes up what has ended.
	 * @wait: for something to happen, if nothing has
	 * @ended: receives the transfers that are over */
	void turn(bool wait, std::vector<Transfer *> &ended);

	/** write_off() - operations of transfers that are lost take no room from others. */
	void write_off();

	/** abandon() - if the thread is in an operation, it touches nothing more once it comes back.
	 * Context: any thread. Return: whether it is in one. */
	bool abandon() { return base::compare_exchange(place_, INSIDE, ABANDONED); }

	/** direct_bytes(), bounced_bytes() - what went past the page cache, and what of it was copied. */
	uint64_t direct_bytes() const { return direct_bytes_; }
	uint64_t bounced_bytes() const { return bounced_bytes_; }

private:
	bool begin_next();
	void begin(Transfer &transfer);
	void issue(Piece &piece);
	void issue_direct(Piece &piece, uint64_t position, uint64_t left);
	bool wants_direct(const Piece &piece, uint64_t position, uint64_t left) const;
	void take_up(Piece &piece, int64_t result);
	bool refused(Piece &piece, int64_t result);
	uint64_t take_bounce(Piece &piece, uint64_t got);
	void end(Piece &piece);
	void publish(Transfer &transfer);
	Piece &take_piece();

	DiskQueue &queue_;
	std::vector<Transfer *> active_;
	size_t turn_ = 0; /* whose piece is next */
	std::vector<std::unique_ptr<Piece>> pieces_;
	std::vector<Piece *> free_;
	bool abandoned() const { return base::load_acquire(place_) == ABANDONED; }

	static constexpr uint32_t OUTSIDE = 0;
	static constexpr uint32_t INSIDE = 1;
	static constexpr uint32_t ABANDONED = 2;

	uint64_t direct_bytes_ = 0;
	uint64_t bounced_bytes_ = 0;
	uint32_t place_ = OUTSIDE; /* of the thread */
};

} // namespace fw

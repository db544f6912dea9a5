// SPDX-License-Identifier: MIT
#pragma once

#include <list>
#include <memory>
#include <vector>

#include "base/sync/ordering.h"
#include "disk_queue.h"
#include "firmware_sim/memory/mmu.h"
#include "firmware_sim/schedule/runner.h"
#include "host_file.h"
#include "uapi/packet.h"

namespace fw {

/** struct Transfer - one packet's bytes between a file and memory, checked and translated. */
struct Transfer {
	/* Set before the transfer begins: */
	std::shared_ptr<HostFile> file;
	bool is_write = false;
	Hold memory; /* keeps @data mapped */
	std::byte *data = nullptr;
	uint64_t bytes = 0;
	uint64_t offset = 0;
	Hold state_memory;
	unpu_file_state *state = nullptr; /* result word in client memory; nullptr: none */
	Waiter *owner = nullptr;
	const void *client_queue = nullptr; /* the client */
	uint32_t client = 0;		    /* number */
	uint64_t cookie = 0;
	uint64_t va = 0;
	uint32_t cancelled = 0; /* no further operation starts */
	/* Time since which no running operation has ended; 0: no operation is running. */
	uint64_t stands_since_ns = 0;
	uint32_t lost = 0; /* abandoned: its running operations are not expected to end */
	/* For the storage: the list that it is in, and where; nullptr: it runs. */
	std::list<std::unique_ptr<Transfer>> *queue = nullptr;
	std::list<std::unique_ptr<Transfer>>::iterator place{};

	/* Progress: */
	uint64_t next = 0;  /* first byte for which no operation was started */
	uint64_t limit = 0; /* bytes from here on are not transferred */
	uint32_t pieces = 0;
	uint64_t moved = 0; /* bytes moved without a gap from the first one */
	int error = 0;
	base::Status status = base::Status::OK;

	/** stop() - the byte at @position could not be moved; the lowest position wins. */
	void stop(uint64_t position, base::Status why, int host_error);

	/** over() - whether no operation is running and none will start. */
	bool over() const;

	/** close() - stores the final @state and fixes the status of the packet. */
	void close();
};

/**
 * class Mover - moves transfers, a few pieces at a time: whole blocks with O_DIRECT if the file allows
 * it and the page cache does not have them, the edges through the page cache. Context: one thread.
 */
class Mover {
public:
	explicit Mover(DiskQueue &queue) : queue_(queue) {}

	void add(Transfer &transfer);
	bool idle() const { return active_.empty(); }

	/** turn() - starts as many operations as the queue has room for and handles one that has ended.
	 * @wait: sleep if none has ended
	 * @ended: receives the transfers that have ended */
	void turn(bool wait, std::vector<Transfer *> &ended);

	/** write_off() - writes off the operations of lost transfers, so that they no longer count
	 * against the queue's room. */
	void write_off();

	/** abandon() - if the thread is inside an operation, it accesses no transfer after it returns.
	 * Context: any thread.
	 * Return: whether it is inside one. */
	bool abandon() { return base::compare_exchange(place_, INSIDE, ABANDONED); }

	/** direct_bytes(), bounced_bytes() - bytes moved with O_DIRECT, and the part that went through a
	 * bounce buffer. */
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
	size_t turn_ = 0; /* index of the next transfer to begin a piece */
	std::vector<std::unique_ptr<Piece>> pieces_;
	std::vector<Piece *> free_;
	bool abandoned() const { return base::load_acquire(place_) == ABANDONED; }

	static constexpr uint32_t OUTSIDE = 0;
	static constexpr uint32_t INSIDE = 1;
	static constexpr uint32_t ABANDONED = 2;

	uint64_t direct_bytes_ = 0;
	uint64_t bounced_bytes_ = 0;
	uint32_t place_ =
		OUTSIDE; /* INSIDE: the thread is in an operation. OUTSIDE, ABANDONED: it is not */
};

} // namespace fw

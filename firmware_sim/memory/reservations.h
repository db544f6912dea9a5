// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "account.h"
#include "base/os/shm.h"

namespace fw {

/** class Reservation - one reserved range of addresses of this process. The range exists for as long as
 * something holds this object: the client, or memory that is mapped in it. Context: any thread. */
class Reservation {
public:
	explicit Reservation(Charge entry) : entry_(std::move(entry)) {}
	~Reservation();
	Reservation(const Reservation &) = delete;
	Reservation &operator=(const Reservation &) = delete;

	std::byte *data() const { return range_.data(); }
	uint64_t bytes() const { return range_.bytes(); }

private:
	friend class Reservations;
	base::Mapping range_;
	Charge entry_; /* charge of the client */
};

/**
 * class Reservations - ranges of device addresses that a client fills piece by piece. The firmware
 * reserves a range of its own addresses for each, so that adjacent pieces are contiguous for the code
 * that works on them. Context: under the step token.
 */
class Reservations {
public:
	/** reserve() - reserves a range. Return: INVALID_ARGUMENT when the range wraps, is not a multiple of
	 * 2 MiB pages or overlaps a reservation; QUOTA past the client's limit; NO_MEMORY. */
	base::Status reserve(uint64_t va, uint64_t bytes, Charge entry);

	/** release() - releases a range that was reserved with the same arguments. Return:
	 * INVALID_ARGUMENT. */
	base::Status release(uint64_t va, uint64_t bytes);

	/** struct Position - a range in a reservation, and its address in this process. */
	struct Position {
		/* The reservation, or nullptr if the range is not in one. */
		std::shared_ptr<const Reservation> reservation;
		std::byte *data = nullptr;
	};

	/** find() - where [va, va + bytes) lies. */
	Position find(uint64_t va, uint64_t bytes) const;

	/** touches() - whether a part of [va, va + bytes) is reserved. */
	bool touches(uint64_t va, uint64_t bytes) const;

	size_t size() const { return ranges_.size(); }

	/** clear() - releases all. */
	void clear();

private:
	bool charge(uint64_t bytes);

	/* indexed by device address */
	std::map<uint64_t, std::shared_ptr<const Reservation>> ranges_;
	uint64_t bytes_ = 0;
};

} // namespace fw

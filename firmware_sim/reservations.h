// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "base/shm.h"

namespace fw {

/**
 * class Reservations - ranges of device addresses that a client fills piece by piece. The firmware
 * has a range of its own addresses for each, so that pieces next to each other are one range to
 * whoever works on them. Context: under the step token.
 */
class Reservations {
public:
	Reservations() = default;
	Reservations(Reservations &&other) noexcept
		: ranges_(std::move(other.ranges_)), bytes_(std::exchange(other.bytes_, 0))
	{
	}
	Reservations &operator=(Reservations &&other) noexcept
	{
		std::swap(ranges_, other.ranges_);
		std::swap(bytes_, other.bytes_);
		return *this;
	}
	~Reservations();

	/** reserve() - Return: INVALID_ARGUMENT when the range wraps, is not made of 2 MiB pages or
	 * overlaps a reservation; QUOTA past the client's limit; NO_MEMORY. */
	base::Status reserve(uint64_t va, uint64_t bytes);

	/** release() - gives a range back that was reserved just so. Return: INVALID_ARGUMENT. */
	base::Status release(uint64_t va, uint64_t bytes);

	/** place() - where [va, va + bytes) lies in this process; nullptr when it does not lie in one
	 * reservation. */
	std::byte *place(uint64_t va, uint64_t bytes) const;

	/** touches() - whether any of [va, va + bytes) is reserved. */
	bool touches(uint64_t va, uint64_t bytes) const;

	bool empty() const { return ranges_.empty(); }

private:
	bool charge(uint64_t bytes);

	std::map<uint64_t, base::Mapping> ranges_; /* by device address */
	uint64_t bytes_ = 0;
};

} // namespace fw

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/os/shm.h"
#include "base/sync/ordering.h"

namespace umd::recorder {

/** mix() - spreads the bits of @value, so that similar values get different places in a table. */
constexpr uint64_t mix(uint64_t value)
{
	value = (value ^ value >> 32) * 0x9e3779b97f4a7c15u;
	value = (value ^ value >> 29) * 0xbf58476d1ce4e5b9u;
	return value ^ value >> 32;
}

/**
 * class InsertTable - a map from numbers to numbers that only grows. find() takes no lock and may run
 * beside insert(). Context: the caller lets one thread insert at a time.
 */
class InsertTable {
public:
	/** reserve() - reserves address space. The kernel provides memory only for the places that are used.
	 * @places: number of places, a power of two.
	 * Return: NO_MEMORY. */
	base::Status reserve(uint64_t places)
	{
		memory_ = TRY(base::map_private_zeroed(places * sizeof(Place)));
		mask_ = places - 1;
		return base::Status::OK;
	}

	/** find() - @key: not 0. Return: whether the table has it. */
	bool find(uint64_t key, uint64_t &value) const
	{
		const Place *places = memory_.as<Place>();
		for (uint64_t at = mix(key) & mask_;; at = (at + 1) & mask_) {
			const uint64_t found = base::load_acquire(places[at].key);
			if (found == key) [[likely]] {
				value = places[at].value;
				return true;
			}
			if (found == 0)
				return false;
		}
	}

	/** insert() - @key: not 0, and not in the table. Return: false if the table is full. */
	bool insert(uint64_t key, uint64_t value)
	{
		/* One place in four stays empty, so that each search ends soon. */
		if (used_ >= (mask_ + 1) / 4 * 3)
			return false;
		Place *places = memory_.as<Place>();
		uint64_t at = mix(key) & mask_;
		while (places[at].key != 0)
			at = (at + 1) & mask_;
		used_++;
		places[at].value = value;
		base::store_release(places[at].key, key);
		return true;
	}

private:
	struct Place {
		uint64_t key;
		uint64_t value;
	};

	base::Mapping memory_;
	uint64_t mask_ = 0;
	uint64_t used_ = 0;
};

} // namespace umd::recorder

// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "drv/address_space.h"

namespace drv {

class Device;

/** struct Bo - one buffer object: what a malloc returned. */
struct Bo {
	uint64_t va = 0;
	uint64_t bytes = 0;	 /* as asked for */
	uint64_t generation = 0; /* never the same twice: tells a reused address from the old one */
	Chunk *chunk = nullptr;
};

/**
 * class Memory - buffer objects of one context. Context: any thread.
 *
 * Small objects are cut from shared chunks, so they cost no system call. free() does not wait: the
 * range is used again once everything submitted before the free has passed.
 */
class Memory {
public:
	explicit Memory(Device &device) : device_(device) {}
	~Memory();

	/** allocate() - @place DEVICE or PINNED. Return: NO_MEMORY; NO_PERMISSION with @why set when
	 * pinned memory can't be locked. */
	base::Result<Bo> allocate(Place place, uint64_t bytes, unpu_page_kind wish,
				  std::string &why);

	/** free() - Return: INVALID_ARGUMENT when @address is not the start of an object of @place. */
	base::Status free(Place place, uint64_t address);

	/** lookup() - the object that holds @address, or a Bo with bytes 0. */
	Bo lookup(uint64_t address);

	/** covers() - whether [address, address + bytes) lies in one object that was not freed. An object
	 * reaches to the next multiple of 64 bytes. Takes no lock for the objects a thread used last. */
	bool covers(uint64_t address, uint64_t bytes);

	/** live() - objects that were not freed. */
	size_t live();

	/** in_use_bytes() - bytes of live and retiring objects. */
	uint64_t in_use_bytes(Place place);

private:
	base::Result<Bo> cut(Place place, uint64_t bytes, unpu_page_kind wish, std::string &why);
	base::Result<Chunk *> grow(Place place, uint64_t bytes, unpu_page_kind wish);
	base::Status pin(Chunk &chunk, uint64_t offset, uint64_t bytes, std::string &why);
	void reclaim(Chunk *chunk, uint64_t offset);

	Device &device_;
	std::mutex mutex_;
	std::vector<Chunk *> chunks_[2]; /* device, pinned */
	std::map<uint64_t, Bo> objects_; /* by address */
	uint64_t generation_ = 0;
	uint64_t epoch_ = next_epoch(); /* changes with every free */

	static uint64_t next_epoch();
};

} // namespace drv

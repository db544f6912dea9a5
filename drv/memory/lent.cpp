// SPDX-License-Identifier: MIT
/**
 * DOC: Memory that a device lends to others
 *
 * A pool may allow single other devices to use its memory. All other memory of a device may be used by every
 * device that has enabled it as a peer. Each object of a pool has the list of the devices that may use it.
 */
#include "memory.h"
#include "uapi/operator.h"

namespace drv {

void Memory::lend(uint64_t address, uint32_t readers, uint32_t writers)
{
	std::lock_guard lock(mutex_);
	auto found = objects_.find(address);
	if (found == objects_.end())
		return;
	found->second.readers = readers;
	found->second.writers = writers;
}

bool Memory::lends(uint64_t address, uint64_t bytes, uint32_t access, uint32_t user)
{
	const Bo bo = lookup(address);
	const uint64_t offset = address - bo.va;
	const bool may_read = (access & UNPU_ACCESS_READ) == 0 || (bo.readers & user) != 0;
	const bool may_write = (access & UNPU_ACCESS_WRITE) == 0 || (bo.writers & user) != 0;
	return offset < bo.bytes && bytes <= bo.bytes - offset && may_read && may_write;
}

} // namespace drv

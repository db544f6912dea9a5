// SPDX-License-Identifier: MIT
/**
 * DOC: Modelled cores
 *
 * Each local memory is as large as that of the chip, with an inaccessible page at both ends. The sizes are
 * multiples of all page sizes. Memory that a kernel does not touch costs nothing.
 */
#include "core.h"

#include <new>

#include <sys/mman.h>

namespace runner {

/* UB of Ascend310P, which is larger; L1, L0A, L0B, L0C of an Atlas A2. */
static constexpr uint64_t SIZES[UNPU_KERNEL_MEMORIES] = {UNPU_KERNEL_UB_310P_BYTES, 524288, 65536,
							 65536, 131072};

bool Instance::init()
{
	const uint64_t page = page_bytes();
	uint64_t all = UNPU_KERNEL_STATE_BYTES;
	for (uint64_t bytes : SIZES)
		all += bytes + 2 * page;
	void *range =
		mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (range == MAP_FAILED || !fiber.init())
		return false;
	auto *at = static_cast<unsigned char *>(range);
	for (uint32_t i = 0; i < UNPU_KERNEL_MEMORIES; i++) {
		at += page;
		block.local[i] = {at, SIZES[i]};
		if (mprotect(at, SIZES[i], PROT_READ | PROT_WRITE) != 0)
			return false;
		at += SIZES[i] + page;
	}
	state = at;
	return mprotect(at, UNPU_KERNEL_STATE_BYTES, PROT_READ | PROT_WRITE) == 0;
}

bool Instance::set_ub(uint64_t bytes)
{
	unpu_kernel_local &ub = block.local[UNPU_KERNEL_UB];
	if (ub.bytes == bytes)
		return true;
	const int access = bytes > UNPU_KERNEL_UB_BYTES ? PROT_READ | PROT_WRITE : PROT_NONE;
	if (mprotect(ub.base + UNPU_KERNEL_UB_BYTES,
		     UNPU_KERNEL_UB_310P_BYTES - UNPU_KERNEL_UB_BYTES, access) != 0)
		return false;
	ub.bytes = bytes;
	return true;
}

uint32_t Instance::guarding(uint64_t address) const
{
	const uint64_t page = page_bytes();
	for (uint32_t i = 0; i < UNPU_KERNEL_MEMORIES; i++) {
		const auto first = reinterpret_cast<uint64_t>(block.local[i].base);
		const uint64_t end = first + block.local[i].bytes;
		if (address - (first - page) < page || address - end < page)
			return i;
	}
	return UNPU_KERNEL_MEMORIES;
}

CorePool &CorePool::all()
{
	static auto *only = new CorePool;
	return *only;
}

uint64_t CorePool::most_bytes()
{
	uint64_t each = Fiber::STACK_BYTES + UNPU_KERNEL_STATE_BYTES + sizeof(Instance);
	for (uint64_t bytes : SIZES)
		each += bytes;
	return (VECTOR_CORES + CUBE_CORES) * each;
}

Instance *CorePool::take()
{
	{
		const std::lock_guard lock(mutex_);
		if (!free_.empty()) {
			Instance *found = free_.back();
			free_.pop_back();
			return found;
		}
	}
	auto *made = new (std::nothrow) Instance;
	if (made && !made->init()) {
		delete made;
		return nullptr;
	}
	return made;
}

void CorePool::give(Instance &instance)
{
	const std::lock_guard lock(mutex_);
	free_.push_back(&instance);
}

} // namespace runner

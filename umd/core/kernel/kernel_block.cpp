// SPDX-License-Identifier: MIT
/**
 * DOC: Memory that kernels share
 *
 * Some kernels get the address of memory for signals between cores, or for the overflow status, as an argument. The
 * device keeps both by itself, so the memory only has to exist.
 */
#include "kernel_block.h"

#include <cstring>

#include "drv/device.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/error.h"

namespace umd {

using base::Result;

static constexpr uint64_t BLOCK_BYTES = 4096;

Result<uint64_t> kernel_block(OpenDevice &open)
{
	uint64_t block = open.kernel_block.load();
	if (block != 0)
		return block;
	drv::Device &device = *open.device;
	std::string why;
	auto bo = device.memory().allocate(drv::Place::DEVICE, BLOCK_BYTES, UNPU_PAGE_4K, why);
	if (!bo)
		return set_error(bo.status(),
				 fmt::format("no memory for what kernels share: {}", why));
	memset(device.space().aperture(bo->va, BLOCK_BYTES), 0, BLOCK_BYTES);
	if (open.kernel_block.compare_exchange_strong(block, bo->va))
		return bo->va;
	(void)device.memory().free(drv::Place::DEVICE, bo->va);
	return block;
}

} // namespace umd

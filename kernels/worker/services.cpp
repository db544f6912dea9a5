// SPDX-License-Identifier: MIT
/**
 * DOC: What a worker gives to images
 */
#include "base/sync/ordering.h"
#include "session.h"

namespace worker {

static unpu_kernel_services make_services()
{
	unpu_kernel_services all = runner::services();
	all.find_memory = [](uint64_t address, unpu_kernel_memory_range *range) {
		const LaneLaunch &running = *LaneLaunch::current();
		return static_cast<int>(running.session.find_memory(
			address, running.freed_objects(), *range, running.is_exact()));
	};
	all.asked_bytes = [](const unpu_kernel_memory_range *range) {
		return LaneLaunch::current()->session.asked_bytes(*range);
	};
	return all;
}

static unpu_kernel_services &all_services()
{
	static unpu_kernel_services all = make_services();
	return all;
}

const unpu_kernel_services &services()
{
	return all_services();
}

void begin_to_observe()
{
	base::store_relaxed(all_services().observes, uint32_t{1});
}

} // namespace worker

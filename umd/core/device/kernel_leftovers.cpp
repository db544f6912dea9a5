// SPDX-License-Identifier: MIT
/**
 * DOC: Resources of ended kernel launches
 */
#include "kernel_leftovers.h"

#include <mutex>

#include "drv/device.h"
#include "open_device.h"

namespace umd {

void KernelLeftovers::add(const Leftover &one)
{
	std::lock_guard lock(mutex_);
	left_.push_back(one);
	is_any_ = true;
}

/* Earlier tasks may still use these resources. Both ways of freeing them wait for those tasks. */
void KernelLeftovers::give_back()
{
	std::vector<Leftover> taken;
	{
		std::lock_guard lock(mutex_);
		taken.swap(left_);
		is_any_ = false;
	}
	for (const Leftover &one : taken) {
		const DeviceHold held = one.device.hold();
		if (!held)
			continue;
		drv::Device *device = &*held;
		if (one.va != 0)
			(void)device->memory().free(drv::Place::DEVICE, one.va);
		else
			device->defer(
				[device, image = one.image] { device->unload_kernels(image); });
		device->reap();
	}
}

} // namespace umd

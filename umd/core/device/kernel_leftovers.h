// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <vector>

#include "base/sync/mutex.h"
#include "device_state.h"
#include "umd/core/process/process.h"

namespace umd {

/** class KernelLeftovers - memory and images of launches that have ended. A launch may end while its thread
 * holds a lock under which it must not send a request to the device. So the resources are kept here, and the
 * next call without a lock frees them. */
class KernelLeftovers {
public:
	static KernelLeftovers &get() { return Process::own<KernelLeftovers>(); }

	/** add_memory(), add_image() - keep a resource. @va: address of a block of device memory. @image: the
	 * device's number for an image. */
	void add_memory(const DeviceRef &device, uint64_t va) { add({device, va, 0}); }
	void add_image(const DeviceRef &device, uint32_t image) { add({device, 0, image}); }

	/** release() - frees everything. If there is nothing, it only reads one word. Context: no lock
	 * held. */
	static void release()
	{
		KernelLeftovers *mine = Process::find<KernelLeftovers>();
		if (mine && mine->is_any_.load()) [[unlikely]]
			mine->give_back();
	}

private:
	struct Leftover {
		DeviceRef device;
		uint64_t va;
		uint32_t image;
	};

	void add(const Leftover &one);
	void give_back();

	std::atomic<bool> is_any_{false};
	base::Mutex mutex_{"KernelLeftovers::mutex_"};
	std::vector<Leftover> left_ GUARDED_BY(mutex_);
};

} // namespace umd

// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/sync/mutex.h"
#include "device_state.h"
#include "umd/core/process/process.h"

namespace umd {

/** class KernelLeftovers - memory and images of launches that have ended, and what graphs have kept. Both may end
 * while the thread holds a lock under which it must not send a request to the device. So the resources are kept
 * here, and the next call without a lock frees them. */
class KernelLeftovers {
public:
	static KernelLeftovers &get() { return Process::own<KernelLeftovers>(); }

	/** add_memory(), add_image() - keep a resource. @va: address of a block of device memory. @image: the
	 * device's number for an image. */
	void add_memory(const DeviceRef &device, uint64_t va) { add({device, va, 0, nullptr}); }
	void add_image(const DeviceRef &device, uint32_t image)
	{
		add({device, 0, image, nullptr});
	}

	/** add_owner() - keeps an object that frees its resources itself. */
	void add_owner(std::shared_ptr<const void> owner) { add({{}, 0, 0, std::move(owner)}); }

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
		std::shared_ptr<const void> owner;
	};

	void add(const Leftover &one);
	void give_back();

	std::atomic<bool> is_any_{false};
	base::Mutex mutex_{"KernelLeftovers::mutex_"};
	std::vector<Leftover> left_ GUARDED_BY(mutex_);
};

} // namespace umd

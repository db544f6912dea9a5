// SPDX-License-Identifier: MIT
/**
 * DOC: Fences across devices
 *
 * A bridge is a thread for the time of one wait; waits across devices are rare, and a thread of its own
 * can't be held up by another one. It touches the device it leads to only under its lock and if that
 * is still open.
 */
#include "umd/bridge.h"

#include <list>
#include <mutex>
#include <thread>

#include "base/thread.h"
#include "umd/device_state.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Fence;

namespace {

struct Bridge {
	DeviceState *from;
	Fence source;
	std::mutex mutex; /* protects the following */
	DeviceState *to;  /* nullptr: cut off */
	Fence target;
	bool ended = false;
	std::thread thread;
};

struct Bridges {
	std::mutex mutex; /* protects the list; taken before a bridge's own */
	std::list<Bridge> list;
};

/* Never destroyed: threads may outlive main(). */
Bridges &bridges()
{
	static Bridges *const made = new Bridges;
	return *made;
}

void run(Bridge &bridge)
{
	(void)bridge.from->device->wait(bridge.source, base::NO_DEADLINE, false);
	std::lock_guard lock(bridge.mutex);
	if (bridge.to) {
		drv::Device &device = *bridge.to->device;
		(void)device.set_semaphore(bridge.target.sem, bridge.target.value);
		/* Its value only grows, so who still waits for this one is served. */
		device.semaphores().release(bridge.target.sem);
	}
	bridge.ended = true;
}

bool has_ended(Bridge &bridge)
{
	std::lock_guard lock(bridge.mutex);
	return bridge.ended;
}

/* Context: the list's lock. */
void reap(Bridges &all)
{
	for (auto bridge = all.list.begin(); bridge != all.list.end();) {
		auto next = std::next(bridge);
		if (has_ended(*bridge)) {
			bridge->thread.join();
			all.list.erase(bridge);
		}
		bridge = next;
	}
}

} // namespace

Result<Fence> bridge_fence(DeviceState &from, const Fence &fence, DeviceState &to)
{
	Bridges &all = bridges();
	auto sem = to.device->semaphores().allocate();
	if (!sem)
		return sem.status();
	std::lock_guard lock(all.mutex);
	reap(all);
	Bridge &bridge = all.list.emplace_back();
	bridge.from = &from;
	bridge.source = fence;
	bridge.to = &to;
	bridge.target = Fence{*sem, to.device->value(*sem) + 1};
	auto thread = base::start_thread("unpu-bridge", [&bridge] { run(bridge); });
	if (!thread) {
		all.list.pop_back();
		to.device->semaphores().release(*sem);
		return thread.status();
	}
	bridge.thread = thread.take();
	return bridge.target;
}

void close_bridges(DeviceState &state)
{
	Bridges &all = bridges();
	std::lock_guard lock(all.mutex);
	for (Bridge &bridge : all.list) {
		if (bridge.from == &state && bridge.thread.joinable()) {
			bridge.thread.join();
			continue;
		}
		std::lock_guard own(bridge.mutex);
		if (bridge.to == &state)
			bridge.to = nullptr;
	}
	std::erase_if(all.list, [](Bridge &bridge) { return !bridge.thread.joinable(); });
}

} // namespace umd

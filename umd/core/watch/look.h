// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <sys/socket.h>
#include <sys/types.h>

#include "base/os/shm.h"
#include "base/sync/mutex.h"
#include "umd/core/process/process.h"

struct sockaddr_un;

namespace umd {

struct DeviceState;

/**
 * class Look - lets another process of the same user look at the devices that this one has open (unpu-info
 * --pid).
 *
 * While a device is open, the thread "unpu-look" sleeps in poll() on an abstract socket that is named after
 * the process. Each connection gets one JSON text. UNPU_LOOK=0 opens none. If all devices are stepped, the
 * program may have only one thread, for which the C library locks without atomic operations. Such a program
 * gets the thread "unpu-look" only when a wait makes no progress.
 * Context: any thread.
 */
class Look {
public:
	static Look &get() { return Process::own<Look>(); }

	/** address_of() - the socket address of process @pid. Return: the used length of @address. */
	static socklen_t address_of(pid_t pid, sockaddr_un &address);

	/** add() - shows the device from now on, or with @later from start() on. If there is no socket or no
	 * thread, the device still works. */
	void add(const DeviceState &state, bool later);

	/** start() - starts the thread, unless it runs. */
	void start();

	/** using Section - a function that returns a JSON array. Context: the thread "unpu-look"; locks as in
	 * blocked_by(). */
	using Section = std::string (*)();

	/** show_communicators() - from now on the answers contain the result of @section. */
	void show_communicators(Section section) { communicators_.store(section); }

	/** communicators() - the present result of that function. */
	std::string communicators() const
	{
		const Section section = communicators_.load();
		return section ? section() : "[]";
	}

	/** remove() - undoes an add(). The last one ends the thread. Context: no lock is held. */
	void remove(const DeviceState &state);

private:
	void start_serving() REQUIRES(mutex_);
	static void serve(int listener);
	std::string text();

	base::Mutex mutex_{"Look::mutex_"};
	std::vector<const DeviceState *> shown_ GUARDED_BY(mutex_);
	base::Fd listener_ GUARDED_BY(mutex_);
	std::thread thread_ GUARDED_BY(mutex_);
	std::atomic<Section> communicators_{nullptr};
};

} // namespace umd

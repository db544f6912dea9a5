// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "base/sync/mutex.h"
#include "comm.h"
#include "umd/core/process/process.h"

namespace umd {

/** class Comms - the communicators of this process, and the thread that listens for their failures. The
 * thread exists while there are communicators, and sleeps while none of them fails. Context: any thread. */
class Comms {
public:
	static Comms &get() { return Process::own<Comms>(); }

	/** add() - registers a communicator. @handle: receives a handle that no later communicator gets.
	 * Return: HCCL_E_UNAVAIL if the thread can't start. */
	HcclResult add(const std::shared_ptr<Comm> &comm, HcclComm *handle);

	/** find() - the communicator with this handle. Return: nullptr if there is none; sets the error
	 * message. */
	std::shared_ptr<Comm> find(HcclComm handle);

	/** find_named() - the handle of the communicator with this name; if this process has several of its
	 * ranks, that of the lowest rank. Return: HCCL_E_NOT_FOUND. */
	HcclResult find_named(const std::string &name, HcclComm *handle);

	/** destroy() - destroys a communicator. Context: no lock held. Return: HCCL_E_PARA, HCCL_E_AGAIN. */
	HcclResult destroy(HcclComm handle);

	/** look_again() - makes the thread look at all communicators. Context: no lock held. */
	void look_again();

	/** all() - a copy of the current list. */
	std::vector<std::shared_ptr<Comm>> all();

private:
	HcclResult begin_watch() REQUIRES(thread_mutex_);
	void end_watch();
	void kick();
	void watch();
	bool watch_once();

	/* Held also while the thread processes a failure, including the device requests that end the
	 * waits. */
	base::Mutex mutex_{"Comms::mutex_", base::HeldOver::ANSWERS};
	std::map<uintptr_t, std::shared_ptr<Comm>> comms_ GUARDED_BY(mutex_);
	std::map<uintptr_t, std::shared_ptr<Comm>> watched_ GUARDED_BY(mutex_);
	uintptr_t next_ GUARDED_BY(mutex_) = 1;
	bool is_ending_ GUARDED_BY(mutex_) = false; /* tells the thread to end */
	/* Held while the thread starts, and until it has ended. Taken before mutex_. */
	base::Mutex thread_mutex_{"Comms::thread_mutex_", base::HeldOver::WORK};
	std::thread thread_ GUARDED_BY(thread_mutex_);
	base::Fd kick_; /* eventfd; while there is a thread */
};

} // namespace umd

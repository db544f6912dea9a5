// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/sync/condition.h"
#include "base/sync/mutex.h"

namespace fw {

/**
 * class EngineCrew - the engine threads of one priority. Engines has two crews, because an unprivileged thread can
 * lower its priority but not raise it again. Context: under the lock of the engines, unless it says otherwise.
 */
class EngineCrew {
public:
	/** @nice: how much the nice value of the threads is raised. */
	explicit EngineCrew(int nice) : nice_(nice) {}

	size_t size() const { return threads_.size(); }
	bool empty() const { return threads_.empty(); }

	/** add() - starts a thread, which calls @work with its number in the crew.
	 * Return: false: the host could start none. */
	bool add(const char *name, const std::function<void(uint32_t)> &work);

	/** wait() - a thread of the crew sleeps until wake_one() or wake_all(). */
	void wait(std::unique_lock<base::Mutex> &lock) { wanted_.wait(lock); }
	/** wake_one(), wake_all() - Context: with or without the lock. */
	void wake_one() { wanted_.notify_one(); }
	void wake_all() { wanted_.notify_all(); }

	/** note_stuck() - thread @number does not end: join() leaves it behind. */
	void note_stuck(uint32_t number) { stuck_[number] = true; }

	/** join() - waits for all threads but the stuck ones. Context: without the lock, which the threads need to end;
	 * nobody calls add() any more. */
	void join();

private:
	const int nice_;
	std::vector<std::thread> threads_;
	std::vector<char> stuck_; /* a flag for each thread */
	base::Condition wanted_;
};

} // namespace fw

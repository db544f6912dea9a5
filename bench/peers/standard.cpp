// SPDX-License-Identifier: MIT
/**
 * DOC: The standard library
 *
 * A condition variable between two threads, std::async and a thread of its own for each task.
 */
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#include "peers/peer.h"

namespace bench {

namespace {

/* A worker that is handed one task at a time. */
class Worker {
public:
	Worker() : thread_([this] { serve(); }) {}
	~Worker()
	{
		set(STOP);
		thread_.join();
	}

	void trip()
	{
		set(TASK);
		std::unique_lock lock(mutex_);
		changed_.wait(lock, [this] { return state_ == IDLE; });
	}

private:
	enum State { IDLE, TASK, STOP };

	void set(State state)
	{
		{
			std::lock_guard lock(mutex_);
			state_ = state;
		}
		changed_.notify_all();
	}

	void serve()
	{
		std::unique_lock lock(mutex_);
		for (;;) {
			changed_.wait(lock, [this] { return state_ != IDLE; });
			if (state_ == STOP)
				return;
			state_ = IDLE;
			changed_.notify_all();
		}
	}

	std::mutex mutex_;
	std::condition_variable changed_;
	State state_ = IDLE;
	std::thread thread_;
};

} // namespace

void run_standard(const Effort &effort, Round &round)
{
	{
		Worker worker;
		add_trip(effort, round, "condition_variable", "trip",
			 "condition variable: hand over, wait", [&] { worker.trip(); });
	}
	add_trip(effort, round, "std_async", "trip", "std::async, get",
		 [] { std::async(std::launch::async, [] {}).get(); });
	add_trip(effort, round, "std_thread", "trip", "std::thread, join",
		 [] { std::thread([] {}).join(); });
}

} // namespace bench

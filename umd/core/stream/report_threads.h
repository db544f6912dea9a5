// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/sync/bell.h"
#include "base/sync/mutex.h"
#include "umd/core/device/device_state.h"
#include "umd/core/process/process.h"
#include "umd/core/task/host_function.h"

namespace umd {

struct Stream;

/** enum class Scheme - the two API ways in which a program's thread runs functions of streams. */
enum class Scheme { REPORT, HOST_FUNC };

/** struct Delivery - a function that a stream has reached, for a thread of the program. */
struct Delivery {
	void (*fn)(void *) = nullptr;
	void *args = nullptr;
	uint64_t stream = 0; /* handle of the stream */
	/* token for HostCalls::finish(), for which the stream waits; 0: the stream does not wait */
	uint64_t token = 0;
	uint64_t traced = 0; /* as in HostFunction */
	uint64_t blocks = 0; /* value for ThreadState::host_stream while the function runs */
};

/**
 * class ReportThreads - the program's threads that run functions of streams, and their pending functions.
 * Context: any thread.
 */
class ReportThreads {
public:
	static ReportThreads &get() { return Process::own<ReportThreads>(); }

	static constexpr size_t MAX_THREADS = 1024;

	/** subscribe() - from now on @thread, a pthread_t, gets the functions of @stream.
	 * Return: STREAM_SUBSCRIBED, THREAD_SUBSCRIBED for a thread of another device, INTERNAL past
	 * the limit. */
	base::Status subscribe(uint64_t thread, Stream &stream, Scheme scheme);

	/** unsubscribe() - waits for the function of @stream that @thread runs, and drops those not started.
	 * Return: STREAM_SUBSCRIBED if the stream has no thread, THREAD_SUBSCRIBED if it has another. */
	base::Status unsubscribe(uint64_t thread, Stream &stream, Scheme scheme);

	/** subscribed() - whether a thread is subscribed to the functions of the stream. */
	bool subscribed(const Stream &stream, Scheme scheme);

	/** deliver() - hands a function to the stream's thread. Return: false if the stream has none. */
	bool deliver(Scheme scheme, const Delivery &delivery);

	/** process() - the calling thread runs the functions delivered to it.
	 * Return: THREAD_SUBSCRIBED for a thread without streams, REPORT_TIMEOUT if none came,
	 * DEVICE_LOST. */
	base::Status process(Scheme scheme, uint64_t deadline_ns);

	/** drop_stream() - removes a stream that ends; does not wait for a function of it that runs. */
	void drop_stream(const Stream &stream);

private:
	/* A thread in one scheme; under the lock. */
	struct Member {
		uint64_t thread = 0;
		DeviceRef device;
		unsigned streams = 0;
		std::deque<Delivery> pending;
		uint64_t running = 0; /* handle of the stream whose function runs, or 0 */
		base::Bell changed;
	};
	using MemberPtr = std::shared_ptr<Member>;
	using Streams = std::unordered_map<uint64_t, MemberPtr>;
	using Threads = std::map<uint64_t, MemberPtr>;

	base::Result<MemberPtr> join(uint64_t thread, const Stream &stream, Scheme scheme)
		REQUIRES(mutex_);
	std::vector<uint64_t> leave(Scheme scheme, Streams::iterator entry) REQUIRES(mutex_);
	bool await(std::unique_lock<base::Mutex> &lock, Member &member, uint64_t deadline_ns)
		REQUIRES(mutex_);
	void run_all(Member &member) REQUIRES(mutex_);

	Streams &streams_of(Scheme scheme) REQUIRES(mutex_)
	{
		return streams_[static_cast<size_t>(scheme)];
	}
	Threads &threads_of(Scheme scheme) REQUIRES(mutex_)
	{
		return threads_[static_cast<size_t>(scheme)];
	}

	base::Mutex mutex_{"ReportThreads::mutex_"};
	Streams streams_[2] GUARDED_BY(mutex_);
	Threads threads_[2] GUARDED_BY(mutex_);
};

/** hand_over() - as HostCalls::HandOver. */
bool hand_over(const HostFunction &function, uint64_t token);

} // namespace umd

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace umd {

/** enum class CaptureMode - which unsafe calls a capture forbids. The numbers are those of the capture modes
 * of the API. */
enum class CaptureMode { GLOBAL = 0, THREAD_LOCAL = 1, RELAXED = 2 };

/** struct LastTask - the task that a thread captured last. */
struct LastTask {
	uint64_t model = 0; /* handle of the model */
	uint32_t node = 0;
};

/** struct ThreadState - state of one thread. Trivially destructible, so that it stays usable while the thread
 * ends. */
struct ThreadState {
	uint64_t context = 0; /* handle of the current context, 0 = none */
	CaptureMode exchange_mode = CaptureMode::GLOBAL;
	int last_error = 0;
	LastTask last_task;
	/* the thread runs a host function of a stream or a graph */
	bool is_in_host_function = false;
	uint64_t limited_stream = 0; /* handle of the stream whose resource limits it uses, or 0 */
	/* task number of its last launch on a non-default stream */
	uint32_t last_launch = ~uint32_t{0};
	/* If it is not 0, the thread runs a function of the program for a stream. It is the handle of that
	 * stream if the stream waits for the function; otherwise SOME_STREAM, which is no handle. */
	static constexpr uint64_t SOME_STREAM = 1;
	uint64_t host_stream = 0;

	/** mine() - the state of the calling thread. */
	static ThreadState &mine() { return mine_; }

private:
	static thread_local constinit ThreadState mine_;
};

} // namespace umd

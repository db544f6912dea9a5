// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "base/os/shm.h"
#include "base/sync/arming.h"
#include "kernel_job.h"
#include "kernels/abi/worker.h"

namespace fw {

/**
 * class Lanes - the firmware's half of the board that it shares with a worker (kernels/abi/worker.h). The kernels of
 * the client may write each word of the board at any time. So each word is read once, and checked before it is used.
 * Context: under the supervisor's lock, unless it says otherwise.
 */
class Lanes {
public:
	/** init() - creates the board. Return: NO_RESOURCE, NO_MEMORY. */
	base::Status init();

	/** file() - the memfd of the board. kick() - the eventfd by which the worker wakes the firmware. */
	const base::Fd &file() const { return file_; }
	const base::Fd &kick() const { return kick_; }

	/** clear() - resets the board for a new process. Context: there is no process. */
	void clear();

	/** post() - gives the launch of @job to the thread of @lane, and wakes it if it sleeps.
	 * @messages: number of messages that the worker has to handle before. Return: the number of the
	 * launch. */
	uint32_t post(uint32_t lane, const KernelJob &job, uint64_t messages);

	static constexpr uint64_t SHORT_OUTPUT = uint64_t{16} << 10;

	/** has_begun() - whether the kernel of the launch @number has run, as the worker says. */
	bool has_begun(uint32_t lane, uint32_t number) const;

	/** has_ended() - whether launch @number has an answer; copies the answer. */
	bool has_ended(uint32_t lane, uint32_t number, unpu_worker_answer &answer) const;

	/** take_output() - appends the output and the accesses of its blocks to @job. Context: if these are
	 * more than SHORT_OUTPUT, the caller must not hold the step token; the lane has no other launch at
	 * that time. */
	void take_output(uint32_t lane, const unpu_worker_answer &answer, KernelJob &job) const;

	/** place() - where the blocks of the launch @number are; empty if the worker has not reported it. */
	std::string place(uint32_t lane, uint32_t number) const;

	/** printed() - bytes of output that the launch had when it was asked for its place. Context: the process has
	 * ended. */
	uint32_t printed(uint32_t lane, uint32_t number) const;

	/** sentence() - the error message in the answer to a launch. message_sentence() - the error message
	 * in the answer to a message. Context of message_sentence(): the supervisor's thread. */
	std::string sentence(uint32_t lane, const unpu_worker_answer &answer) const;
	std::string message_sentence(const unpu_worker_answer &answer) const;

	/** has_news() - whether a launch may have ended since note(); a hint. Context: any thread. */
	bool has_news() const
	{
		return base::load_relaxed(board().ends) != base::load_relaxed(seen_);
	}

	/** note() - makes has_news() false until the next end. Call it before the lanes are checked. */
	void note() { base::store_relaxed(seen_, base::load_acquire(board().ends)); /* U3 */ }

	/** arm() - asks for a kick at the next end. Return: false if a launch may have ended already.
	 * disarm() - ends that. */
	bool arm();
	void disarm();

	/** drain_kick() - reads the eventfd, so that it is not readable any more. */
	void drain_kick() const;

private:
	unpu_worker_board &board() const { return *board_.as<unpu_worker_board>(); }
	std::byte *at(uint32_t lane) const
	{
		return board_.data() + UNPU_WORKER_LANE_AT +
		       lane * uint64_t{UNPU_WORKER_LANE_BYTES};
	}
	unpu_worker_lane &line(uint32_t lane) const
	{
		return *reinterpret_cast<unpu_worker_lane *>(at(lane));
	}

	base::Fd file_;
	base::Fd kick_;
	base::Mapping board_;
	base::Arming arming_;
	bool is_armed_ = false;
	uint32_t last_ = 0; /* number of the last launch */
	uint32_t seen_ = 0; /* value of the board's count of ends */
};

} // namespace fw

// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/mutex.h"
#include "umd/call_listener.h"
#include "umd/host_function.h"

namespace umd {

/**
 * class HostCalls - runs host functions that streams and graphs call, on a thread of its own that is
 * started by the first one, or hands them to a thread of the program.
 */
class HostCalls {
public:
	/** using HandOver - gives @function to a thread of the program. @token: what the stream waits for,
	 * or 0. Return: false when the stream has no such thread any more. */
	using HandOver = bool (*)(const HostFunction &function, uint64_t token);

	HostCalls(drv::Device &device, HandOver hand_over)
		: device_(device), hand_over_(hand_over), listener_(device, "unpu-callback", 0)
	{
	}

	/** add() - makes a function known. Needs no memory unless more functions than ever before are
	 * known at once.
	 * Return: the number a HOST_CALL packet names. */
	base::Result<uint64_t> add(const HostFunction &function);
	/** remove() - Return: false when it was not known any more. */
	bool remove(uint64_t call);

	/** added() - how many were made known so far, for drop(). */
	uint64_t added();

	/** drop() - functions that @stream was to call once, and will not any more.
	 * @before: as added() told; later ones stay */
	void drop(uint64_t stream, uint64_t before);

	/** known() - how many functions are. */
	size_t known();

	/** finish() - the stream that waits for @token goes on; 0 is nobody's. Context: any thread. */
	void finish(uint64_t token) { listener_.finish(token); }

	/** stop() - as CallListener::stop(). */
	void stop() { listener_.stop(); }

private:
	struct Place {
		HostFunction function;
		bool known;
		uint32_t uses;	 /* so that a number is not used twice */
		uint32_t next;	 /* free place, counted from 1 */
		uint64_t number; /* in the order in which all were added */
	};

	base::Status start();
	void run(uint64_t call, uint64_t cookie, uint64_t token);
	void call_here(const HostFunction &function, uint64_t cookie, uint64_t token);
	Place *find(uint64_t call);
	bool forget(uint64_t call);

	drv::Device &device_;
	const HandOver hand_over_;
	/* The thread for functions starts once, under it. */
	base::Mutex mutex_{"HostCalls::mutex_", base::HeldOver::ANSWERS};
	std::vector<Place> places_; /* a call is a place, counted from 1, and its uses */
	uint32_t free_ = 0;
	uint64_t added_ = 0;
	CallListener listener_;
};

} // namespace umd

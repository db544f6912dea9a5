// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "drv/device.h"

namespace umd {

/**
 * class HostCalls - runs host functions that streams and graphs call, on a thread of its own that is
 * started by the first one.
 */
class HostCalls {
public:
	explicit HostCalls(drv::Device &device) : device_(device) {}
	~HostCalls();

	/** add() - makes @fn known. @permanent: until remove(), for graphs; else it runs once. Needs no
	 * memory unless more functions than ever before are known at once.
	 * Return: the number a HOST_CALL packet names. */
	base::Result<uint64_t> add(void (*fn)(void *), void *args, bool permanent);
	void remove(uint64_t call);

private:
	struct Function {
		void (*fn)(void *);
		void *args;
		bool permanent;
		bool known;
		uint32_t uses; /* of the place, so that a number is not used twice */
		uint32_t next; /* free place, counted from 1 */
	};

	base::Status start();
	void serve();
	void run(uint64_t call);
	Function *find(uint64_t call);
	void forget(uint64_t call);

	drv::Device &device_;
	std::mutex mutex_;
	std::vector<Function> functions_; /* a call is a place, counted from 1, and its uses */
	uint32_t free_ = 0;
	std::unique_ptr<drv::Channel> channel_;
	std::atomic<bool> finished_{false};
	std::thread thread_;
};

} // namespace umd

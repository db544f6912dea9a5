// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <mutex>
#include <thread>
#include <unordered_map>

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

	/** add() - makes @fn known. @permanent: until remove(), for graphs; else it runs once.
	 * Return: the number a HOST_CALL packet names. */
	base::Result<uint64_t> add(void (*fn)(void *), void *args, bool permanent);
	void remove(uint64_t call);

private:
	struct Function {
		void (*fn)(void *);
		void *args;
		bool permanent;
	};

	base::Status start();
	void serve();
	void run(uint64_t call);

	drv::Device &device_;
	std::mutex mutex_;
	std::unordered_map<uint64_t, Function> functions_;
	uint64_t next_ = 1; /* 0 ends the thread */
	std::unique_ptr<drv::Channel> channel_;
	std::atomic<bool> finished_{false};
	std::thread thread_;
};

} // namespace umd

// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core.h"
#include "image.h"
#include "kernels/abi/worker.h"
#include "launch.h"

namespace worker {

/** class Pool - the threads that help the one that handles messages with a launch. They never end. */
class Pool {
public:
	/** start() - @threads: with the caller's. Return: false: the kernel has no thread left. */
	bool start(uint32_t threads);

	/** run() - executes a launch on as many threads as it has use for. */
	void run(Launch &launch);

private:
	void work();

	uint32_t helpers_ = 0;
	std::mutex mutex_;
	std::condition_variable wanted_;
	std::condition_variable left_;
	Launch *launch_ = nullptr;
	uint32_t places_ = 0; /* helpers that may still enter */
	uint32_t inside_ = 0;
};

/** class Session - handles the messages of the firmware. Context: one thread; find_image() and find_memory() any. */
class Session {
public:
	/** run() - until the firmware closes the socket. Return: the process's exit status. */
	int run();

	/** find_image() - see handle_signals(). */
	uint32_t find_image(uint64_t &pc) const;

	/** find_memory() - see struct unpu_kernel_services. */
	bool find_memory(uint64_t address, unpu_kernel_memory_range &range) const;

private:
	struct Mapped {
		uint64_t bytes;
		uint64_t offset; /* of the range before its page */
	};
	struct Message;

	bool handle(Message &message);
	bool hello(Message &message);
	void map(Message &message);
	void unmap(const unpu_worker_message &head);
	void protect(const unpu_worker_message &head);
	bool load(Message &message);
	bool launch(const Message &message);
	bool resolve(const unpu_worker_message &head);
	bool answer(unpu_worker_answer &reply, const std::string &text = {});

	unsigned char *board_ = nullptr;
	Pool pool_;
	CorePool cores_;
	uint64_t launches_ = 0;
	std::map<uint32_t, std::unique_ptr<Image>> images_;
	std::map<uint64_t, Mapped> memory_; /* by device address */
};

/** services() - what images may call. */
const unpu_kernel_services &services();

/** session() - the only one. */
Session &session();

} // namespace worker

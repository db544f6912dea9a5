// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "umd/item_ring.h"

namespace umd {

/** struct OperatorRecord - one run of a task of a model, as it goes through a pipe. */
struct OperatorRecord {
	static constexpr uint32_t MAGIC = 0x75704f72;

	uint32_t magic;
	uint32_t model;
	uint64_t begin_ns; /* since the device started */
	uint64_t end_ns;
	char thread[16]; /* that asked for the execution, as the kernel numbers it */
	char type[72];
	char name[272];
};

/**
 * class OperatorPipe - sends records into a descriptor of the program. Who produces records never
 * waits for who reads them: a thread writes, and what does not fit into the memory meant for it is
 * dropped. Context: any thread.
 */
class OperatorPipe : public std::enable_shared_from_this<OperatorPipe> {
public:
	/* Records that may wait to be written. */
	static constexpr size_t MOST = 65536;

	explicit OperatorPipe(int fd) : fd_(fd) {}

	/** join() - one producer more. Return: INVALID_ARGUMENT once the descriptor is given up,
	 * NO_RESOURCE without a thread; the sentence is set. */
	base::Status join();
	/** leave() - one less. After the last one what is left is written, and the descriptor closed. */
	void leave();

	void push(const std::vector<OperatorRecord> &records);

private:
	void write_all();
	bool take(std::vector<OperatorRecord> &records);

	const int fd_;
	base::Mutex mutex_{"OperatorPipe::mutex_"}; /* protects the following */
	Change changed_;
	std::deque<OperatorRecord> waiting_;
	uint32_t producers_ = 0;
	bool running_ = false; /* the thread */
	bool closed_ = false;
	uint64_t dropped_ = 0;
};

} // namespace umd

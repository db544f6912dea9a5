// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/status.h"
#include "base/sync/bell.h"
#include "base/sync/mutex.h"

namespace umd {

/** struct OperatorRecord - one run of a task of a model, in the form in which it is written to a pipe. */
struct OperatorRecord {
	static constexpr uint32_t MAGIC = 0x75704f72;

	uint32_t magic;
	uint32_t model;
	uint64_t begin_ns; /* time since the device started */
	uint64_t end_ns;
	char thread[16]; /* kernel thread id, as text, of the thread that launched the execution */
	char type[72];
	char name[272];
};

/**
 * class OperatorPipe - sends records to a file descriptor of the program. A producer never waits for the
 * reader: a separate thread writes, and push() drops records beyond MOST. Context: any thread.
 */
class OperatorPipe : public std::enable_shared_from_this<OperatorPipe> {
public:
	/* The most records that may wait to be written. */
	static constexpr size_t MOST = 65536;

	explicit OperatorPipe(int fd) : fd_(fd) {}

	/** join() - adds a producer. Return: INVALID_ARGUMENT if the descriptor was closed already,
	 * NO_RESOURCE if the thread can't start; sets the error message. */
	base::Status join();
	/** leave() - removes a producer. After the last one the thread writes the rest and closes the
	 * descriptor. */
	void leave();

	void push(const std::vector<OperatorRecord> &records);

private:
	void write_all();
	bool take(std::vector<OperatorRecord> &records);

	const int fd_;
	base::Mutex mutex_{"OperatorPipe::mutex_"};
	base::Bell changed_ GUARDED_BY(mutex_);
	std::deque<OperatorRecord> waiting_ GUARDED_BY(mutex_);
	uint32_t producers_ GUARDED_BY(mutex_) = 0;
	bool running_ GUARDED_BY(mutex_) = false; /* the thread is running */
	bool closed_ GUARDED_BY(mutex_) = false;
	uint64_t dropped_ GUARDED_BY(mutex_) = 0;
};

} // namespace umd

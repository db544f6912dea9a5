// SPDX-License-Identifier: MIT
/*
 * DOC: tests in a process of their own
 *
 * Limits, the environment and what the library remembers belong to a process. A test that changes
 * them begins with
 *
 *	if (!alone("memory=64M"))
 *		return;
 *
 * and what follows runs in a new process, where the library was not called before.
 */
#ifndef UNPU_TESTS_CONFORMANCE_CHILD_PROCESS_H
#define UNPU_TESTS_CONFORMANCE_CHILD_PROCESS_H

#include "support/fixture.h"

#include <functional>

namespace conformance {

/*
 * Starts the current test again, with these words at the end of the device string, and waits for it.
 * True in the new process; false in the old one, where its failure is a failure of the test and its
 * skip a skip, with the same reason.
 */
bool alone(const std::string &words = "");

/* The other process of a pair. */
class Peer {
public:
	explicit Peer(int fd) : fd_(fd) {}

	/* The number by which the device knows the peer; an exporter lists it. */
	int32_t pid() const { return pid_; }
	void introduce();

	template <typename T> void send(const T &value) const { send_bytes(&value, sizeof(value)); }

	/* The next value it sent; zeros, and a failure, when it has ended instead. */
	template <typename T> T receive() const
	{
		T value = {};

		EXPECT_TRUE(receive_bytes(&value, sizeof(value))) << "the other process has ended";
		return value;
	}

	/* Both have come to this line. */
	void meet() const
	{
		send('.');
		(void)receive<char>();
	}

	/* Returns when it has ended. */
	void wait_for_its_end() const;

private:
	void send_bytes(const void *from, size_t size) const;
	bool receive_bytes(void *to, size_t size) const;

	int fd_;
	int32_t pid_ = 0;
};

using Half = std::function<void(Peer &)>;

/* Where the two processes of a pair have their devices. */
enum class On { ONE_FIRMWARE, ONE_EACH };

/*
 * Starts the current test again in two processes with a device each, which run a half each; where the
 * device string of this run is not of a shared firmware, one is started for them.
 * @signal: what the first one is to die of; 0 for nothing
 */
void together(const Half &first, const Half &second, int signal = 0, On on = On::ONE_FIRMWARE);

/* The body runs in a fork of this process, and went well if it had no failures. */
testing::AssertionResult in_fork(const std::function<void()> &body);

/* aclInit and device 0; and back. */
void open_device();
void close_device();

/* Memory can be had, and work on it is done right. */
void expect_device_works();

} // namespace conformance

#endif

// SPDX-License-Identifier: MIT
#pragma once

#include <acl/acl.h>

#include <cstddef>

namespace bench {

/** check() - ends the program with the call's sentence unless @status is 0. */
void check(int status, const char *call);

/** struct Client - an ordinary AscendCL program: a device, two streams and a piece of memory. */
struct Client {
	static constexpr size_t SCRATCH_BYTES = 4096;
	/* The bytes that the smallest task fills. */
	static constexpr size_t TASK_BYTES = 32;
	/* Tasks that are queued in one go; a stream's ring holds more. */
	static constexpr unsigned QUEUE_TASKS = 1000;

	aclrtStream first = nullptr;
	aclrtStream second = nullptr;
	void *scratch = nullptr; /* device memory */

	/** open() - initialises AscendCL; ends the program when that fails. */
	void open();
	void close();

	/** task() - queues the smallest task there is. */
	void task(aclrtStream stream) const;
	/** sync() - waits for a stream. */
	static void sync(aclrtStream stream);
};

} // namespace bench

/* CHECK - runs a call of the API, which must succeed. */
#define CHECK(call) ::bench::check((call), #call)

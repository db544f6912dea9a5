// SPDX-License-Identifier: MIT
#pragma once

#include "base/trace/trace_file.h"
#include "base/trace/trace_ring.h"

namespace fw {

/**
 * class Trace - the event trace of a device. While it is off, a trace point costs the test of on().
 * Context: under the step token.
 */
class Trace {
public:
	bool on() const { return is_on_; }

	/** record() - starts recording into an empty ring; 0 entries stop it. Return: NO_MEMORY. */
	base::Status record(uint32_t entries);

	/** add_client() - @client belongs to @pid from now on. Return: its session. */
	uint64_t add_client(uint32_t client, uint32_t pid);

	/** put() - writes an entry. The caller has tested on(). */
	void put(unpu_trace_kind kind, uint32_t client, uint32_t lane, uint64_t cookie,
		 uint32_t object, uint64_t value);

	/** put_job() - records a finished job with the times that @engine noted. */
	void put_job(uint64_t start_ns, uint64_t end_ns, uint64_t cookie, uint32_t engine,
		     uint32_t client);

	/** copy() - adds entries and clients to @out. */
	void copy(base::DeviceTrace &out) const;

private:
	bool is_on_ = false;
	base::TraceRing ring_;
	uint64_t sessions_ = 0;
	std::vector<base::TraceClient> clients_; /* the latest clients */
};

/** struct TraceOf - handle of a client's trace, for parts that do not know the client. */
struct TraceOf {
	Trace *trace;
	uint32_t client;

	void put(unpu_trace_kind kind, uint32_t object, uint64_t value, uint64_t cookie = 0) const
	{
		trace->put(kind, client, 0, cookie, object, value);
	}
};

} // namespace fw

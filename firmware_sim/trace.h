// SPDX-License-Identifier: MIT
#pragma once

#include "base/trace_file.h"
#include "base/trace_ring.h"

namespace fw {

struct Job;

/**
 * class Trace - what a device records of itself. Off, a place that could record asks on() and no
 * more. Context: under the step token.
 */
class Trace {
public:
	bool on() const { return on_; }

	/** record() - into an empty ring; with 0 entries stops. Return: NO_MEMORY. */
	base::Status record(uint32_t entries);

	/** add_client() - @client belongs to @pid from now on. Return: its session. */
	uint64_t add_client(uint32_t client, uint32_t pid);

	/** put() - writes an entry; on() was true. */
	void put(unpu_trace_kind kind, uint32_t client, uint32_t lane, uint64_t cookie,
		 uint32_t object, uint64_t value);

	/** job() - what an engine did, with the times it noted. */
	void job(const Job &job);

	/** copy() - adds entries and clients to @out. */
	void copy(base::DeviceTrace &out) const;

private:
	bool on_ = false;
	base::TraceRing ring_;
	uint64_t sessions_ = 0;
	std::vector<base::TraceClient> clients_; /* the latest */
};

/** struct TraceOf - a client's way to the trace, for parts of it that do not know the client. */
struct TraceOf {
	Trace *trace;
	uint32_t client;

	void put(unpu_trace_kind kind, uint32_t object, uint64_t value) const
	{
		trace->put(kind, client, 0, 0, object, value);
	}
};

} // namespace fw

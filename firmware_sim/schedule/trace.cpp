// SPDX-License-Identifier: MIT
/**
 * DOC: Trace
 *
 * The trace ring of a device. The ring is private memory of the
 * firmware; recorded() copies it out.
 */
#include "trace.h"

#include "base/clock.h"

namespace fw {

using base::Status;

/* Former owners of client numbers that are kept; entries of earlier ones have been overwritten. */
static constexpr size_t MAX_CLIENTS_KEPT = 4096;

Status Trace::record(uint32_t entries)
{
	is_on_ = false;
	if (entries == 0)
		return Status::OK;
	TRY(ring_.init(entries));
	is_on_ = true;
	return Status::OK;
}

uint64_t Trace::add_client(uint32_t client, uint32_t pid)
{
	if (clients_.size() >= MAX_CLIENTS_KEPT)
		clients_.erase(clients_.begin(), clients_.begin() + MAX_CLIENTS_KEPT / 2);
	clients_.push_back({base::now_ns(), ++sessions_, client, pid});
	return sessions_;
}

void Trace::put(unpu_trace_kind kind, uint32_t client, uint32_t lane, uint64_t cookie,
		uint32_t object, uint64_t value)
{
	ring_.put({base::now_ns(), cookie, value, object, static_cast<uint16_t>(lane),
		   static_cast<uint8_t>(client), static_cast<uint8_t>(kind)});
}

void Trace::put_job(uint64_t start_ns, uint64_t end_ns, uint64_t cookie, uint32_t engine,
		    uint32_t client)
{
	ring_.put({start_ns, cookie, end_ns - start_ns, 0, static_cast<uint16_t>(engine),
		   static_cast<uint8_t>(client), UNPU_TRACE_JOB});
}

void Trace::copy(base::DeviceTrace &out) const
{
	out.overwritten = ring_.copy(out.entries);
	out.clients = clients_;
}

} // namespace fw

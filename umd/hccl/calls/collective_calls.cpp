// SPDX-License-Identifier: MIT
/**
 * DOC: Collective calls
 *
 * The calls that reduce, gather and broadcast data. Each call checks its arguments, records which of them
 * must be equal on all ranks, and submits its schedule.
 */
#include <cstring>
#include <numeric>

#include <fmt/format.h>

#include "hccl/hccl.h"
#include "umd/hccl/hccl_result.h"
#include "umd/hccl/schedule/operation.h"
#include "umd/hccl/schedule/schedules.h"

using umd::CallNote;
using umd::Collective;
using umd::Emitter;
using umd::Operation;
using umd::Parts;
using umd::Reduction;
using umd::refuse;

static uint64_t address_of(const void *pointer)
{
	return reinterpret_cast<uint64_t>(pointer);
}

static CallNote note_of(Collective call, HcclDataType type, uint64_t count)
{
	CallNote note;
	note.call = static_cast<uint64_t>(call);
	note.type = static_cast<uint64_t>(type);
	note.count = count;
	return note;
}

/* struct Reducing - arguments of the calls that reduce. */
struct Reducing {
	const void *send;
	uint64_t send_count;
	const void *receive;
	uint64_t receive_count; /* elements of the result; 0 if this rank gets none */
	HcclDataType type;
	HcclReduceOp op;
};

static HcclResult check_reduction(Operation &call, const Reducing &from, Reduction &what)
{
	TRY(call.check_type("dataType", from.type, what.element_bytes));
	TRY(umd::find_combine(from.type, from.op, what.how));
	TRY(call.check_buffer("sendBuf", from.send, from.send_count, what.element_bytes,
			      UNPU_ACCESS_READ));
	TRY(call.check_buffer("recvBuf", from.receive, from.receive_count, what.element_bytes,
			      UNPU_ACCESS_WRITE));
	what.send = address_of(from.send);
	what.receive = address_of(from.receive);
	return HCCL_SUCCESS;
}

HcclResult HcclAllReduce(void *sendBuf, void *recvBuf, uint64_t count, HcclDataType dataType,
			 HcclReduceOp op, HcclComm comm, aclrtStream stream)
{
	Operation call;
	Reduction what;
	TRY(call.begin(Collective::ALL_REDUCE, comm, stream));
	TRY(check_reduction(call, {sendBuf, count, recvBuf, count, dataType, op}, what));
	CallNote note = note_of(Collective::ALL_REDUCE, dataType, count);
	note.op = static_cast<uint64_t>(op);
	return call.collect(
		note, [&](Emitter &emitter) { return emit_all_reduce(emitter, what, count); });
}

HcclResult HcclReduce(void *sendBuf, void *recvBuf, uint64_t count, HcclDataType dataType,
		      HcclReduceOp op, uint32_t root, HcclComm comm, aclrtStream stream)
{
	Operation call;
	Reduction what;
	TRY(call.begin(Collective::REDUCE, comm, stream));
	TRY(call.check_root("root", root));
	const uint64_t result = root == call.rank() ? count : 0;
	TRY(check_reduction(call, {sendBuf, count, recvBuf, result, dataType, op}, what));
	CallNote note = note_of(Collective::REDUCE, dataType, count);
	note.op = static_cast<uint64_t>(op);
	note.root = root;
	return call.collect(
		note, [&](Emitter &emitter) { return emit_reduce(emitter, what, count, root); });
}

HcclResult HcclBroadcast(void *buf, uint64_t count, HcclDataType dataType, uint32_t root,
			 HcclComm comm, aclrtStream stream)
{
	Operation call;
	uint64_t size;
	TRY(call.begin(Collective::BROADCAST, comm, stream));
	TRY(call.check_root("root", root));
	TRY(call.check_type("dataType", dataType, size));
	TRY(call.check_buffer("buf", buf, count, size,
			      root == call.rank() ? UNPU_ACCESS_READ : UNPU_ACCESS_WRITE));
	CallNote note = note_of(Collective::BROADCAST, dataType, count);
	note.root = root;
	return call.collect(note, [&](Emitter &emitter) {
		return emit_broadcast(emitter, address_of(buf), count * size, root);
	});
}

HcclResult HcclAllGather(void *sendBuf, void *recvBuf, uint64_t sendCount, HcclDataType dataType,
			 HcclComm comm, aclrtStream stream)
{
	Operation call;
	uint64_t size;
	TRY(call.begin(Collective::ALL_GATHER, comm, stream));
	TRY(call.check_type("dataType", dataType, size));
	TRY(call.check_buffer("sendBuf", sendBuf, sendCount, size, UNPU_ACCESS_READ));
	TRY(call.check_buffer("recvBuf", recvBuf, sendCount, size * call.ranks(),
			      UNPU_ACCESS_WRITE));
	const Parts parts = umd::equal_parts(call.ranks(), sendCount);
	return call.collect(note_of(Collective::ALL_GATHER, dataType, sendCount),
			    [&](Emitter &emitter) {
				    return emit_all_gather(emitter, size, address_of(sendBuf),
							   address_of(recvBuf), parts);
			    });
}

HcclResult HcclReduceScatter(void *sendBuf, void *recvBuf, uint64_t recvCount,
			     HcclDataType dataType, HcclReduceOp op, HcclComm comm,
			     aclrtStream stream)
{
	Operation call;
	Reduction what;
	TRY(call.begin(Collective::REDUCE_SCATTER, comm, stream));
	if (recvCount > UINT64_MAX / call.ranks())
		return refuse(HCCL_E_PARA,
			      fmt::format("recvCount is {}, which is too much", recvCount));
	TRY(check_reduction(
		call, {sendBuf, recvCount * call.ranks(), recvBuf, recvCount, dataType, op}, what));
	const Parts parts = umd::equal_parts(call.ranks(), recvCount);
	CallNote note = note_of(Collective::REDUCE_SCATTER, dataType, recvCount);
	note.op = static_cast<uint64_t>(op);
	return call.collect(
		note, [&](Emitter &emitter) { return emit_reduce_scatter(emitter, what, parts); });
}

/* Reads the arrays of a call that has one count for each rank. @own: the separate count argument of this
 * rank */
static HcclResult read_parts(const Operation &call, const char *name, const void *counts,
			     const void *offsets, uint64_t own, Parts &parts)
{
	if (!counts || !offsets)
		return umd::refuse_null(counts ? "the array of displacements"
					       : "the array of counts");
	parts.counts.resize(call.ranks());
	parts.offsets.resize(call.ranks());
	memcpy(parts.counts.data(), counts, call.ranks() * sizeof(uint64_t));
	memcpy(parts.offsets.data(), offsets, call.ranks() * sizeof(uint64_t));
	if (parts.counts[call.rank()] != own)
		return refuse(
			HCCL_E_PARA,
			fmt::format("{} is {}, and the counts say {} for this rank, number {}",
				    name, own, parts.counts[call.rank()], call.rank()));
	for (uint32_t rank = 0; rank < call.ranks(); rank++) {
		if (parts.counts[rank] > INT64_MAX || parts.offsets[rank] > INT64_MAX)
			return refuse(
				HCCL_E_PARA,
				fmt::format("rank {} has {} elements from {} on, which is too much",
					    rank, parts.counts[rank], parts.offsets[rank]));
	}
	return HCCL_SUCCESS;
}

/* Number of elements from the start of the buffer to the end of its last part. */
static uint64_t extent_of(const Parts &parts)
{
	uint64_t extent = 0;
	for (size_t i = 0; i < parts.counts.size(); i++) {
		if (parts.counts[i] != 0)
			extent = std::max(extent, parts.offsets[i] + parts.counts[i]);
	}
	return extent;
}

/* Records that the operation uses the parts, but not the bytes between them. */
static void note_parts(Operation &call, const void *buffer, const Parts &parts, uint64_t bytes,
		       uint32_t access)
{
	for (size_t i = 0; i < parts.counts.size(); i++)
		call.note_use(address_of(buffer) + parts.offsets[i] * bytes,
			      parts.counts[i] * bytes, access);
}

static uint64_t digest_of(const std::vector<uint64_t> &counts)
{
	uint64_t digest = 0xcbf29ce484222325ull;
	for (uint64_t count : counts)
		digest = (digest ^ count) * 0x100000001b3ull;
	return digest;
}

HcclResult HcclAllGatherV(void *sendBuf, uint64_t sendCount, void *recvBuf, const void *recvCounts,
			  const void *recvDispls, HcclDataType dataType, HcclComm comm,
			  aclrtStream stream)
{
	Operation call;
	Parts parts;
	uint64_t size;
	TRY(call.begin(Collective::ALL_GATHER_V, comm, stream));
	TRY(call.check_type("dataType", dataType, size));
	TRY(read_parts(call, "sendCount", recvCounts, recvDispls, sendCount, parts));
	TRY(call.check_buffer("sendBuf", sendBuf, sendCount, size, UNPU_ACCESS_READ));
	TRY(call.check_extent("recvBuf", recvBuf, extent_of(parts), size, UNPU_ACCESS_WRITE));
	note_parts(call, recvBuf, parts, size, UNPU_ACCESS_WRITE);
	CallNote note =
		note_of(Collective::ALL_GATHER_V, dataType,
			std::accumulate(parts.counts.begin(), parts.counts.end(), uint64_t{0}));
	note.digest = digest_of(parts.counts);
	return call.collect(note, [&](Emitter &emitter) {
		return emit_all_gather(emitter, size, address_of(sendBuf), address_of(recvBuf),
				       parts);
	});
}

HcclResult HcclReduceScatterV(void *sendBuf, const void *sendCounts, const void *sendDispls,
			      void *recvBuf, uint64_t recvCount, HcclDataType dataType,
			      HcclReduceOp op, HcclComm comm, aclrtStream stream)
{
	Operation call;
	Reduction what;
	Parts parts;
	TRY(call.begin(Collective::REDUCE_SCATTER_V, comm, stream));
	TRY(read_parts(call, "recvCount", sendCounts, sendDispls, recvCount, parts));
	TRY(check_reduction(call, {sendBuf, 0, recvBuf, recvCount, dataType, op}, what));
	TRY(call.check_extent("sendBuf", sendBuf, extent_of(parts), what.element_bytes,
			      UNPU_ACCESS_READ));
	note_parts(call, sendBuf, parts, what.element_bytes, UNPU_ACCESS_READ);
	CallNote note =
		note_of(Collective::REDUCE_SCATTER_V, dataType,
			std::accumulate(parts.counts.begin(), parts.counts.end(), uint64_t{0}));
	note.op = static_cast<uint64_t>(op);
	note.digest = digest_of(parts.counts);
	return call.collect(
		note, [&](Emitter &emitter) { return emit_reduce_scatter(emitter, what, parts); });
}

HcclResult HcclBarrier(HcclComm comm, aclrtStream stream)
{
	Operation call;
	TRY(call.begin(Collective::BARRIER, comm, stream));
	return call.collect(note_of(Collective::BARRIER, HCCL_DATA_TYPE_INT8, 0),
			    [](Emitter &emitter) { return emit_barrier(emitter); });
}

// SPDX-License-Identifier: MIT
/**
 * DOC: Calls made of messages
 *
 * Sends, receives and batches, and the collective calls in which each pair of ranks has data of its own. A group
 * keeps the sends and receives of a thread until its end, and submits those of one communicator and stream together.
 */
#include <algorithm>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "hccl/hccl.h"
#include "umd/hccl/hccl_result.h"
#include "umd/hccl/schedule/emitter.h"
#include "umd/hccl/schedule/operation.h"

using umd::CallNote;
using umd::Collective;
using umd::Emitter;
using umd::Message;
using umd::Operation;
using umd::refuse;

/* struct Pending - a message that a group keeps. */
struct Pending {
	HcclComm comm;
	aclrtStream stream;
	Message message;
};

/* struct Group - the open group of a thread (HcclGroupStart). */
struct Group {
	uint32_t depth = 0;
	std::vector<Pending> pending;
};

static thread_local constinit Group *thread_group = nullptr;

/* struct Part - one rank's part of a buffer, in elements. */
struct Part {
	uint64_t offset;
	uint64_t count;
};

static CallNote message_note(Collective call, HcclDataType type, uint64_t count)
{
	CallNote note;
	note.call = static_cast<uint64_t>(call);
	note.type = static_cast<uint64_t>(type);
	note.count = count;
	return note;
}

static HcclResult make_message(const Operation &call, const HcclSendRecvItem &item,
			       const char *rank_name, Message &message)
{
	uint64_t size;
	const bool is_send = item.sendRecvType == HCCL_SEND;
	TRY(call.check_root(rank_name, item.remoteRank));
	TRY(call.check_type("dataType", item.dataType, size));
	TRY(call.check_extent(is_send ? "sendBuf" : "recvBuf", item.buf, item.count, size,
			      is_send ? UNPU_ACCESS_READ : UNPU_ACCESS_WRITE));
	message.rank = item.remoteRank;
	message.is_send = is_send;
	message.address = reinterpret_cast<uint64_t>(item.buf);
	message.bytes = item.count * size;
	message.note = message_note(Collective::SEND, item.dataType, item.count);
	return HCCL_SUCCESS;
}

static HcclResult refuse_twice(const Message &message)
{
	return refuse(HCCL_E_PARA, fmt::format("two messages {} rank {} are in one batch; one is "
					       "allowed, so make two batches",
					       message.is_send ? "to" : "from", message.rank));
}

/* Removes from @messages those that a rank sends to itself. The caller turns them into copies. */
static HcclResult take_own(const Operation &call, std::vector<Message> &messages, Message &own_send,
			   Message &own_receive)
{
	for (size_t i = 0; i < messages.size(); i++) {
		for (size_t j = 0; j < i; j++) {
			if (messages[i].rank == messages[j].rank &&
			    messages[i].is_send == messages[j].is_send)
				return refuse_twice(messages[i]);
		}
		if (messages[i].rank == call.rank())
			(messages[i].is_send ? own_send : own_receive) = messages[i];
	}
	std::erase_if(messages,
		      [&](const Message &message) { return message.rank == call.rank(); });
	if (own_send.bytes != own_receive.bytes)
		return refuse(HCCL_E_PARA,
			      fmt::format("rank {} sends itself {} bytes and receives {} in one "
					  "batch; give both one count",
					  call.rank(), own_send.bytes, own_receive.bytes));
	return HCCL_SUCCESS;
}

static HcclResult submit_batch(Operation &call, std::vector<Message> messages)
{
	Message own_send;
	Message own_receive;
	for (const Message &message : messages)
		call.note_use(message.address, message.bytes,
			      message.is_send ? UNPU_ACCESS_READ : UNPU_ACCESS_WRITE);
	TRY(take_own(call, messages, own_send, own_receive));
	const auto copy_own = [&](Emitter &emitter) {
		return emitter.copy(own_receive.address, own_send.address, own_send.bytes);
	};
	return call.exchange(copy_own, messages);
}

static HcclResult submit_or_keep(Operation &call, const Message &message, HcclComm comm,
				 aclrtStream stream)
{
	if (thread_group) {
		thread_group->pending.push_back({comm, stream, message});
		return HCCL_SUCCESS;
	}
	if (message.rank == call.rank())
		return refuse(
			HCCL_E_PARA,
			fmt::format(
				"rank {} is this one; a rank sends to itself in a group or batch",
				message.rank));
	return submit_batch(call, {message});
}

HcclResult HcclSend(void *sendBuf, uint64_t count, HcclDataType dataType, uint32_t destRank,
		    HcclComm comm, aclrtStream stream)
{
	Operation call;
	Message message;
	TRY(call.begin(Collective::SEND, comm, stream));
	TRY(make_message(call, {HCCL_SEND, sendBuf, count, dataType, destRank}, "destRank",
			 message));
	return submit_or_keep(call, message, comm, stream);
}

HcclResult HcclRecv(void *recvBuf, uint64_t count, HcclDataType dataType, uint32_t srcRank,
		    HcclComm comm, aclrtStream stream)
{
	Operation call;
	Message message;
	TRY(call.begin(Collective::RECV, comm, stream));
	TRY(make_message(call, {HCCL_RECV, recvBuf, count, dataType, srcRank}, "srcRank", message));
	return submit_or_keep(call, message, comm, stream);
}

HcclResult HcclBatchSendRecv(HcclSendRecvItem *sendRecvInfo, uint32_t itemNum, HcclComm comm,
			     aclrtStream stream)
{
	Operation call;
	std::vector<Message> messages(itemNum);
	TRY(call.begin(Collective::BATCH, comm, stream));
	if (!sendRecvInfo)
		return umd::refuse_null("sendRecvInfo");
	for (uint32_t i = 0; i < itemNum; i++) {
		const HcclSendRecvItem &item = sendRecvInfo[i];
		if (item.sendRecvType != HCCL_SEND && item.sendRecvType != HCCL_RECV)
			return refuse(HCCL_E_PARA,
				      fmt::format("sendRecvInfo[{}].sendRecvType is {}; it must be "
						  "HCCL_SEND (0) or HCCL_RECV (1)",
						  i, static_cast<int>(item.sendRecvType)));
		TRY(make_message(call, item, "remoteRank", messages[i]));
	}
	return submit_batch(call, std::move(messages));
}

HcclResult HcclGroupStart()
{
	if (!thread_group)
		thread_group = new Group;
	thread_group->depth++;
	return HCCL_SUCCESS;
}

/* Submits the messages of @pending that are for the same communicator and stream as the first one. */
static HcclResult submit_first(std::vector<Pending> &pending)
{
	const Pending first = pending.front();
	const auto is_same = [&](const Pending &each) {
		return each.comm == first.comm && each.stream == first.stream;
	};
	std::vector<Message> messages;
	for (const Pending &each : pending) {
		if (is_same(each))
			messages.push_back(each.message);
	}
	std::erase_if(pending, is_same);
	Operation call;
	TRY(call.begin(Collective::BATCH, first.comm, first.stream));
	return submit_batch(call, std::move(messages));
}

HcclResult HcclGroupEnd()
{
	if (!thread_group)
		return refuse(HCCL_E_PARA, "no group was begun by HcclGroupStart; call it first");
	if (--thread_group->depth != 0)
		return HCCL_SUCCESS;
	std::vector<Pending> pending = std::move(thread_group->pending);
	delete thread_group;
	thread_group = nullptr;
	HcclResult first = HCCL_SUCCESS;
	while (!pending.empty()) {
		const HcclResult result = submit_first(pending);
		first = first == HCCL_SUCCESS ? result : first;
	}
	return first;
}

/* struct Exchange - arguments of the calls in which each pair of ranks has data of its own. */
struct Exchange {
	const void *send;
	std::vector<Part> sends; /* indexed by rank; empty if this rank sends nothing */
	const void *receive;
	std::vector<Part> receives; /* indexed by rank; empty if this rank receives nothing */
	HcclDataType type;
};

static HcclResult check_parts(Operation &call, const char *name, const void *buffer,
			      const std::vector<Part> &parts, uint64_t size, uint32_t access)
{
	uint64_t extent = 0;
	for (const Part &part : parts) {
		if (part.count > INT64_MAX || part.offset > INT64_MAX)
			return refuse(HCCL_E_PARA,
				      fmt::format("{}: {} elements from {} on are too much", name,
						  part.count, part.offset));
		extent = part.count == 0 ? extent : std::max(extent, part.offset + part.count);
	}
	TRY(call.check_extent(name, buffer, extent, size, access));
	for (const Part &part : parts)
		call.note_use(reinterpret_cast<uint64_t>(buffer) + part.offset * size,
			      part.count * size, access);
	return HCCL_SUCCESS;
}

static void add_messages(const Operation &call, const CallNote &of, const void *buffer,
			 const std::vector<Part> &parts, bool is_send, uint64_t size,
			 std::vector<Message> &messages)
{
	for (uint32_t rank = 0; rank < parts.size(); rank++) {
		if (rank == call.rank())
			continue;
		Message message;
		message.rank = rank;
		message.is_send = is_send;
		message.address = reinterpret_cast<uint64_t>(buffer) + parts[rank].offset * size;
		message.bytes = parts[rank].count * size;
		message.note = of;
		message.note.count = parts[rank].count;
		messages.push_back(message);
	}
}

static HcclResult submit_exchange(Operation &call, const CallNote &note, const Exchange &what)
{
	uint64_t size;
	TRY(call.check_type("dataType", what.type, size));
	TRY(check_parts(call, "sendBuf", what.send, what.sends, size, UNPU_ACCESS_READ));
	TRY(check_parts(call, "recvBuf", what.receive, what.receives, size, UNPU_ACCESS_WRITE));
	std::vector<Message> messages;
	add_messages(call, note, what.send, what.sends, true, size, messages);
	add_messages(call, note, what.receive, what.receives, false, size, messages);
	const uint32_t rank = call.rank();
	const bool has_own = !what.sends.empty() && !what.receives.empty();
	if (has_own && what.sends[rank].count != what.receives[rank].count)
		return refuse(HCCL_E_PARA,
			      fmt::format("rank {} sends itself {} elements and receives {}; give "
					  "both one count",
					  rank, what.sends[rank].count, what.receives[rank].count));
	const auto copy_own = [&](Emitter &emitter) {
		if (!has_own)
			return base::Status::OK;
		return emitter.copy(reinterpret_cast<uint64_t>(what.receive) +
					    what.receives[rank].offset * size,
				    reinterpret_cast<uint64_t>(what.send) +
					    what.sends[rank].offset * size,
				    what.sends[rank].count * size);
	};
	return call.collect(note, copy_own, messages);
}

static std::vector<Part> equal_row(uint32_t ranks, uint64_t count)
{
	std::vector<Part> parts;
	for (uint32_t rank = 0; rank < ranks; rank++)
		parts.push_back({rank * count, count});
	return parts;
}

static std::vector<Part> read_row(uint32_t ranks, const void *counts, const void *offsets)
{
	std::vector<Part> parts(ranks);
	for (uint32_t rank = 0; rank < ranks; rank++) {
		memcpy(&parts[rank].count, static_cast<const uint64_t *>(counts) + rank,
		       sizeof(uint64_t));
		memcpy(&parts[rank].offset, static_cast<const uint64_t *>(offsets) + rank,
		       sizeof(uint64_t));
	}
	return parts;
}

static HcclResult check_types(HcclDataType send, HcclDataType receive)
{
	if (send == receive)
		return HCCL_SUCCESS;
	return refuse(HCCL_E_PARA,
		      fmt::format("sendType is {} and recvType {}; both must be the same",
				  umd::type_name(send), umd::type_name(receive)));
}

HcclResult HcclScatter(void *sendBuf, void *recvBuf, uint64_t recvCount, HcclDataType dataType,
		       uint32_t root, HcclComm comm, aclrtStream stream)
{
	Operation call;
	TRY(call.begin(Collective::SCATTER, comm, stream));
	TRY(call.check_root("root", root));
	Exchange what{sendBuf, {}, recvBuf, {}, dataType};
	const uint32_t ranks = call.ranks();
	if (call.rank() == root) {
		what.sends = equal_row(ranks, recvCount);
		/* This rank receives only its own part. */
		what.receives.assign(ranks, Part{0, 0});
		what.receives[root].count = recvCount;
	} else {
		what.sends.assign(ranks, Part{0, 0});
		what.receives.assign(ranks, Part{0, 0});
		what.receives[root].count = recvCount;
	}
	CallNote note = message_note(Collective::SCATTER, dataType, recvCount);
	note.root = root;
	return submit_exchange(call, note, what);
}

HcclResult HcclAlltoAll(const void *sendBuf, uint64_t sendCount, HcclDataType sendType,
			const void *recvBuf, uint64_t recvCount, HcclDataType recvType,
			HcclComm comm, aclrtStream stream)
{
	Operation call;
	TRY(call.begin(Collective::ALL_TO_ALL, comm, stream));
	TRY(check_types(sendType, recvType));
	if (sendCount != recvCount)
		return refuse(HCCL_E_PARA,
			      fmt::format("sendCount is {} and recvCount {}; both must be the same",
					  sendCount, recvCount));
	return submit_exchange(call, message_note(Collective::ALL_TO_ALL, sendType, sendCount),
			       {sendBuf, equal_row(call.ranks(), sendCount), recvBuf,
				equal_row(call.ranks(), recvCount), sendType});
}

HcclResult HcclAlltoAllV(const void *sendBuf, const void *sendCounts, const void *sdispls,
			 HcclDataType sendType, const void *recvBuf, const void *recvCounts,
			 const void *rdispls, HcclDataType recvType, HcclComm comm,
			 aclrtStream stream)
{
	Operation call;
	TRY(call.begin(Collective::ALL_TO_ALL_V, comm, stream));
	TRY(check_types(sendType, recvType));
	for (const auto &[name, array] :
	     {std::pair("sendCounts", sendCounts), std::pair("sdispls", sdispls),
	      std::pair("recvCounts", recvCounts), std::pair("rdispls", rdispls)}) {
		if (!array)
			return umd::refuse_null(name);
	}
	return submit_exchange(call, message_note(Collective::ALL_TO_ALL_V, sendType, 0),
			       {sendBuf, read_row(call.ranks(), sendCounts, sdispls), recvBuf,
				read_row(call.ranks(), recvCounts, rdispls), sendType});
}

HcclResult HcclAlltoAllVC(const void *sendBuf, const void *sendCountMatrix, HcclDataType sendType,
			  const void *recvBuf, HcclDataType recvType, HcclComm comm,
			  aclrtStream stream)
{
	Operation call;
	TRY(call.begin(Collective::ALL_TO_ALL_VC, comm, stream));
	TRY(check_types(sendType, recvType));
	if (!sendCountMatrix)
		return umd::refuse_null("sendCountMatrix");
	const uint32_t ranks = call.ranks();
	std::vector<uint64_t> counts(ranks * ranks);
	memcpy(counts.data(), sendCountMatrix, counts.size() * sizeof(uint64_t));
	Exchange what{sendBuf, {}, recvBuf, {}, sendType};
	Part send{0, 0};
	Part receive{0, 0};
	for (uint32_t other = 0; other < ranks; other++) {
		send = {send.offset + send.count, counts[call.rank() * ranks + other]};
		receive = {receive.offset + receive.count, counts[other * ranks + call.rank()]};
		what.sends.push_back(send);
		what.receives.push_back(receive);
	}
	return submit_exchange(call, message_note(Collective::ALL_TO_ALL_VC, sendType, 0), what);
}

// SPDX-License-Identifier: MIT
/**
 * DOC: one rank of the rounds
 */
#include "player.h"

#include <algorithm>
#include <stdexcept>

namespace hccl_mixed {

void check(int code, const char *call)
{
	if (code == 0)
		return;
	const char *text = aclGetRecentErrMsg();
	throw std::runtime_error(std::string(call) + " returned " + std::to_string(code) + ": " +
				 (text ? text : ""));
}

/* Of a receive buffer: what no call has written. */
static constexpr int32_t UNTOUCHED = -77777;
/* Elements behind what a call has to write, which stay untouched. */
static constexpr uint64_t GAP = 64;
static constexpr uint64_t BYTES = (MOST + GAP) * sizeof(int32_t);
static constexpr HcclDataType TYPE = HCCL_DATA_TYPE_INT32;

Player::Player(uint32_t ranks, uint32_t rank, int32_t device, const HcclRootInfo &info)
	: rank_(rank), device_(device), members_(make_comms(ranks)), comms_(members_.size())
{
	CHECK(aclrtSetDevice(device));
	CHECK(HcclCommInitRootInfo(ranks, &info, rank, comms_.data()));
	for (size_t i = 1; i < members_.size(); i++)
		make_sub(members_[i], i);
	for (uint32_t i = 1; i < STREAMS; i++)
		CHECK(aclrtCreateStream(&streams_[i]));
}

Player::~Player()
{
	for (const Buffers &each : buffers_) {
		(void)aclrtFree(each.send);
		(void)aclrtFree(each.receive);
	}
	for (uint32_t i = 1; i < STREAMS; i++)
		(void)aclrtDestroyStream(streams_[i]);
}

void Player::end()
{
	for (HcclComm comm : comms_) {
		if (comm)
			CHECK(HcclCommDestroy(comm));
	}
}

void Player::make_sub(const Members &members, uint64_t number)
{
	const auto place = std::find(members.begin(), members.end(), rank_);
	if (place == members.end())
		return;
	Members ids = members;
	CHECK(HcclCreateSubCommConfig(comms_.data(), static_cast<uint32_t>(ids.size()), ids.data(),
				      number, static_cast<uint32_t>(place - members.begin()),
				      nullptr, &comms_[number]));
}

uint32_t Player::ranks_of(const Call &call) const
{
	return static_cast<uint32_t>(members_[call.comm].size());
}

uint32_t Player::rank_in(const Call &call) const
{
	const Members &members = members_[call.comm];
	return static_cast<uint32_t>(std::find(members.begin(), members.end(), rank_) -
				     members.begin());
}

bool Player::takes_part(const Call &call) const
{
	const uint32_t rank = rank_in(call);
	const bool is_end = call.kind != Kind::SEND || rank == call.root ||
			    rank == (call.root + 1) % ranks_of(call);
	return rank < ranks_of(call) && is_end;
}

void Player::prepare(const Call &call, uint32_t number)
{
	while (buffers_.size() <= number) {
		Buffers &made = buffers_.emplace_back();
		CHECK(aclrtMalloc(&made.send, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
		CHECK(aclrtMalloc(&made.receive, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
	}
	if (!takes_part(call))
		return;
	const std::vector<int32_t> send = sent_data(call, ranks_of(call), rank_in(call));
	/* A broadcast has one buffer. */
	const std::vector<int32_t> receive(
		wanted_data(call, ranks_of(call), rank_in(call)).size() + GAP, UNTOUCHED);
	if (!send.empty())
		CHECK(aclrtMemcpy(buffers_[number].send, BYTES, send.data(), send.size() * 4,
				  ACL_MEMCPY_HOST_TO_DEVICE));
	CHECK(aclrtMemcpy(buffers_[number].receive, BYTES, receive.data(), receive.size() * 4,
			  ACL_MEMCPY_HOST_TO_DEVICE));
}

void Player::submit_messages(const Call &call, const Buffers &at)
{
	const uint32_t ranks = ranks_of(call);
	const uint32_t rank = rank_in(call);
	const HcclComm comm = comms_[call.comm];
	const aclrtStream stream = streams_[call.streams[rank_]];
	if (call.kind == Kind::SEND) {
		const uint32_t to = (call.root + 1) % ranks;
		if (rank == call.root)
			CHECK(HcclSend(at.send, call.count, TYPE, to, comm, stream));
		else
			CHECK(HcclRecv(at.receive, call.count, TYPE, call.root, comm, stream));
		return;
	}
	const uint32_t to = (rank + call.root) % ranks;
	const uint32_t from = (rank + ranks - call.root) % ranks;
	if (call.kind == Kind::BATCH) {
		HcclSendRecvItem items[] = {{HCCL_SEND, at.send, call.count, TYPE, to},
					    {HCCL_RECV, at.receive, call.count, TYPE, from}};
		CHECK(HcclBatchSendRecv(items, 2, comm, stream));
		return;
	}
	CHECK(HcclGroupStart());
	CHECK(HcclSend(at.send, call.count, TYPE, to, comm, stream));
	CHECK(HcclRecv(at.receive, call.count, TYPE, from, comm, streams_[call.others[rank_]]));
	CHECK(HcclGroupEnd());
}

/* What is before each of these parts. */
static std::vector<uint64_t> offsets_of(const std::vector<uint64_t> &counts)
{
	std::vector<uint64_t> offsets;
	uint64_t all = 0;
	for (const uint64_t count : counts) {
		offsets.push_back(all);
		all += count;
	}
	return offsets;
}

void Player::submit_vector(const Call &call, const Buffers &at, aclrtStream stream)
{
	const uint32_t ranks = ranks_of(call);
	const uint32_t rank = rank_in(call);
	const HcclComm comm = comms_[call.comm];
	if (call.kind == Kind::ALL_TO_ALL_V) {
		std::vector<uint64_t> out, in;
		for (uint32_t other = 0; other < ranks; other++) {
			out.push_back(call.counts[rank * ranks + other]);
			in.push_back(call.counts[other * ranks + rank]);
		}
		CHECK(HcclAlltoAllV(at.send, out.data(), offsets_of(out).data(), TYPE, at.receive,
				    in.data(), offsets_of(in).data(), TYPE, comm, stream));
		return;
	}
	const std::vector<uint64_t> offsets = offsets_of(call.counts);
	if (call.kind == Kind::ALL_GATHER_V)
		CHECK(HcclAllGatherV(at.send, call.counts[rank], at.receive, call.counts.data(),
				     offsets.data(), TYPE, comm, stream));
	else
		CHECK(HcclReduceScatterV(at.send, call.counts.data(), offsets.data(), at.receive,
					 call.counts[rank], TYPE,
					 static_cast<HcclReduceOp>(call.op), comm, stream));
}

void Player::submit_collective(const Call &call, const Buffers &at, aclrtStream stream)
{
	const HcclComm comm = comms_[call.comm];
	const auto op = static_cast<HcclReduceOp>(call.op);
	switch (call.kind) {
	case Kind::ALL_REDUCE:
		CHECK(HcclAllReduce(at.send, at.receive, call.count, TYPE, op, comm, stream));
		break;
	case Kind::REDUCE:
		CHECK(HcclReduce(at.send, at.receive, call.count, TYPE, op, call.root, comm,
				 stream));
		break;
	case Kind::BROADCAST:
		CHECK(HcclBroadcast(rank_in(call) == call.root ? at.send : at.receive, call.count,
				    TYPE, call.root, comm, stream));
		break;
	case Kind::ALL_GATHER:
		CHECK(HcclAllGather(at.send, at.receive, call.count, TYPE, comm, stream));
		break;
	case Kind::REDUCE_SCATTER:
		CHECK(HcclReduceScatter(at.send, at.receive, call.count, TYPE, op, comm, stream));
		break;
	case Kind::SCATTER:
		CHECK(HcclScatter(at.send, at.receive, call.count, TYPE, call.root, comm, stream));
		break;
	case Kind::ALL_TO_ALL:
		CHECK(HcclAlltoAll(at.send, call.count, TYPE, at.receive, call.count, TYPE, comm,
				   stream));
		break;
	case Kind::BARRIER:
		CHECK(HcclBarrier(comm, stream));
		break;
	default:
		submit_vector(call, at, stream);
		break;
	}
}

void Player::submit(const Call &call, uint32_t number)
{
	if (call.kind == Kind::SEND || call.kind == Kind::BATCH || call.kind == Kind::GROUP)
		submit_messages(call, buffers_[number]);
	else
		submit_collective(call, buffers_[number], streams_[call.streams[rank_]]);
}

void Player::compare(const Call &call, uint32_t number)
{
	if (call.kind == Kind::BROADCAST && rank_in(call) == call.root)
		return;
	std::vector<int32_t> wanted = wanted_data(call, ranks_of(call), rank_in(call));
	wanted.resize(wanted.size() + GAP, UNTOUCHED);
	std::vector<int32_t> found(wanted.size());
	CHECK(aclrtMemcpy(found.data(), found.size() * 4, buffers_[number].receive,
			  found.size() * 4, ACL_MEMCPY_DEVICE_TO_HOST));
	const auto at = std::mismatch(found.begin(), found.end(), wanted.begin());
	if (at.first != found.end())
		throw std::runtime_error("call " + std::to_string(number) + ", " + describe(call) +
					 ": element " + std::to_string(at.first - found.begin()) +
					 " is " + std::to_string(*at.first) + ", not " +
					 std::to_string(*at.second));
}

void Player::play(uint64_t seed, uint32_t number)
{
	const Round round = make_round(seed, number, members_);
	for (uint32_t i = 0; i < round.calls.size(); i++)
		prepare(round.calls[i], i);
	for (const uint32_t i : round.turns[rank_]) {
		if (takes_part(round.calls[i]))
			submit(round.calls[i], i);
	}
	for (aclrtStream stream : streams_)
		CHECK(aclrtSynchronizeStream(stream));
	for (uint32_t i = 0; i < round.calls.size(); i++) {
		if (takes_part(round.calls[i]))
			compare(round.calls[i], i);
	}
}

} // namespace hccl_mixed

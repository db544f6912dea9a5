// SPDX-License-Identifier: MIT
/**
 * DOC: one rank of a plan
 */
#include "rank.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace hccl_random {

void check(int code, const char *call)
{
	if (code == 0)
		return;
	const char *text = aclGetRecentErrMsg();
	throw std::runtime_error(std::string(call) + " returned " + std::to_string(code) + ": " +
				 (text ? text : ""));
}

namespace {

constexpr uint8_t UNTOUCHED = 0xee;

/* class Memory - device memory with contents. */
class Memory {
public:
	explicit Memory(const Bytes &bytes) : bytes_(bytes.size())
	{
		CHECK(aclrtMalloc(&memory_, std::max<size_t>(bytes_, 1),
				  ACL_MEM_MALLOC_HUGE_FIRST));
		if (bytes_ != 0)
			CHECK(aclrtMemcpy(memory_, bytes_, bytes.data(), bytes_,
					  ACL_MEMCPY_HOST_TO_DEVICE));
	}
	~Memory() { (void)aclrtFree(memory_); }
	Memory(const Memory &) = delete;
	Memory &operator=(const Memory &) = delete;

	uint8_t *at(uint64_t offset) const { return static_cast<uint8_t *>(memory_) + offset; }
	Bytes contents() const
	{
		Bytes found(bytes_);
		if (bytes_ != 0)
			CHECK(aclrtMemcpy(found.data(), bytes_, memory_, bytes_,
					  ACL_MEMCPY_DEVICE_TO_HOST));
		return found;
	}

private:
	void *memory_ = nullptr;
	size_t bytes_;
};

/* A call that is submitted, and what its buffers have to have. */
struct Submitted {
	const Case *one;
	Tables tables;
	Bytes sent;
	Bytes expected; /* empty if one buffer is both */
	std::unique_ptr<Memory> send;
	std::unique_ptr<Memory> receive;
	aclmdlRI graph = nullptr;
};

class Player {
public:
	Player(const Plan &plan, uint32_t rank, HcclComm comm, const Look &look)
		: plan_(plan), rank_(rank), comm_(comm), look_(look)
	{
		for (aclrtStream &stream : streams_)
			CHECK(aclrtCreateStream(&stream));
	}
	~Player()
	{
		for (aclrtStream stream : streams_)
			(void)aclrtDestroyStream(stream);
	}
	Player(const Player &) = delete;
	Player &operator=(const Player &) = delete;

	void play()
	{
		for (const Case &one : plan_.cases) {
			try {
				submit(one);
			} catch (const std::runtime_error &error) {
				throw std::runtime_error(describe(one) + ": " + error.what());
			}
			if (one.ends_turn)
				end_turn();
		}
	}

private:
	void submit(const Case &one);
	void prepare(Submitted &now);
	void call(const Case &one, uint8_t *send, uint8_t *receive, aclrtStream stream);
	void call_pairs(const Case &one, uint8_t *send, uint8_t *receive, aclrtStream stream);
	void call_vectors(const Case &one, uint8_t *send, uint8_t *receive, aclrtStream stream);
	void end_turn();
	void compare(const Submitted &done);

	const Plan &plan_;
	const uint32_t rank_;
	const HcclComm comm_;
	const Look &look_;
	aclrtStream streams_[2] = {};
	std::vector<std::unique_ptr<Submitted>> turn_;
};

/* Where the own part is in the buffer that is both. */
uint64_t own_place(const Case &one, uint32_t rank)
{
	const bool has_place = one.kind == Kind::ALL_GATHER || one.kind == Kind::REDUCE_SCATTER;
	return has_place ? rank * one.count * hccl_test::width(one.type) : 0;
}

void Player::prepare(Submitted &now)
{
	const Case &one = *now.one;
	const size_t size = hccl_test::width(one.type);
	const bool is_both = one.is_in_place || one.kind == Kind::BROADCAST;
	const uint64_t sends = send_elements(plan_, one, rank_);
	Bytes send(sends * size), receive(receive_elements(plan_, one, rank_) * size, UNTOUCHED);
	lay_out(send, one.type, {{0, sends, &now.tables.ranks[rank_], 0}});
	std::vector<Segment> result = result_of(plan_, one, rank_, now.tables);
	if (one.kind == Kind::BROADCAST)
		result = {{0, one.count, &now.tables.ranks[one.root], 0}};
	if (!is_both) {
		now.send = std::make_unique<Memory>(send);
		now.receive = std::make_unique<Memory>(receive);
		lay_out(receive, one.type, result);
		now.sent = std::move(send);
		now.expected = std::move(receive);
		return;
	}
	/* The buffer is as large as the larger of the two; the own part is at its place. */
	Bytes both = std::move(send.size() < receive.size() ? receive : send);
	if (one.kind == Kind::ALL_GATHER)
		lay_out(both, one.type,
			{{rank_ * one.count, one.count, &now.tables.ranks[rank_], 0}});
	now.send = std::make_unique<Memory>(both);
	if (one.kind == Kind::REDUCE_SCATTER)
		result[0].at = rank_ * one.count;
	lay_out(both, one.type, result);
	now.sent = std::move(both);
}

void Player::submit(const Case &one)
{
	turn_.push_back(std::unique_ptr<Submitted>(
		new Submitted{&one, Tables(plan_, one), {}, {}, nullptr, nullptr}));
	Submitted &now = *turn_.back();
	prepare(now);
	const uint64_t place = one.is_in_place ? own_place(one, rank_) : 0;
	const bool sends_place = one.kind == Kind::ALL_GATHER;
	uint8_t *const send = now.send->at(sends_place ? place : 0);
	uint8_t *const receive =
		now.receive ? now.receive->at(0) : now.send->at(sends_place ? 0 : place);
	const aclrtStream stream = streams_[one.stream];
	if (!one.is_captured)
		return call(one, send, receive, stream);
	CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL));
	call(one, send, receive, stream);
	CHECK(aclmdlRICaptureEnd(stream, &now.graph));
	for (uint32_t i = 0; i < one.launches; i++)
		CHECK(aclmdlRIExecuteAsync(now.graph, stream));
}

void Player::call_vectors(const Case &one, uint8_t *send, uint8_t *receive, aclrtStream stream)
{
	const bool has_pairs = one.kind == Kind::ALL_TO_ALL_V;
	const std::vector<uint64_t> out = has_pairs ? row_of(plan_, one, rank_) : one.counts;
	const std::vector<uint64_t> in = has_pairs ? column_of(plan_, one, rank_) : one.counts;
	std::vector<uint64_t> out_at, in_at;
	for (uint32_t of = 0; of < plan_.ranks; of++) {
		out_at.push_back(part_start(one, out, of));
		in_at.push_back(part_start(one, in, of));
	}
	if (one.kind == Kind::ALL_GATHER_V)
		CHECK(HcclAllGatherV(send, in[rank_], receive, in.data(), in_at.data(), one.type,
				     comm_, stream));
	else if (one.kind == Kind::REDUCE_SCATTER_V)
		CHECK(HcclReduceScatterV(send, out.data(), out_at.data(), receive, out[rank_],
					 one.type, one.op, comm_, stream));
	else
		CHECK(HcclAlltoAllV(send, out.data(), out_at.data(), one.type, receive, in.data(),
				    in_at.data(), one.type, comm_, stream));
}

void Player::call_pairs(const Case &one, uint8_t *send, uint8_t *receive, aclrtStream stream)
{
	const size_t size = hccl_test::width(one.type);
	const std::vector<uint64_t> out = row_of(plan_, one, rank_);
	const std::vector<uint64_t> in = column_of(plan_, one, rank_);
	std::vector<HcclSendRecvItem> items;
	for (uint32_t i = 0; i < plan_.ranks; i++) {
		const uint32_t other = (rank_ + i * (one.salt % 2 == 0 ? 1 : 3)) % plan_.ranks;
		const bool is_again =
			std::any_of(items.begin(), items.end(),
				    [&](const auto &item) { return item.remoteRank == other; });
		if (is_again)
			continue;
		if (out[other] != 0)
			items.push_back({HCCL_SEND, send + part_start(one, out, other) * size,
					 out[other], one.type, other});
		if (in[other] != 0)
			items.push_back({HCCL_RECV, receive + part_start(one, in, other) * size,
					 in[other], one.type, other});
	}
	/* Those that a step over the ranks has left out. */
	for (uint32_t other = 0; other < plan_.ranks; other++) {
		const auto has = [&](HcclSendRecvType type) {
			return std::any_of(items.begin(), items.end(), [&](const auto &item) {
				return item.remoteRank == other && item.sendRecvType == type;
			});
		};
		if (out[other] != 0 && !has(HCCL_SEND))
			items.push_back({HCCL_SEND, send + part_start(one, out, other) * size,
					 out[other], one.type, other});
		if (in[other] != 0 && !has(HCCL_RECV))
			items.push_back({HCCL_RECV, receive + part_start(one, in, other) * size,
					 in[other], one.type, other});
	}
	if (items.empty())
		return;
	if (one.kind == Kind::BATCH) {
		CHECK(HcclBatchSendRecv(items.data(), static_cast<uint32_t>(items.size()), comm_,
					stream));
		return;
	}
	CHECK(HcclGroupStart());
	for (const HcclSendRecvItem &item : items) {
		if (item.sendRecvType == HCCL_SEND)
			CHECK(HcclSend(item.buf, item.count, item.dataType, item.remoteRank, comm_,
				       stream));
		else
			CHECK(HcclRecv(item.buf, item.count, item.dataType, item.remoteRank, comm_,
				       stream));
	}
	CHECK(HcclGroupEnd());
}

void Player::call(const Case &one, uint8_t *send, uint8_t *receive, aclrtStream stream)
{
	const HcclDataType type = one.type;
	const uint32_t to = (one.root + 1) % plan_.ranks;
	switch (one.kind) {
	case Kind::ALL_REDUCE:
		CHECK(HcclAllReduce(send, receive, one.count, type, one.op, comm_, stream));
		break;
	case Kind::REDUCE:
		CHECK(HcclReduce(send, receive, one.count, type, one.op, one.root, comm_, stream));
		break;
	case Kind::BROADCAST:
		CHECK(HcclBroadcast(send, one.count, type, one.root, comm_, stream));
		break;
	case Kind::ALL_GATHER:
		CHECK(HcclAllGather(send, receive, one.count, type, comm_, stream));
		break;
	case Kind::REDUCE_SCATTER:
		CHECK(HcclReduceScatter(send, receive, one.count, type, one.op, comm_, stream));
		break;
	case Kind::SCATTER:
		CHECK(HcclScatter(send, receive, one.count, type, one.root, comm_, stream));
		break;
	case Kind::ALL_TO_ALL:
		CHECK(HcclAlltoAll(send, one.count, type, receive, one.count, type, comm_, stream));
		break;
	case Kind::ALL_TO_ALL_VC:
		CHECK(HcclAlltoAllVC(send, one.counts.data(), type, receive, type, comm_, stream));
		break;
	case Kind::BARRIER:
		CHECK(HcclBarrier(comm_, stream));
		break;
	case Kind::SEND:
		if (plan_.ranks > 1 && rank_ == one.root)
			CHECK(HcclSend(send, one.count, type, to, comm_, stream));
		if (plan_.ranks > 1 && rank_ == to)
			CHECK(HcclRecv(receive, one.count, type, one.root, comm_, stream));
		break;
	case Kind::BATCH:
	case Kind::GROUP:
		call_pairs(one, send, receive, stream);
		break;
	default:
		call_vectors(one, send, receive, stream);
		break;
	}
}

void Player::compare(const Submitted &done)
{
	const Bytes sent = done.send->contents();
	const Bytes received = done.receive ? done.receive->contents() : Bytes();
	const HcclDataType type = done.one->type;
	std::string wrong = difference(type, sent, done.sent);
	wrong = wrong.empty() ? "" : (done.receive ? "the send buffer: " : "the buffer: ") + wrong;
	const std::string result = difference(type, received, done.expected);
	wrong = result.empty() ? wrong : "the receive buffer: " + result;
	if (!wrong.empty())
		throw std::runtime_error(describe(*done.one) + ": " + wrong);
	if (look_)
		look_(*done.one, done.receive ? received : sent);
}

void Player::end_turn()
{
	for (aclrtStream stream : streams_)
		CHECK(aclrtSynchronizeStream(stream));
	for (const auto &done : turn_) {
		compare(*done);
		if (done->graph)
			CHECK(aclmdlRIDestroy(done->graph));
	}
	turn_.clear();
}

} // namespace

void play_rank(const Plan &plan, uint32_t rank, HcclComm comm, const Look &look)
{
	Player(plan, rank, comm, look).play();
}

} // namespace hccl_random

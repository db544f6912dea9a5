// SPDX-License-Identifier: MIT
/**
 * DOC: Late changes of graphs
 *
 * The contents of a late change are known only when the stream reaches it. So it consists of three tasks.
 * First the device copies the operands to a place next to the block that describes the change. Then a host
 * function completes the block. Then the device applies it. If the host function fails, it leaves the block
 * without its magic number, and the device refuses it.
 */
#include <cstring>

#include <fmt/format.h>

#include "drv/device.h"
#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "graph_exec.h"
#include "umd/core/device/host_target.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/error.h"
#include "umd/core/stream/stream.h"

namespace umd {

using base::Result;
using base::Status;

namespace {

class Block final : public HostTarget {
public:
	/* The node's index in the image, and the cookie fields that name it. */
	struct Node {
		uint32_t place;
		uint64_t cookie;
	};

	Block(std::unique_ptr<LateChange> change, std::vector<Node> nodes, size_t operators)
		: change_(std::move(change)), nodes_(std::move(nodes)), operators_(operators)
	{
	}

	/* The size of the block; the input comes after it. */
	uint64_t bytes() const
	{
		return sizeof(unpu_graph_changes) + nodes_.size() * sizeof(unpu_packet) +
		       operators_ * sizeof(unpu_operator);
	}

	void place(std::byte *memory) { memory_ = memory; }
	void run() override;

private:
	const std::unique_ptr<LateChange> change_;
	const std::vector<Node> nodes_;
	const size_t operators_;
	std::byte *memory_ = nullptr;
};

void Block::run()
{
	std::vector<GraphTask> tasks(nodes_.size());
	if (change_->make(memory_ + bytes(), tasks) != Status::OK)
		return;
	std::byte *packets = memory_ + sizeof(unpu_graph_changes);
	std::byte *operators = packets + nodes_.size() * sizeof(unpu_packet);
	size_t used = 0;
	for (size_t i = 0; i < tasks.size(); i++) {
		unpu_packet packet = tasks[i].packet;
		packet.valid = nodes_[i].place;
		packet.cookie |= nodes_[i].cookie;
		if (tasks[i].op && used < operators_) {
			packet.op.offset = used * sizeof(unpu_operator);
			memcpy(operators + packet.op.offset, tasks[i].op, sizeof(unpu_operator));
			used++;
		}
		memcpy(packets + i * sizeof(packet), &packet, sizeof(packet));
	}
	unpu_graph_changes header{};
	header.magic = UNPU_GRAPH_CHANGES_MAGIC;
	header.nnodes = static_cast<uint32_t>(nodes_.size());
	header.descriptor_bytes = operators_ * sizeof(unpu_operator);
	memcpy(memory_, &header, sizeof(header));
}

Result<drv::Fence> submit_late(Stream &stream, uint16_t call, uint32_t graph, uint64_t target,
			       const unpu_packet &copy, uint64_t va, uint64_t bytes)
{
	HostCalls &calls = stream.context->open->calls;
	auto host = TRY(calls.add(target_function(target)));
	uint64_t cookie = drv::cookie_call(call);
	auto fence = submit(stream, copy);
	if (fence)
		fence = submit(stream, drv::host_call_packet(cookie, host));
	if (!fence) {
		calls.remove(host);
		return fence;
	}
	return submit(stream, drv::graph_update_packet(cookie, graph, va, bytes));
}

} // namespace

Status GraphExec::update_late(Stream &stream, uint16_t call, std::span<const uint32_t> nodes,
			      uint64_t va, uint64_t bytes, std::unique_ptr<LateChange> change)
{
	std::vector<Block::Node> places;
	size_t operators = 0;
	for (uint32_t node : nodes) {
		uint32_t at = number(*graph_, node);
		places.push_back({compiled_.places[at], drv::cookie_place(drv::COOKIE_GRAPH, at)});
		operators += graph_->task(node).op != nullptr;
	}
	auto block = std::make_shared<Block>(std::move(change), std::move(places), operators);
	drv::Device &device = stream.context->device();
	std::string why;
	auto bo = device.memory().allocate(drv::Place::DEVICE, block->bytes() + bytes, UNPU_PAGE_4K,
					   why);
	if (!bo)
		return set_error(bo.status(), fmt::format("no memory for the update: {}", why));
	block->place(device.space().aperture(bo->va, bo->bytes));
	memset(device.space().aperture(bo->va, bo->bytes), 0, bo->bytes);
	uint64_t block_bytes = block->bytes();
	uint64_t target = add_target(std::move(block));
	auto fence = submit_late(
		stream, call, id_, target,
		drv::copy_packet(drv::cookie_call(call), bo->va + block_bytes, va, bytes), bo->va,
		block_bytes);
	(void)device.memory().free(drv::Place::DEVICE, bo->va);
	if (!fence) {
		drop_target(target);
		return fence.status();
	}
	note_update(device, {*fence, target});
	return Status::OK;
}

} // namespace umd

// SPDX-License-Identifier: MIT
/**
 * DOC: packets, fuzzed
 *
 * An input is a row of packets with the descriptors of their slots, as a client would leave them in
 * its ring. Whatever they are, each of them retires or can be aborted, and the channel goes on.
 *
 *	INPUT	{ flags:1, packet:64 [, descriptor:sizeof(struct unpu_operator)] }...
 *
 * Bit 0 of the flags says that there is a descriptor.
 */
#include "fuzz.h"

#include <bit>
#include <cstring>

#include "uapi/kernel.h"

using namespace fuzz;

namespace {

constexpr unsigned PACKETS = 16;
constexpr uint64_t BYTES = 16 << 10;
constexpr uint32_t SEMAPHORES = 8; /* that seeds name */

class Packets final : public World {
public:
	void run(Input input)
	{
		(void)client();
		uint64_t wanted = 0;
		for (unsigned i = 0; i < PACKETS && input.left() > 0; i++)
			wanted = publish(input);
		if (wanted == 0)
			return;
		settle(wanted);
		check();
	}

private:
	void set_up() override
	{
		memory_ = client_->memory(BYTES);
		expect(memory_.va == uint64_t{1} << 32,
		       "the memory is not where the seeds have it");
	}

	uint64_t publish(Input &input)
	{
		auto flags = input.take<uint8_t>();
		auto packet = input.take<unpu_packet>();
		if (!(flags & 1))
			return channel_->publish(packet);
		auto op = input.take<unpu_operator>();
		return channel_->publish(packet, &op);
	}

	wire::Memory memory_;
};

} // namespace

std::vector<Seed> fuzz::seeds()
{
	constexpr uint64_t VA = uint64_t{1} << 32;
	constexpr uint32_t SEM = UNPU_SEM_FIRST_FREE + SEMAPHORES;
	std::vector<Seed> all;
	auto add = [&all](const char *name, const unpu_packet &packet,
			  const unpu_operator *op = nullptr) {
		Seed seed{name, {}};
		seed.add(static_cast<uint8_t>(op ? 1 : 0));
		seed.add(packet);
		if (op)
			seed.add(*op);
		all.push_back(std::move(seed));
	};
	auto bare = [](uint8_t opcode) { return drv::packet(static_cast<unpu_opcode>(opcode), 7); };
	unpu_packet packet = bare(UNPU_OP_NOP);
	packet.signal_op = UNPU_SIGNAL_ADD;
	packet.signal_sem = SEM;
	packet.signal_value = 3;
	add("signal", packet);
	packet = bare(UNPU_OP_COPY);
	packet.copy = {VA, VA + 4096, 256, 0};
	add("copy", packet);
	add("fill", drv::fill_packet(1, VA, 64, 5, 4));
	packet = bare(UNPU_OP_SEM_WAIT);
	packet.wait = {SEM, UNPU_WAIT_MASK, 1, 1000, UNPU_WAIT_CLEAR, 0};
	add("wait", packet);
	packet = bare(UNPU_OP_TIMESTAMP);
	packet.signal_op = UNPU_SIGNAL_SET;
	packet.signal_sem = SEM;
	add("timestamp", packet);
	packet = bare(UNPU_OP_HOST_CALL);
	packet.call.call = 1;
	add("call", packet);
	packet = bare(UNPU_OP_HOST_DONE);
	packet.call.token = 1;
	add("done", packet);
	add("stop", bare(UNPU_OP_STOP));
	packet = bare(UNPU_OP_VALUE_WRITE);
	packet.value_write = {VA, 9, 4, 0, 0};
	add("value-write", packet);
	packet = bare(UNPU_OP_VALUE_WAIT);
	packet.value_wait.address = VA;
	packet.value_wait.value = 9;
	packet.value_wait.bytes = 8;
	packet.value_wait.op = UNPU_VALUE_GE;
	add("value-wait", packet);
	packet = bare(UNPU_OP_OVERFLOW);
	packet.overflow.dst = VA;
	packet.overflow.action = UNPU_OVERFLOW_READ;
	add("overflow", packet);
	packet = bare(UNPU_OP_ROW);
	packet.variant = UNPU_OPERATOR_ADD;
	packet.row = {VA, VA + 64, VA + 128, 16, 0x3f800000};
	add("row", packet);
	packet = bare(UNPU_OP_OPERATOR);
	packet.op.bytes = sizeof(unpu_operator);
	for (auto kind : {UNPU_OPERATOR_ADD, UNPU_OPERATOR_MUL}) {
		unpu_operator op = wire::packed_operator(kind, 16, VA, VA + 64, VA + 128,
							 kind == UNPU_OPERATOR_ADD ? 1 : 0);
		add(kind == UNPU_OPERATOR_ADD ? "add" : "mul", packet, &op);
	}
	unpu_copy_list list{};
	list.kind = UNPU_OPERATOR_COPY_LIST;
	list.count = 2;
	list.entries[0] = {VA, VA + 64, 8};
	list.entries[1] = {VA + 128, VA + 256, 64};
	const auto listed = std::bit_cast<unpu_operator>(list);
	add("copy-list", packet, &listed);
	unpu_operator page{};
	unpu_kernel_launch launch{};
	launch.image = 1;
	launch.blocks = 4;
	launch.args_bytes = 16;
	memcpy(&page, &launch, sizeof(launch));
	packet = bare(UNPU_OP_KERNEL);
	packet.tensor.bytes = sizeof(launch) + 16;
	add("kernel", packet, &page);
	packet = bare(UNPU_OP_GRAPH);
	packet.graph.graph = 1;
	add("graph", packet);
	packet = bare(UNPU_OP_GRAPH_UPDATE);
	packet.change.graph = 1;
	packet.change.va = VA;
	packet.change.bytes = 64;
	add("update", packet);
	return all;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static auto *world = new Packets;
	world->run(Input(data, bytes));
	return 0;
}

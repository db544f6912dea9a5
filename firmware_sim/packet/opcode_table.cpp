// SPDX-License-Identifier: MIT
/**
 * DOC: Opcode table
 *
 * One row per opcode, in the order of UNPU_OPCODE_LIST, and the checks of the payloads. Adding an opcode
 * takes an entry in that list, a row here and the function that runs it; an opcode that computes on
 * memory has a struct Work in a work_*.cpp besides.
 */
#include "base/hot_path.h"
#include "firmware_sim/core/command_processor.h"
#include "firmware_sim/graph/graph.h"
#include "firmware_sim/graph/graph_image.h"
#include "firmware_sim/kernels/elementwise.h"
#include "firmware_sim/kernels/operator_table.h"
#include "firmware_sim/tensor/kinds.h"

namespace fw {

using base::Status;

static constexpr bool is_zero(const uint64_t *words, unsigned count)
{
	uint64_t any = 0;
	for (unsigned i = 0; i < count; i++)
		any |= words[i];
	return any == 0;
}

static bool is_empty(const unpu_packet &packet)
{
	return is_zero(packet.words, 4);
}

static bool is_only_signal(const unpu_packet &packet)
{
	return is_zero(packet.words, 4) && packet.signal_op != UNPU_SIGNAL_NONE;
}

static bool is_copy_valid(const unpu_packet &packet)
{
	return packet.copy.bytes > 0 && packet.copy.reserved == 0;
}

HOT_PATH static bool is_fill_valid(const unpu_packet &packet)
{
	const unpu_fill &fill = packet.fill;
	bool width = fill.width == 1 || fill.width == 2 || fill.width == 4;
	return width && fill.bytes > 0 && fill.bytes % fill.width == 0 &&
	       fill.dst % fill.width == 0 && fill.reserved == 0;
}

static bool is_sem_wait_valid(const unpu_packet &packet)
{
	return packet.wait.op <= UNPU_WAIT_MASK && packet.wait.reserved == 0 &&
	       !(packet.wait.flags & ~UNPU_WAIT_FLAGS_MASK);
}

static bool is_operator_valid(const unpu_packet &packet)
{
	return packet.op.bytes == sizeof(unpu_operator) && packet.op.reserved0 == 0 &&
	       is_zero(packet.op.reserved, 2);
}

static bool is_tensor_valid(const unpu_packet &packet)
{
	const unpu_tensor_ref &ref = packet.tensor;
	return ref.bytes % sizeof(uint64_t) == 0 && ref.bytes >= sizeof(unpu_tensor_op) &&
	       ref.bytes <= UNPU_TENSOR_MAX_BYTES && ref.offset % sizeof(uint64_t) == 0 &&
	       ref.reserved0 == 0 && is_zero(ref.reserved, 2) && tensor_kind(packet.variant);
}

static bool is_kernel_valid(const unpu_packet &packet)
{
	const unpu_tensor_ref &ref = packet.tensor;
	return ref.bytes % sizeof(uint64_t) == 0 && ref.bytes >= sizeof(unpu_kernel_launch) &&
	       ref.bytes <= UNPU_KERNEL_MAX_BYTES && ref.offset % sizeof(uint64_t) == 0 &&
	       ref.reserved0 == 0 && is_zero(ref.reserved, 2);
}

static bool is_graph_valid(const unpu_packet &packet)
{
	const unpu_graph_ref &graph = packet.graph;
	uint32_t most = graph.args_va ? UNPU_GRAPH_MAX_ARGS : UNPU_GRAPH_PAGE_ARGS;
	return graph.args <= most && (graph.args > 0 || graph.args_va == 0) &&
	       is_zero(graph.reserved, 2);
}

static bool is_host_call_valid(const unpu_packet &packet)
{
	return packet.call.token == 0 && packet.call.call != UNPU_CALL_FAULT &&
	       packet.call.status == 0 && packet.call.reserved0 == 0 && packet.call.reserved == 0;
}

static bool is_host_done_valid(const unpu_packet &packet)
{
	const bool status =
		packet.call.status == UNPU_STATUS_OK || packet.call.status == UNPU_STATUS_MMU_FAULT;
	return packet.call.call == 0 && status && packet.call.reserved0 == 0 &&
	       packet.call.reserved == 0;
}

static bool is_word_valid(uint64_t address, uint64_t value, uint32_t bytes)
{
	if (bytes == sizeof(uint32_t))
		return address % bytes == 0 && value <= UINT32_MAX;
	return bytes == sizeof(uint64_t) && address % bytes == 0;
}

static bool is_value_write_valid(const unpu_packet &packet)
{
	const unpu_value_write &write = packet.value_write;
	return write.reserved0 == 0 && write.reserved == 0 &&
	       is_word_valid(write.address, write.value, write.bytes);
}

static bool is_value_wait_valid(const unpu_packet &packet)
{
	const unpu_value_wait &wait = packet.value_wait;
	return wait.op <= UNPU_VALUE_NOR && is_word_valid(wait.address, wait.value, wait.bytes);
}

static bool is_overflow_valid(const unpu_packet &packet)
{
	const unpu_overflow &overflow = packet.overflow;
	if (overflow.reserved0 || !is_zero(overflow.reserved, 2))
		return false;
	return overflow.action == UNPU_OVERFLOW_READ ||
	       (overflow.action == UNPU_OVERFLOW_CLEAR && overflow.dst == 0);
}

static bool is_graph_update_valid(const unpu_packet &packet)
{
	return packet.change.reserved0 == 0 && packet.change.reserved == 0;
}

static bool is_cond_valid(const unpu_packet &packet)
{
	const unpu_cond &cond = packet.cond;
	bool kind = cond.kind == UNPU_COND_SWITCH ||
		    (cond.kind == UNPU_COND_IF && cond.count <= 2) ||
		    (cond.kind == UNPU_COND_WHILE && cond.count == 1);
	return kind && cond.count > 0 && cond.va % 8 == 0 && cond.reserved0 == 0 &&
	       cond.reserved == 0;
}

static bool is_jump_valid(const unpu_packet &packet)
{
	return packet.jump.count > 0 && packet.jump.va % 4 == 0 && is_zero(packet.jump.reserved, 2);
}

static bool is_activate_valid(const unpu_packet &packet)
{
	const unpu_activate &activate = packet.activate;
	if (activate.flags & ~UNPU_ACTIVATE_LEAVES)
		return false;
	if (activate.compare == UNPU_COMPARE_ALWAYS)
		return activate.left == 0 && activate.right == 0 && activate.width == 0;
	return activate.compare <= UNPU_COMPARE_LE &&
	       (activate.width == 4 || activate.width == 8) &&
	       activate.left % activate.width == 0 && activate.right % activate.width == 0;
}

static bool is_row_valid(const unpu_packet &packet)
{
	const Operator &kind = operator_row(packet.variant & UNPU_ROW_KIND_MASK);
	bool both = packet.variant & UNPU_ROW_LEFT_ONE && packet.variant & UNPU_ROW_RIGHT_ONE;
	if (packet.variant & ~UNPU_ROW_MASK || both || packet.row.count == 0)
		return false;
	return kind.elementwise && kind.elementwise->row &&
	       (kind.has_scalar || packet.row.scalar == 0);
}

/* A device has files of up to 2^63 - 1 bytes. */
static bool is_transfer_valid(const unpu_packet &packet)
{
	const unpu_file_transfer &file = packet.file;
	uint64_t end = 0;
	return packet.variant != 0 && file.bytes > 0 &&
	       file.progress % sizeof(unpu_file_state) == 0 &&
	       !__builtin_add_overflow(file.offset, file.bytes, &end) && end <= INT64_MAX;
}

static bool is_always_short(const unpu_packet &)
{
	return true;
}

static uint64_t written_word(const unpu_packet &packet)
{
	return packet.value_write.address;
}

static constexpr Opcode ROWS[] = {
	{
		.number = UNPU_OP_NOP,
		.name = "NOP",
		.is_valid = is_empty,
		.is_short = is_always_short,
		.run = run_nothing,
	},
	{
		.number = UNPU_OP_COPY,
		.name = "COPY",
		.is_valid = is_copy_valid,
		.is_short = is_short_copy,
		.run = run_copy,
		.work = &copy_work,
	},
	{
		.number = UNPU_OP_FILL,
		.name = "FILL",
		.is_valid = is_fill_valid,
		.is_short = is_short_fill,
		.run = run_fill,
		.work = &fill_work,
	},
	{
		.number = UNPU_OP_SEM_WAIT,
		.name = "SEM_WAIT",
		.argument = Argument::WAIT,
		.is_valid = is_sem_wait_valid,
		.run = wait_semaphore,
	},
	{
		.number = UNPU_OP_SEM_SIGNAL,
		.name = "SEM_SIGNAL",
		.argument = Argument::SIGNAL,
		.is_valid = is_only_signal,
		.is_short = is_always_short,
		.run = run_nothing,
	},
	{
		.number = UNPU_OP_TIMESTAMP,
		.name = "TIMESTAMP",
		.argument = Argument::SIGNAL,
		.is_valid = is_only_signal,
		.is_short = is_always_short,
		.run = store_time,
	},
	{
		.number = UNPU_OP_OPERATOR,
		.name = "OPERATOR",
		.flags = UNPU_PACKET_ALWAYS | UNPU_PACKET_OVERFLOW_FAILS | UNPU_PACKET_SATURATE,
		.has_descriptor = true,
		.is_valid = is_operator_valid,
		.run = run_operator,
		.work = &operator_work,
	},
	{
		.number = UNPU_OP_GRAPH,
		.name = "GRAPH",
		.is_for_rings = true,
		.launches_graph = true,
		.is_valid = is_graph_valid,
		.run = launch_graph,
	},
	{
		.number = UNPU_OP_HOST_CALL,
		.name = "HOST_CALL",
		.is_valid = is_host_call_valid,
		.run = post_host_call,
	},
	{
		.number = UNPU_OP_HOST_DONE,
		.name = "HOST_DONE",
		.is_for_rings = true,
		.is_valid = is_host_done_valid,
		.is_short = is_always_short,
		.run = finish_host_call,
		.fail = fail_host_call,
	},
	{
		.number = UNPU_OP_STOP,
		.name = "STOP",
		.is_for_rings = true,
		.is_valid = is_empty,
		.run = stop_channel,
	},
	{
		.number = UNPU_OP_VALUE_WRITE,
		.name = "VALUE_WRITE",
		.is_valid = is_value_write_valid,
		.is_short = is_always_short,
		.run = write_value,
		.stored_word = written_word,
	},
	{
		.number = UNPU_OP_VALUE_WAIT,
		.name = "VALUE_WAIT",
		.is_valid = is_value_wait_valid,
		.run = wait_value,
	},
	{
		.number = UNPU_OP_OVERFLOW,
		.name = "OVERFLOW",
		.is_valid = is_overflow_valid,
		.run = access_overflow,
	},
	{
		.number = UNPU_OP_GRAPH_UPDATE,
		.name = "GRAPH_UPDATE",
		.is_for_rings = true,
		.is_valid = is_graph_update_valid,
		.run = update_graph,
	},
	{
		.number = UNPU_OP_COND,
		.name = "COND",
		.is_valid = is_cond_valid,
		.run = refuse_in_ring,
		.check_node = check_cond,
		.steer = &Graph::run_cond,
	},
	{
		.number = UNPU_OP_JUMP,
		.name = "JUMP",
		.is_valid = is_jump_valid,
		.run = refuse_in_ring,
		.check_node = check_jump,
		.steer = &Graph::run_jump,
	},
	{
		.number = UNPU_OP_ACTIVATE,
		.name = "ACTIVATE",
		.is_valid = is_activate_valid,
		.run = refuse_in_ring,
		.check_node = check_activate,
		.steer = &Graph::run_activate,
	},
	{
		/* The driver sends small operators as ROW packets, so a rule for OPERATOR matches both. */
		.number = UNPU_OP_ROW,
		.name = "ROW",
		.has_variant = true,
		.struck_with = UNPU_OP_OPERATOR,
		.is_valid = is_row_valid,
		.is_short = is_short_row,
		.run = run_row,
		.work = &row_work,
	},
	{
		.number = UNPU_OP_FILE_READ,
		.name = "FILE_READ",
		.has_variant = true,
		.is_valid = is_transfer_valid,
		.run = transfer_file,
		.jam = jam_file,
	},
	{
		.number = UNPU_OP_FILE_WRITE,
		.name = "FILE_WRITE",
		.has_variant = true,
		.is_valid = is_transfer_valid,
		.run = transfer_file,
		.jam = jam_file,
	},
	{
		.number = UNPU_OP_TENSOR,
		.name = "TENSOR",
		.flags = UNPU_PACKET_ALWAYS | UNPU_PACKET_OVERFLOW_FAILS | UNPU_PACKET_SATURATE,
		.has_variant = true,
		.has_tensor = true,
		.is_valid = is_tensor_valid,
		.run = run_tensor,
	},
	{
		.number = UNPU_OP_KERNEL,
		.name = "KERNEL",
		.has_kernel = true,
		.is_valid = is_kernel_valid,
		.run = run_kernel,
	},
};

static constexpr bool is_complete()
{
	size_t i = 0;
	for (const Opcode &row : ROWS) {
		if (row.number != OPCODE_NUMBERS[i++] || !row.name || !row.is_valid || !row.run ||
		    (row.check_node != nullptr) != (row.steer != nullptr))
			return false;
	}
	return true;
}

static_assert(std::size(ROWS) == std::size(OPCODE_NUMBERS),
	      "each opcode of uapi/packet.h has a row");
static_assert(is_complete(), "the rows are in the order of uapi/packet.h, each with its functions");

static constexpr std::array<Opcode, OPCODE_ROWS> by_opcode()
{
	std::array<Opcode, OPCODE_ROWS> table{};
	for (const Opcode &row : ROWS)
		table[row.number] = row;
	return table;
}

constexpr std::array<Opcode, OPCODE_ROWS> opcode_table = by_opcode();

} // namespace fw

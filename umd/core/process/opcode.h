// SPDX-License-Identifier: MIT
/**
 * DOC: Opcodes
 *
 * What the runtime knows of each opcode of uapi/packet.h, one row each: the kind of task that a packet is, the memory
 * that it uses, how it orders work of several streams, and what ends it. Who draws, records, profiles or explains a
 * packet asks the row, and has no list of opcodes of its own. A new opcode without a row does not compile, and neither
 * does a new value of a column that a switch over it does not know.
 */
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "uapi/packet.h"

namespace umd {

/** enum class TaskKind - the kind of a node of a graph; its packet has the details. */
enum class TaskKind : uint8_t {
	EMPTY, /* does nothing; also a task that was disabled */
	COPY,  /* of any shape */
	FILL,
	OPERATOR,  /* arithmetic */
	HOST,	   /* a function of the program */
	HOST_COPY, /* a copy of memory that the device does not reach, which the host makes */
	HOST_FILL, /* a fill of such memory */
	RECORD,	   /* records an event at each launch */
	WAIT,	   /* waits for the record that an event had at the launch */
	SET_FLAG,  /* sets the flag of an event */
	AWAIT_FLAG,
	RESET_FLAG,
	VALUE_WRITE,
	VALUE_WAIT,
	CHILD,	  /* runs a whole graph */
	COND,	  /* runs one of several graphs, or none, depending on a value */
	JUMP,	  /* continues at another node of the same chain */
	ACTIVATE, /* starts a chain that nothing else starts */
	OTHER,
};

/** enum class Payload - which form its payload has, if it names memory. */
enum class Payload : uint8_t {
	NONE,
	COPY, /* the same as in struct unpu_copy, and so on */
	FILL,
	ROW,
	FILE_READ,
	FILE_WRITE,
	OPERATOR, /* on its page: a struct unpu_operator */
	TENSOR,	  /* on its page: the words of a tensor operator */
	KERNEL,	  /* on its page: the words of a launch */
};

/** enum class Sync - how a packet orders work of several streams. */
enum class Sync : uint8_t {
	NONE,
	SIGNAL, /* of a semaphore */
	WAIT,	/* for a semaphore */
	WORD_WRITE,
	WORD_WAIT,
};

/** enum class EndedBy - what a packet that the device has begun needs to end. */
enum class EndedBy : uint8_t {
	DEVICE,
	SEMAPHORE,
	WORD,
	PROGRAM, /* a function of the program returns */
	KERNEL,	 /* a kernel of the program returns */
	TASKS,	 /* other tasks end */
};

/** struct OpcodeRow - an opcode. */
struct OpcodeRow {
	uint8_t number = 0;
	TaskKind kind = TaskKind::OTHER; /* of a task with nothing but the packet */
	Payload payload = Payload::NONE;
	Sync sync = Sync::NONE;
	EndedBy ended_by = EndedBy::DEVICE;
};

/* The rows, in the order of UNPU_OPCODE_LIST. */
inline constexpr OpcodeRow OPCODE_ROWS[] = {
	{UNPU_OP_NOP, TaskKind::EMPTY, Payload::NONE, Sync::NONE, EndedBy::DEVICE},
	{UNPU_OP_COPY, TaskKind::COPY, Payload::COPY, Sync::NONE, EndedBy::DEVICE},
	{UNPU_OP_FILL, TaskKind::FILL, Payload::FILL, Sync::NONE, EndedBy::DEVICE},
	{UNPU_OP_SEM_WAIT, TaskKind::OTHER, Payload::NONE, Sync::WAIT, EndedBy::SEMAPHORE},
	{UNPU_OP_SEM_SIGNAL, TaskKind::OTHER, Payload::NONE, Sync::SIGNAL, EndedBy::DEVICE},
	{UNPU_OP_TIMESTAMP, TaskKind::OTHER, Payload::NONE, Sync::NONE, EndedBy::DEVICE},
	{UNPU_OP_OPERATOR, TaskKind::OPERATOR, Payload::OPERATOR, Sync::NONE, EndedBy::DEVICE},
	{UNPU_OP_GRAPH, TaskKind::OTHER, Payload::NONE, Sync::NONE, EndedBy::TASKS},
	{UNPU_OP_HOST_CALL, TaskKind::OTHER, Payload::NONE, Sync::NONE, EndedBy::PROGRAM},
	{UNPU_OP_HOST_DONE, TaskKind::OTHER, Payload::NONE, Sync::NONE, EndedBy::DEVICE},
	{UNPU_OP_STOP, TaskKind::OTHER, Payload::NONE, Sync::NONE, EndedBy::DEVICE},
	{UNPU_OP_VALUE_WRITE, TaskKind::VALUE_WRITE, Payload::NONE, Sync::WORD_WRITE,
	 EndedBy::DEVICE},
	{UNPU_OP_VALUE_WAIT, TaskKind::VALUE_WAIT, Payload::NONE, Sync::WORD_WAIT, EndedBy::WORD},
	{UNPU_OP_OVERFLOW, TaskKind::OTHER, Payload::NONE, Sync::NONE, EndedBy::DEVICE},
	{UNPU_OP_GRAPH_UPDATE, TaskKind::OTHER, Payload::NONE, Sync::NONE, EndedBy::DEVICE},
	{UNPU_OP_COND, TaskKind::OTHER, Payload::NONE, Sync::NONE, EndedBy::DEVICE},
	{UNPU_OP_JUMP, TaskKind::OTHER, Payload::NONE, Sync::NONE, EndedBy::DEVICE},
	{UNPU_OP_ACTIVATE, TaskKind::OTHER, Payload::NONE, Sync::NONE, EndedBy::DEVICE},
	{UNPU_OP_ROW, TaskKind::OPERATOR, Payload::ROW, Sync::NONE, EndedBy::DEVICE},
	{UNPU_OP_FILE_READ, TaskKind::OTHER, Payload::FILE_READ, Sync::NONE, EndedBy::DEVICE},
	{UNPU_OP_FILE_WRITE, TaskKind::OTHER, Payload::FILE_WRITE, Sync::NONE, EndedBy::DEVICE},
	{UNPU_OP_TENSOR, TaskKind::OPERATOR, Payload::TENSOR, Sync::NONE, EndedBy::DEVICE},
	{UNPU_OP_KERNEL, TaskKind::OPERATOR, Payload::KERNEL, Sync::NONE, EndedBy::KERNEL},
};

#define UMD_OPCODE_NUMBER(name, number) number,
inline constexpr std::array OPCODE_NUMBERS = {UNPU_OPCODE_LIST(UMD_OPCODE_NUMBER)};
#undef UMD_OPCODE_NUMBER

constexpr bool each_opcode_has_a_row()
{
	for (size_t i = 0; i < OPCODE_NUMBERS.size(); i++)
		if (OPCODE_ROWS[i].number != OPCODE_NUMBERS[i])
			return false;
	return std::size(OPCODE_ROWS) == OPCODE_NUMBERS.size();
}
static_assert(std::size(OPCODE_ROWS) >= OPCODE_NUMBERS.size(),
	      "an opcode of uapi/packet.h has no row");
static_assert(each_opcode_has_a_row(), "the rows are not those of uapi/packet.h, in their order");

/* The rows by number. A number that no opcode has, 0 among them, has an empty row. */
inline constexpr auto OPCODES = [] {
	std::array<OpcodeRow, 1 + *std::max_element(OPCODE_NUMBERS.begin(), OPCODE_NUMBERS.end())>
		rows{};
	for (const OpcodeRow &row : OPCODE_ROWS)
		rows[row.number] = row;
	return rows;
}();

/** opcode_row() - the row of a packet's opcode. */
constexpr const OpcodeRow &opcode_row(const unpu_packet &packet)
{
	return OPCODES[packet.opcode < OPCODES.size() ? packet.opcode : 0];
}

} // namespace umd

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "base/short_work.h"
#include "base/status.h"
#include "uapi/operator.h"
#include "uapi/packet.h"

struct unpu_graph_line;

namespace fw {

class Channel;
class ClientContext;
class Graph;
class GraphChecker;
class TensorOp;
class Waiter;
struct Cut;
struct Job;
struct KernelLaunch;
struct Node;
struct Written;

/** struct Outcome - the result of a packet: it has ended, or it is blocked. */
struct Outcome {
	base::Status status = base::Status::OK;
	uint64_t address = 0;	  /* address of a fault */
	bool is_reported = false; /* the timeline has the failure already */
	bool is_blocked = false;  /* the packet has not ended; the owner will be woken */
	uint64_t detail = 0;	  /* BAD_INDEX: the bad index */
};

/** blocked() - the outcome of a packet that an engine, a signal or the host ends later. */
inline Outcome blocked()
{
	Outcome outcome;
	outcome.is_blocked = true;
	return outcome;
}

/** struct MemoryRange - a range of device memory that a packet names. */
struct MemoryRange {
	uint64_t va;
	uint64_t bytes;
	uint32_t access;
};

/** using Ranges - the ranges of one packet: operand 0 first. */
using Ranges = MemoryRange[UNPU_OPERATOR_MAX_OPERANDS];

/** using Places - where a packet's operands lie in this process; all nullptr: not known. */
using Places = std::array<std::byte *, 4>;

/** struct Task - a packet of a ring or a node of a graph, with what is needed to run it. */
struct Task {
	ClientContext &client;
	Waiter &owner; /* woken when a blocked packet can continue */
	const unpu_packet &packet;
	/* OPERATOR: a private copy of the descriptor, which has passed check_operator(). */
	const unpu_operator *op = nullptr;
	/* Receives the addresses of operands of work that was done in place. They are valid until the epoch
	 * of the MMU changes. */
	Places *keep = nullptr;
	Channel *channel = nullptr;	      /* nullptr: a node of a graph */
	TensorOp *tensor = nullptr;	      /* TENSOR: the decoded descriptor */
	const KernelLaunch *kernel = nullptr; /* KERNEL: the decoded descriptor */
	uint32_t timeline = 0; /* KERNEL: timeline of the channel, whose line counts the output */
};

/** struct Work - an opcode that computes on device memory. It can run in place, on an engine, in pieces and
 * from a graph's node. @op: the descriptor of an OPERATOR; otherwise ignored. */
struct Work {
	/* The ranges that a packet touches. Return: how many of @out were filled; 0: they do not fit
	 * into the address space. */
	unsigned (*ranges)(const unpu_packet &packet, const unpu_operator *op, Ranges &out);
	/* Computes the result. Context: any thread. Return: OVERFLOW, if the packet asks for this check. */
	base::Status (*execute)(const unpu_packet &packet, const unpu_operator *op,
				const Places &places);
	/* Return: the memory that the packet has written. */
	Written (*written)(const unpu_packet &packet, const unpu_operator *op,
			   const Places &places);
	/* How a job is cut into units; see cut_of() and run_units(). */
	Cut (*cut)(const Job &job);
	base::Status (*run_units)(const Job &job, uint64_t first, uint64_t count);
	/* Fills in Node::run, Node::amount, and the other fields that Node::run needs, except for the
	 * addresses. */
	void (*prepare)(Node &node, const unpu_packet &packet, const unpu_operator *op);
	/* The cost of a node: the bytes that it moves. */
	uint64_t (*cost_bytes)(const unpu_packet &packet, const unpu_operator *op);
	/* For the faults WILD and TORN: changes the packet to write to @address, or to do only half of the
	 * work. nullptr: these faults do not apply. */
	void (*redirect)(unpu_packet &packet, uint64_t address);
	void (*halve)(unpu_packet &packet);
	/* Copies values that all pieces read, if a piece may overwrite them. nullptr: there are none. */
	void (*capture)(Job &job) = nullptr;
	/* Below this number of bytes it is better to do the work in place if no other client wants the
	 * device. */
	uint64_t lone_bytes = 0;
};

/* Opcode::is_short, next to the work. */
bool is_short_copy(const unpu_packet &packet);
bool is_short_fill(const unpu_packet &packet);
bool is_short_row(const unpu_packet &packet);

extern const Work copy_work;
extern const Work fill_work;
extern const Work operator_work;
extern const Work row_work;

/** enum class Argument - what an argument of a graph's launch may replace in a node. */
enum class Argument : uint8_t {
	NONE,
	WAIT,	/* semaphore and value that the payload waits for */
	SIGNAL, /* semaphore and value of the signal */
};

/** struct Opcode - the properties of one opcode: a row of the table in opcode_table.cpp. */
struct Opcode {
	uint8_t number = 0;
	const char *name = nullptr;
	uint8_t flags = UNPU_PACKET_ALWAYS; /* UNPU_PACKET_* that a packet may have */
	Argument argument = Argument::NONE;
	/* uses unpu_packet.variant; for all other opcodes it must be zero */
	bool has_variant = false;
	bool has_descriptor = false; /* a struct unpu_operator comes with it */
	bool has_tensor = false;     /* a descriptor of uapi/tensor.h comes with it */
	bool has_kernel = false;     /* a descriptor of uapi/kernel.h comes with it */
	/* has_words() - whether a graph image has its descriptor in the tensor area. */
	constexpr bool has_words() const { return has_tensor || has_kernel; }
	bool is_for_rings = false;   /* a graph with such a node is refused */
	bool launches_graph = false; /* the channel waits for a graph, which reports failures */
	uint8_t struck_with = 0;     /* fault rules for this opcode apply to it too */

	/* Whether the fields of the payload have valid values. nullptr: there is no such opcode. */
	bool (*is_valid)(const unpu_packet &packet) = nullptr;
	/* See is_short(). nullptr: never. */
	bool (*is_short)(const unpu_packet &packet) = nullptr;
	/* Runs a packet that validate_packet() has passed. */
	Outcome (*run)(const Task &task) = nullptr;
	/* For an opcode that computes on memory: how it does so. nullptr for other opcodes. */
	const Work *work = nullptr;

	/* For opcodes that decide which nodes of a graph run. @check_node checks the node in an image; @steer
	 * executes it. Return of @steer: false if the line of the node does not continue now. */
	base::Status (*check_node)(GraphChecker &checker, uint32_t region,
				   const unpu_graph_line &line, const unpu_packet &node) = nullptr;
	bool (Graph::*steer)(uint32_t line, const unpu_packet &packet) = nullptr;

	/* Called when a packet of a ring has failed. */
	void (*fail)(ClientContext &client, const unpu_packet &packet,
		     base::Status status) = nullptr;
	/* The fault JAM: the packet never ends. nullptr: jam() does that. */
	bool (*jam)(const Task &task) = nullptr;
	/* Device address of the word that it stores and that VALUE_WAIT may wait for. */
	uint64_t (*stored_word)(const unpu_packet &packet) = nullptr;
};

/* The opcodes, in the order of uapi/packet.h. */
#define FW_OPCODE_NUMBER(name, number) number,
inline constexpr uint8_t OPCODE_NUMBERS[] = {UNPU_OPCODE_LIST(FW_OPCODE_NUMBER)};
#undef FW_OPCODE_NUMBER

/* The table by number. Numbers that no opcode has, 0 among them, have an empty row. */
constexpr size_t OPCODE_ROWS =
	1 + size_t{*std::max_element(std::begin(OPCODE_NUMBERS), std::end(OPCODE_NUMBERS))};
extern const std::array<Opcode, OPCODE_ROWS> opcode_table;

/** opcode_row() - the row of an opcode; an unknown one has no is_valid(). */
inline const Opcode &opcode_row(uint8_t opcode)
{
	return opcode_table[opcode < OPCODE_ROWS ? opcode : 0];
}

} // namespace fw

// SPDX-License-Identifier: MIT
/**
 * DOC: Command ids
 *
 * A packet's cookie identifies the API call that made it:
 *
 *	bits	meaning
 *	54-63	the call (umd's number for it)
 *	40-53	channel index, or COOKIE_GRAPH for a node of a graph
 *	0-39	packet index in the channel; for a node of a graph its index in the graph in 0-31, and in 32-39 the
 *		number of the program to which it belongs, or 0
 */
#pragma once

#include <cstdint>

#include "uapi/regs.h"

namespace drv {

constexpr uint64_t COOKIE_INDEX_MASK = (uint64_t{1} << 40) - 1;
constexpr unsigned COOKIE_CALL_BITS = 10;
constexpr uint32_t COOKIE_GRAPH = 0x3fff;
static_assert(UNPU_MAX_CHANNELS <= COOKIE_GRAPH);

constexpr uint64_t cookie_call(uint16_t call)
{
	return uint64_t{call} << (64 - COOKIE_CALL_BITS);
}

constexpr uint64_t cookie_place(uint32_t channel, uint64_t index)
{
	return uint64_t{channel & COOKIE_GRAPH} << 40 | (index & COOKIE_INDEX_MASK);
}

constexpr unsigned COOKIE_NODE_BITS = 32;

/** cookie_program() - what a task of a graph has in its cookie before the graph is compiled. */
constexpr uint64_t cookie_program(uint8_t program)
{
	return uint64_t{program} << COOKIE_NODE_BITS;
}

/** struct Command - a decoded cookie. */
struct Command {
	uint16_t call;
	uint32_t channel;
	uint64_t index;

	bool is_node() const { return channel == COOKIE_GRAPH; }
	/* Context: is_node(). */
	uint32_t node() const { return static_cast<uint32_t>(index); }
	uint8_t program() const { return static_cast<uint8_t>(index >> COOKIE_NODE_BITS); }
};

constexpr Command decode_cookie(uint64_t cookie)
{
	return {static_cast<uint16_t>(cookie >> (64 - COOKIE_CALL_BITS)),
		static_cast<uint32_t>(cookie >> 40) & COOKIE_GRAPH, cookie & COOKIE_INDEX_MASK};
}

} // namespace drv

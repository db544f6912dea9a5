// SPDX-License-Identifier: MIT
/**
 * DOC: Command ids
 *
 * A packet's cookie identifies the API call that made it:
 *
 *	bits	meaning
 *	54-63	the call (umd's number for it)
 *	40-53	channel index, or COOKIE_GRAPH for a node of a graph
 *	0-39	packet index in the channel, or node index in the graph
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

/** struct Command - a decoded cookie. */
struct Command {
	uint16_t call;
	uint32_t channel;
	uint64_t index;
};

constexpr Command decode_cookie(uint64_t cookie)
{
	return {static_cast<uint16_t>(cookie >> (64 - COOKIE_CALL_BITS)),
		static_cast<uint32_t>(cookie >> 40) & COOKIE_GRAPH, cookie & COOKIE_INDEX_MASK};
}

} // namespace drv

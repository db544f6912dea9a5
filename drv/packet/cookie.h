// SPDX-License-Identifier: MIT
/**
 * DOC: Command ids
 *
 * A packet's cookie identifies the API call that made it:
 *
 *	bits	meaning
 *	56-63	the call (umd's number for it)
 *	40-55	channel index, or COOKIE_GRAPH for a node of a graph
 *	0-39	packet index in the channel, or node index in the graph
 */
#pragma once

#include <cstdint>

namespace drv {

constexpr uint64_t COOKIE_INDEX_MASK = (uint64_t{1} << 40) - 1;
constexpr uint32_t COOKIE_GRAPH = 0xffff;

constexpr uint64_t cookie_call(uint8_t call)
{
	return uint64_t{call} << 56;
}

constexpr uint64_t cookie_place(uint32_t channel, uint64_t index)
{
	return uint64_t{channel & 0xffff} << 40 | (index & COOKIE_INDEX_MASK);
}

/** struct Command - a decoded cookie. */
struct Command {
	uint8_t call;
	uint32_t channel;
	uint64_t index;
};

constexpr Command decode_cookie(uint64_t cookie)
{
	return {static_cast<uint8_t>(cookie >> 56), static_cast<uint32_t>(cookie >> 40) & 0xffff,
		cookie & COOKIE_INDEX_MASK};
}

} // namespace drv

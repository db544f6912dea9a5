// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "base/result.h"
#include "words.h"

namespace umd {

/** struct MeetingMessage - one message between a rank and the coordinator of its meeting. */
struct MeetingMessage {
	MessageKind kind;
	uint32_t bytes; /* size of the body */
	union Body {
		Hello hello;
		std::array<Introduction, MAX_RANKS> welcome; /* one element for each rank */
		RankKeys keys;
		std::array<RankPlace, MAX_RANKS> table; /* one element for each rank */
		/* one element for each rank of the island */
		std::array<SeatKeys, UNPU_MAX_DEVICES> island;
		Refusal refusal;
		Leave leave;
		Gone gone;
	} body;
};

/** records_of() - the received elements of a list in a message, such as body.welcome. */
template <class T, size_t N>
std::span<const T> records_of(const MeetingMessage &message, const std::array<T, N> &list)
{
	return std::span(list).first(message.bytes / sizeof(T));
}

/** MESSAGE_HEAD - size of the part of a message before its body. */
constexpr size_t MESSAGE_HEAD = offsetof(MeetingMessage, body);

/** is_message_size() - whether @bytes is a possible size of a whole message, of any kind. */
bool is_message_size(size_t bytes);

/** read_message() - checks the bytes of another rank and turns them into a message. No other function reads
 * them, and no refused message is stored. In an accepted message all numbers are in range, strings are
 * terminated, and unused bytes are 0.
 * Return: BAD_MESSAGE. */
base::Status read_message(std::span<const uint8_t> bytes, MeetingMessage &message);

} // namespace umd

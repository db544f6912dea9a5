// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "base/result.h"
#include "words.h"

namespace umd {

/** struct Letter - one message between a rank and the host of its meeting. */
struct Letter {
	LetterKind kind;
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

/** records_of() - the received elements of a list in a letter, such as body.welcome. */
template <class T, size_t N>
std::span<const T> records_of(const Letter &letter, const std::array<T, N> &list)
{
	return std::span(list).first(letter.bytes / sizeof(T));
}

/** LETTER_HEAD - size of the part of a letter before its body. */
constexpr size_t LETTER_HEAD = offsetof(Letter, body);

/** is_letter_size() - whether @bytes is a possible size of a whole letter, of any kind. */
bool is_letter_size(size_t bytes);

/** read_letter() - checks the bytes of another rank and turns them into a letter. No other function reads
 * them, and no refused letter is stored. In an accepted letter all numbers are in range, strings are
 * terminated, and unused bytes are 0.
 * Return: BAD_MESSAGE. */
base::Status read_letter(std::span<const uint8_t> bytes, Letter &letter);

} // namespace umd

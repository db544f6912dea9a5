// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "base/result.h"
#include "words.h"

namespace umd {

/** struct Letter - one message. */
struct Letter {
	LetterKind kind;
	uint32_t bytes; /* of the body */
	union Body {
		Hello hello;
		std::array<Introduction, MAX_RANKS> welcome; /* as many as there are */
		RankKeys keys;
		std::array<RankPlace, MAX_RANKS> table;	       /* likewise */
		std::array<SeatKeys, UNPU_MAX_DEVICES> island; /* likewise */
		Refusal refusal;
		Leave leave;
		Gone gone;
	} body;
};

/** records_of() - what has come of a list in a letter, such as body.welcome. */
template <class T, size_t N>
std::span<const T> records_of(const Letter &letter, const std::array<T, N> &list)
{
	return std::span(list).first(letter.bytes / sizeof(T));
}

/** LETTER_HEAD - bytes before the body. */
constexpr size_t LETTER_HEAD = offsetof(Letter, body);

/** is_letter_size() - whether a letter of some kind has so many bytes, with the head. */
bool is_letter_size(size_t bytes);

/** read_letter() - the one reader of what another rank says: nothing that it refuses is stored anywhere. All numbers
 * are in their ranges, texts end, and what is unused is 0.
 * Return: BAD_MESSAGE. */
base::Status read_letter(std::span<const uint8_t> bytes, Letter &letter);

} // namespace umd

// SPDX-License-Identifier: MIT
#pragma once

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
		Introduction hello;
		Welcome welcome;
		RankKeys keys;
		KeyTable table;
		Refusal refusal;
		Leave leave;
		Gone gone;
	} body;
};

/** LETTER_HEAD - bytes before the body. */
constexpr size_t LETTER_HEAD = offsetof(Letter, body);

/** is_letter_size() - whether a kind of letters has so many bytes, with the head. */
bool is_letter_size(size_t bytes);

/** read_letter() - the one reader of what another rank says: nothing that it refuses is stored anywhere. All numbers
 * are in their ranges, texts end, and what is unused is 0.
 * Return: BAD_MESSAGE. */
base::Status read_letter(std::span<const uint8_t> bytes, Letter &letter);

} // namespace umd

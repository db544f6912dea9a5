// SPDX-License-Identifier: MIT
/**
 * DOC: Words of the interface
 *
 * A word is replaced when a message is stored or logged. That is no fast path.
 */
#include "words.h"

#include <algorithm>
#include <string_view>

#include "base/sync/ordering.h"

namespace umd {

namespace {

constinit const Words *table = nullptr;

const char *find(std::string_view word)
{
	const Words *words = base::load_acquire(table);
	if (!words)
		return nullptr;
	const Word *const end = words->rows + words->count;
	const Word *row = std::lower_bound(
		words->rows, end, word,
		[](const Word &each, std::string_view wanted) { return each.word < wanted; });
	return row != end && row->word == word ? row->name : nullptr;
}

bool is_of_word(char letter)
{
	return letter == '_' || (letter >= 'a' && letter <= 'z') ||
	       (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
}

} // namespace

void set_words(const Words &words)
{
	base::store_release(table, &words);
}

const char *name_of_word(const char *word)
{
	const char *name = word[0] == '$' ? find(word + 1) : nullptr;
	return name ? name : word;
}

const char *name_of_operator(size_t number)
{
	const Words *words = base::load_acquire(table);
	const bool is_known = words && number != 0 && number < words->operator_count;
	return is_known ? words->operators[number] : "an operator";
}

const char *name_of_status(base::Status status)
{
	const Words *words = base::load_acquire(table);
	return words && words->status_name ? words->status_name(status) : base::status_name(status);
}

std::string expand_words(std::string text)
{
	for (size_t at = text.find('$'); at != text.npos; at = text.find('$', at)) {
		const auto end = std::find_if_not(text.begin() + at + 1, text.end(), is_of_word);
		const size_t length = end - text.begin() - at;
		const char *name = find(std::string_view(text).substr(at + 1, length - 1));
		if (name)
			text.replace(at, length, name);
		at += name ? std::string_view(name).size() : length;
	}
	return text;
}

} // namespace umd

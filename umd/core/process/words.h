// SPDX-License-Identifier: MIT
/**
 * DOC: Words of the interface
 *
 * Several interfaces use the runtime, and each has its own name for a call, a flag or a variable. A sentence
 * of the runtime has a word instead, as in "call $set_device first". An interface has a table of its names.
 * The runtime puts a name in the place of each word when it keeps or logs a sentence.
 */
#pragma once

#include <cstddef>
#include <string>

namespace umd {

/** struct Word - a word, without the $, and the name that an interface has for it. */
struct Word {
	const char *word;
	const char *name;
};

/**
 * struct Words - the names of an interface
 * @rows: sorted by word
 * @operators: names of its operators by number, from 1 on; the first element is not used
 */
struct Words {
	const Word *rows;
	size_t count;
	const char *const *operators = nullptr;
	size_t operator_count = 0;
};

/**
 * set_words() - makes @words the table of the process.
 * @words: is not copied and must stay valid
 * Context: any thread. If a program uses two interfaces, it reads the names of the one that it initialised last.
 */
void set_words(const Words &words);

/** name_of_word() - the name for a @word that begins with $; @word itself if the table does not have it. */
const char *name_of_word(const char *word);

/** name_of_operator() - the name of operator number @number; "an operator" if the table does not have it. */
const char *name_of_operator(size_t number);

/** expand_words() - @text with names in the place of its words. */
std::string expand_words(std::string text);

} // namespace umd

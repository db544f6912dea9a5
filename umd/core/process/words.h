// SPDX-License-Identifier: MIT
/**
 * DOC: Words of the interface
 *
 * Several interfaces use the runtime, and each has its own name for a call, a flag or a variable. So a
 * message of the runtime contains a word in place of the name, for example "call $set_device first". Each
 * interface has a table of its names. When the runtime stores or logs a message, it replaces each word by the
 * name from the table.
 */
#pragma once

#include <cstddef>
#include <string>

#include "base/status.h"

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
 * @status_name: its name for a status, for the log; nullptr: the status's own
 */
struct Words {
	const Word *rows;
	size_t count;
	const char *const *operators = nullptr;
	size_t operator_count = 0;
	const char *(*status_name)(base::Status status) = nullptr;
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

/** name_of_status() - the interface's name for @status. */
const char *name_of_status(base::Status status);

/** expand_words() - replaces the words in @text by names. */
std::string expand_words(std::string text);

} // namespace umd

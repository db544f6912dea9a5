// SPDX-License-Identifier: MIT
/**
 * DOC: Operators and what computes the same without a device
 *
 * Each part measures operators through the public interface, beside calls of other libraries or plain loops on
 * memory of the host, with as many threads as the device has engines. Both take turns, sample by sample.
 */
#pragma once

#include <functional>
#include <string>

#include "harness/round.h"

namespace bench {

void measure_products(const Effort &effort, Round &round);
void measure_elements(const Effort &effort, Round &round);
void measure_rows(const Effort &effort, Round &round);
void measure_windows(const Effort &effort, Round &round);
void measure_phases(const Effort &effort, Round &round);
void measure_operator_start(const Effort &effort, Round &round);
void measure_decoder(const Effort &effort, Round &round);

/** start_program() - opens a device and leaves it, as a program without operators does. Return: an exit code. */
int start_program();

/**
 * struct Rival - something that computes what an operator does
 * @name: end of its key
 * @title: for people
 * @run: does it once, with all its threads
 */
struct Rival {
	std::string name;
	std::string title;
	std::function<void()> run;
};

/**
 * compare() - adds a row for each rival, and one for the operator, whose ratio is its speed by that of the fastest.
 * @key: of the operator's row
 * @bytes: that one run reads and writes; 0: not told
 * @submit: appends the operator to the stream of tensors.h
 */
void compare(const Effort &effort, Round &round, const std::string &key, const std::string &title,
	     uint64_t bytes, const std::function<void()> &submit, const std::vector<Rival> &rivals);

} // namespace bench

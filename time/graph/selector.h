// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "steps.h"

namespace timing {

/** kind_of() - the kind of a step, as reports call it. */
std::string kind_of(const Graph &graph, const Vertex &vertex);

/** class Selector - chooses steps by words: copy_in, matmul, kernel:NAME, stream:2, call:NAME and others. */
class Selector {
public:
	/** parse() - reads the words. Return: false if they can mean nothing */
	static bool parse(std::string_view words, Selector &selector);

	bool has(const Graph &graph, const Vertex &vertex) const;

	const std::string &words() const { return words_; }

private:
	std::string words_;
	std::string
		kind_; /* a name of the table, kernel, stream or call; else it is an operator's */
	std::string name_;
};

} // namespace timing

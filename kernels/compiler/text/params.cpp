// SPDX-License-Identifier: MIT
/**
 * DOC: Parameters of a kernel
 *
 * The names and types of parameters as text, for the generated header. What a type is, the driver learns from the
 * compiled object.
 */
#include "kernels/compiler/text/params.h"

#include <algorithm>

namespace compiler {

static bool is_word_of_type(std::string_view word)
{
	static constexpr std::string_view WORDS[] = {
		"const",  "volatile", "struct", "class",	"enum",	     "union", "unsigned",
		"signed", "int",      "long",	"short",	"char",	     "bool",  "float",
		"double", "void",     "auto",	"__restrict__", "__restrict"};
	return std::find(std::begin(WORDS), std::end(WORDS), word) != std::end(WORDS);
}

static bool is_qualifier(std::string_view word)
{
	return word == "const" || word == "volatile" || word == "struct" || word == "class" ||
	       word == "enum" || word == "__restrict__" || word == "__restrict" ||
	       word == "restrict";
}

// The index of the parameter's name in [begin, end), or end if it has none.
static size_t find_name(const Walk &walk, size_t begin, size_t end)
{
	size_t last = end;
	bool has_type = false;
	for (size_t i = begin; i < end; i++) {
		const Token &token = walk[i];
		if (token.is("[") && last != end)
			return last;
		if (token.is("<"))
			i = walk.match_angle(i);
		if (!token.is_identifier()) {
			last = end;
			has_type = true;
			continue;
		}
		last = has_type && !is_word_of_type(token.text) &&
				       !(i > begin && walk[i - 1].is("::"))
			       ? i
			       : end;
		has_type = has_type || !is_qualifier(token.text);
	}
	return last;
}

static Param param_of(const Walk &walk, size_t begin, size_t end, size_t number)
{
	const size_t name = find_name(walk, begin, end);
	if (name == end)
		return {walk.spell(begin, end), "arg" + std::to_string(number)};
	std::string type = walk.spell(begin, name);
	if (walk[name + 1].is("[") && name + 1 < end)
		type += "*";
	return {type, std::string(walk[name].text)};
}

std::vector<Param> params_of(const Walk &walk, size_t begin, size_t end)
{
	std::vector<Param> params;
	size_t first = begin;
	size_t stop = end; // before a default argument
	for (size_t i = begin; i <= end && i < walk.size(); i++) {
		if (i == end || walk[i].is(",")) {
			const size_t last = std::min(stop, i);
			const bool is_void = last == first + 1 && walk[first].is("void");
			if (last > first && !is_void)
				params.push_back(param_of(walk, first, last, params.size()));
			first = i + 1;
			stop = end;
		} else if (walk[i].is("=")) {
			stop = std::min(stop, i);
		} else if (walk[i].is("<") && stop == end) {
			i = walk.match_angle(i);
		} else if (walk[i].is("(") || walk[i].is("{") || walk[i].is("[")) {
			i = walk.match(i);
		}
	}
	return params;
}

} // namespace compiler

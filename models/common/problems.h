// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

namespace models {

/* Codes of problems: those of the documented families of `atc`. */
inline constexpr const char *bad_option = "E10001";
inline constexpr const char *bad_shape = "E10002";
inline constexpr const char *shape_not_positive = "E10011";
inline constexpr const char *no_file = "E10005";
inline constexpr const char *no_such_node = "E10016";
inline constexpr const char *no_model = "E10041";
inline constexpr const char *no_shape = "E11005";
inline constexpr const char *bad_model = "E16001";
inline constexpr const char *not_supported = "EZ3003";

/* struct Problem - why a model can't be compiled or loaded. @code: of the list above @text: a whole sentence */
struct Problem {
	const char *code;
	std::string text;
};

/*
 * class Problems - all that is wrong. What finds a problem goes on if it can, so that a program learns of all of
 * them at once. A file may be hostile, so there is an end to the list.
 */
class Problems {
public:
	static constexpr size_t MOST = 1000;

	/* add() - Return: false, so that it can end a function. */
	bool add(const char *code, std::string text)
	{
		if (list_.size() < MOST)
			list_.push_back({code, std::move(text)});
		return false;
	}

	bool empty() const { return list_.empty(); }
	std::span<const Problem> list() const { return list_; }

private:
	std::vector<Problem> list_;
};

} // namespace models

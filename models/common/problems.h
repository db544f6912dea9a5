// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <unordered_set>
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

/* struct Problem - why a model can't be compiled or loaded. @code: one of the list above. @text: a whole sentence */
struct Problem {
	const char *code;
	std::string text;
};

/*
 * class Problems - a list of all problems. A check continues after a problem if it can, so that a program gets all
 * of them at once. The list has a bound, because a file may be hostile.
 */
class Problems {
public:
	static constexpr size_t MOST = 1000;

	/* add() - adds a problem, unless its text is there already. Return: always false, so that a caller can return
	 * it. */
	bool add(const char *code, std::string text)
	{
		if (list_.size() < MOST && known_.insert(text).second)
			list_.push_back({code, std::move(text)});
		return false;
	}

	bool empty() const { return list_.empty(); }
	std::span<const Problem> list() const { return list_; }

private:
	std::vector<Problem> list_;
	std::unordered_set<std::string> known_; /* the texts */
};

} // namespace models

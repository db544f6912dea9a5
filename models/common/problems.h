// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
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

	/* take_back() - forgets all problems and notes but the first ones. */
	void take_back(size_t problems, size_t notes)
	{
		for (size_t i = problems; i < list_.size(); i++)
			known_.erase(list_[i].text);
		list_.resize(std::min(problems, list_.size()));
		notes_.resize(std::min(notes, notes_.size()));
	}

	/* note() - adds a sentence for people that refuses nothing. A sentence is there once. */
	void note(std::string text)
	{
		if (notes_.size() < MOST &&
		    std::find(notes_.begin(), notes_.end(), text) == notes_.end())
			notes_.push_back(std::move(text));
	}

	bool empty() const { return list_.empty(); }
	std::span<const std::string> notes() const { return notes_; }
	std::span<const Problem> list() const { return list_; }

private:
	std::vector<Problem> list_;
	std::unordered_set<std::string> known_; /* the texts */
	std::vector<std::string> notes_;
};

} // namespace models

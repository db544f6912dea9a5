// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "san/symbols/resolver.h"
#include "time/answer/answer.h"
#include "time/graph/changes.h"
#include "time_options.h"

namespace timing::tool {

/** class Model - answers of traces, by the profile and the changes of a command line. */
class Model {
public:
	/** prepare() - reads the profile, and with @is_changed what is to be changed. Return: what is wrong, or "" */
	std::string prepare(const Wishes &wishes, bool is_changed);

	/** read() - makes the answer of a trace, or of a folder of traces of one run. Return: as prepare() */
	std::string read(const std::string &path, Answer &answer);

	const Profile &profile() const { return profile_; }

private:
	std::string read_set(const std::string &text);
	std::string read_merge(const std::string &text);
	std::string place(const std::string &site);

	Profile profile_;
	Changes changes_;
	std::vector<Speed> speeds_;
	std::vector<std::string> no_waits_;
	san::Resolver resolver_;
	std::vector<size_t> found_; /* how many waits each of no_waits_ has chosen */
};

} // namespace timing::tool

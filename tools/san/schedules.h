// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace san::tool {

/** check_schedule() - Return: what is wrong with a schedule, or empty. */
std::string check_schedule(const std::string &schedule);

/** struct Order - in which order the commands of a run are run. */
struct Order {
	std::string name;  /* "pct:seed=3,depth=2,steps=40" */
	std::string value; /* of UNPU_SCHEDULE */
};

/** order_of_run() - @schedule with the seed of a run, and with its files of decisions in @folder.
 * @steps: decisions of an earlier run; 0: not known */
Order order_of_run(const std::string &schedule, uint64_t seed, uint64_t steps,
		   const std::string &folder);

/** read_decisions() - the files of decisions in a folder as one text, without their heads, in the order of the
 * devices. */
std::string read_decisions(const std::string &folder);

/** count_decisions() - how many commands such a text runs. */
uint64_t count_decisions(const std::string &text);

/** has_diverged() - whether they have the remark of a replay that met other commands than recorded. */
bool has_diverged(const std::string &text);

/** difference() - the first word, from 1, in which two such texts differ; 0: there is none. */
size_t difference(const std::string &one, const std::string &other);

/** decision_file() - the only file of decisions in a folder; empty: there is none, or there are several. */
std::string decision_file(const std::string &folder);

} // namespace san::tool

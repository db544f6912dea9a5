// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace san::tool {

/** check_schedule() - checks the syntax of a schedule. Return: what is wrong with it, or an empty text. */
std::string check_schedule(const std::string &schedule);

/** struct Order - the order in which the commands of a run execute. */
struct Order {
	std::string name;  /* "pct:seed=3,depth=2,steps=40" */
	std::string value; /* the value of UNPU_SCHEDULE */
};

/** order_of_run() - the order of one run: @schedule with the seed of this run. The device writes its files of
 * decisions into @folder.
 * @steps: how many decisions an earlier run made; 0: not known */
Order order_of_run(const std::string &schedule, uint64_t seed, uint64_t steps,
		   const std::string &folder);

/** read_decisions() - the files of decisions in a folder as one text without their header lines, in the order
 * of the devices. */
std::string read_decisions(const std::string &folder);

/** count_decisions() - how many commands a text of decisions runs. */
uint64_t count_decisions(const std::string &text);

/** has_diverged() - whether the files of decisions contain the remark that a replay writes if it meets other
 * commands than the recorded ones. */
bool has_diverged(const std::string &text);

/** difference() - the number, from 1, of the first word in which two texts of decisions differ; 0: they are
 * equal. */
size_t difference(const std::string &one, const std::string &other);

/** decision_file() - the only file of decisions in a folder; empty if there is no such file, or more than
 * one. */
std::string decision_file(const std::string &folder);

} // namespace san::tool

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tool {

/* The keys keep the order in which they are printed. */
using Json = nlohmann::ordered_json;

/** struct Devices - a snapshot of each device, or the reason why there are no snapshots. */
struct Devices {
	std::vector<Json> snapshots;
	int code = 0;	 /* EXIT_SHOWN, or the exit code with which the tool must end */
	std::string why; /* an error message, unless the code is EXIT_SHOWN */
};

/** look() - asks every device of the device string for its snapshot. */
Devices look();

/** read_foreign() - the object that is written in @text, by another program, without characters that a terminal obeys.
 * Return: false: it is none, is nested too deep, or has names with such characters. */
bool read_foreign(const std::string &text, Json &value);

/** is_like() - whether @value has the parts of the text @sample (base/json/json_shape.h). is_snapshot() - whether it
 * has all that tools read of a snapshot. */
bool is_like(const Json &value, const char *sample);
bool is_snapshot(const Json &value);

/** amount() - formats a number of bytes exactly: "64 MiB", "4097 B". */
std::string amount(uint64_t bytes);

/** rounded() - formats a number of bytes for a narrow column: "1.5 GiB". */
std::string rounded(uint64_t bytes);

/** process_name() - the name of a process of this machine, or "?". program_name() - the name in a file of
 * /proc, which may also be a thread's. A character that a terminal must not get becomes a question mark. */
std::string process_name(uint64_t pid);
std::string program_name(const std::string &file);

/** user_name() - the name of the user of a client in a snapshot, or the number; "?" if neither the firmware nor
 * /proc tells. */
std::string user_name(const Json &client);

/** process_state() - why a process can't answer: "is stopped", "has ended"; "" if it can. */
std::string process_state(uint64_t pid);

} // namespace tool

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tool {

/* Keys in the order they are printed in. */
using Json = nlohmann::ordered_json;

/** struct Devices - a snapshot of each device, or why there is none. */
struct Devices {
	std::vector<Json> snapshots;
	int code = 0;	 /* EXIT_SHOWN, or what the program ends with */
	std::string why; /* a sentence, unless EXIT_SHOWN */
};

/** look() - asks every device of the device string for its snapshot. */
Devices look();

/** read_foreign() - the object that is written in @text, by another program, without characters that a terminal obeys.
 * Return: false: it is none, is nested too deep, or has names with such characters. */
bool read_foreign(const std::string &text, Json &value);

/** is_like() - whether @value has the parts of the text @sample (base/json/shape.h). is_snapshot() - whether it has all
 * that tools read of a snapshot. */
bool is_like(const Json &value, const char *sample);
bool is_snapshot(const Json &value);

/** amount() - bytes for people, exact: "64 MiB", "4097 B". */
std::string amount(uint64_t bytes);

/** rounded() - bytes for people in a narrow column: "1.5 GiB". */
std::string rounded(uint64_t bytes);

/** process_name() - of a process of this machine, or "?". program_name() - the same from a file of /proc, also of
 * threads. Letters that a terminal may not show are question marks. */
std::string process_name(uint64_t pid);
std::string program_name(const std::string &file);

/** process_state() - what keeps a process from answering: "is stopped", "has ended"; "" for nothing. */
std::string process_state(uint64_t pid);

} // namespace tool

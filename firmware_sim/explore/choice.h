// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace fw {

class Runner;

/** NO_LINE - the line of a choice that is no node of a graph. */
constexpr uint32_t NO_LINE = UINT32_MAX;

/** struct Choice - a command that a device could run next, or the next part of one. */
struct Choice {
	Runner *runner = nullptr;
	uint32_t client = 0;
	/* index of the channel; for a node: of the channel that launched the graph */
	uint32_t stream = 0;
	uint32_t line = NO_LINE; /* line of the graph */
	char kind = 'x';	 /* a letter, see kind_of() */
	/* the number of the command, in the order in which all commands were submitted */
	uint64_t arrival = 0;
	bool is_needed = false;	 /* a thread of the host waits for something that needs it */
	bool is_suspect = false; /* it accesses the range of SchedulePlan::CONFIRM */
};

/** kind_of() - the letter of an opcode in files of decisions. */
char kind_of(uint8_t opcode);

constexpr char KIND_PIECE = 'p'; /* one more piece of a long command */
constexpr char KIND_END = 'e';	 /* the end of a command that has waited */

/** kind_name() - "a copy", for messages. */
const char *kind_name(char kind);

/** describe_choice() - "a copy in stream 3". */
std::string describe_choice(const Choice &choice);

} // namespace fw

// SPDX-License-Identifier: MIT
/**
 * DOC: Choices
 *
 * The letters by which files of decisions name commands, and their words in messages.
 */
#include "choice.h"

#include <fmt/format.h>

#include "uapi/packet.h"

namespace fw {

namespace {

struct Kind {
	uint8_t opcode; /* 0: this letter stands for no opcode */
	char letter;
	const char *name;
};

constexpr Kind KINDS[] = {
	{UNPU_OP_NOP, 'n', "an empty command"},
	{UNPU_OP_COPY, 'c', "a copy"},
	{UNPU_OP_FILL, 'f', "a fill"},
	{UNPU_OP_SEM_WAIT, 'w', "a wait"},
	{UNPU_OP_SEM_SIGNAL, 's', "a signal"},
	{UNPU_OP_TIMESTAMP, 'm', "a time stamp"},
	{UNPU_OP_OPERATOR, 'o', "an operator"},
	{UNPU_OP_TENSOR, 't', "a tensor operator"},
	{UNPU_OP_KERNEL, 'k', "a user kernel"},
	{UNPU_OP_ROW, 'r', "an operator on a row"},
	{UNPU_OP_GRAPH, 'l', "a launch of a graph"},
	{UNPU_OP_GRAPH_UPDATE, 'u', "an update of a graph"},
	{UNPU_OP_HOST_CALL, 'h', "a host function"},
	{UNPU_OP_VALUE_WRITE, 'v', "a write of a value"},
	{UNPU_OP_VALUE_WAIT, 'q', "a wait for a value"},
	{UNPU_OP_FILE_READ, 'i', "a read of a file"},
	{UNPU_OP_FILE_WRITE, 'd', "a write of a file"},
	{0, KIND_PIECE, "a piece of a long command"},
	{0, KIND_END, "the end of a command"},
};

} // namespace

char kind_of(uint8_t opcode)
{
	for (const Kind &kind : KINDS) {
		if (kind.opcode == opcode && opcode != 0)
			return kind.letter;
	}
	return 'x';
}

const char *kind_name(char letter)
{
	for (const Kind &kind : KINDS) {
		if (kind.letter == letter)
			return kind.name;
	}
	return "another command";
}

std::string describe_choice(const Choice &choice)
{
	std::string text = fmt::format("{} in stream {}", kind_name(choice.kind), choice.stream);
	if (choice.line != NO_LINE)
		text += fmt::format(", line {} of its graph", choice.line);
	if (choice.client != 0)
		text += fmt::format(", of client {}", choice.client);
	return text;
}

} // namespace fw

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "uapi/operator.h"

namespace fw {

struct Elementwise;
struct Outcome;
struct Task;

/** enum class Family - how the operands of an operator relate to its dims; operator_check.cpp checks
 * descriptors by it. */
enum class Family : uint8_t {
	NONE,
	/* each element of operand 0 is computed from the same elements of the other operands */
	ELEMENTWISE,
	/* elements are moved without arithmetic: all operands have one type, and there is no compute type */
	COPY,
	WORDS,	/* each operand is one word, which the command processor reads */
	RANDOM, /* a parameter has the length of operand 0; the other operands are words */
	LIST,	/* struct unpu_copy_list */
};

/** struct Operator - the properties of one kind of operator: a row of the table in operator_table.cpp. */
struct Operator {
	uint32_t kind = 0;
	Family family = Family::NONE; /* NONE: no such kind exists */
	uint8_t least_operands = 0;
	uint8_t most_operands = 0;
	/* UNPU_ACCESS_* bits, by operand */
	std::array<uint8_t, UNPU_OPERATOR_MAX_OPERANDS> access{};
	bool has_scalar = false;
	uint8_t parameters = 0;	   /* number of parameters; the remaining ones must be zero */
	bool can_overflow = false; /* results may be infinite or not a number */
	bool can_be_cut = false;   /* several engines may each compute a part */
	bool is_scattered = false; /* writes more than one range */
	/* Runs an operator whose ranges are known only when it starts. nullptr: the descriptor tells the
	 * ranges, and the command processor translates them and calls @kernel. */
	Outcome (*run)(const Task &task, const unpu_operator &op) = nullptr;
	/* Computes the operator. Context: any thread. */
	void (*kernel)(const unpu_operator &op,
		       const std::array<std::byte *, 4> &operands) = nullptr;
	const Elementwise *elementwise = nullptr; /* for ELEMENTWISE: the arithmetic */
	/* For a kind that is divided into units in its own way: a function for the number of units, and a
	 * function that computes some of them.
	 * @result: where operand 0 is. */
	uint64_t (*units)(const unpu_operator &op) = nullptr;
	void (*run_units)(const unpu_operator &op, std::byte *result, uint64_t first,
			  uint64_t units) = nullptr;
	/* The cost of one byte of the result, as the number of bytes that could be copied in that time.
	 * nullptr: one. */
	uint64_t (*weight)(const unpu_operator &op) = nullptr;
	/* The cost of a node of a graph, in bytes. nullptr: four for each element of each operand. */
	uint64_t (*cost_bytes)(const unpu_operator &op) = nullptr;
};

/* The kinds, in the order of uapi/operator.h. */
#define FW_OPERATOR_NUMBER(name, number) number,
inline constexpr uint32_t OPERATOR_NUMBERS[] = {UNPU_OPERATOR_LIST(FW_OPERATOR_NUMBER)};
#undef FW_OPERATOR_NUMBER

/* The table by number. Numbers that no kind has, 0 among them, have a row of Family::NONE. */
constexpr size_t OPERATOR_ROWS =
	1 + *std::max_element(std::begin(OPERATOR_NUMBERS), std::end(OPERATOR_NUMBERS));
extern const std::array<Operator, OPERATOR_ROWS> operator_table;

/** operator_row() - the row of a kind; an unknown one has Family::NONE. */
inline const Operator &operator_row(uint32_t kind)
{
	return operator_table[kind < OPERATOR_ROWS ? kind : 0];
}

/* Operator::run of the kinds that have one. */
Outcome copy_indirect(const Task &task, const unpu_operator &op);
Outcome draw_random(const Task &task, const unpu_operator &op);
Outcome copy_listed(const Task &task, const unpu_operator &op);

} // namespace fw

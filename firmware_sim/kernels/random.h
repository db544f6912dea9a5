// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/status.h"
#include "uapi/operator.h"

namespace fw {

/*
 * struct Draw - the parameters of RANDOM, as numbers.
 * @a, @b: by distribution; bits of an element of @compute
 */
struct Draw {
	uint64_t a;
	uint64_t b;
	uint64_t seed;
	uint64_t count;
};

/*
 * draw_output() - makes a concrete descriptor from a RANDOM descriptor, whose operands can be checked
 * and run.
 * @op: passed check_operator()
 * @draw: its parameters, from @op or from memory; @count is positive
 * @concrete: @op with the parameters, and with dims that give the reach of operand 0
 *
 * Context: any thread.
 * Return: OK, or BAD_OPERATOR when the result does not fit into the address space.
 */
base::Status draw_output(const unpu_operator &op, const Draw &draw, unpu_operator &concrete);

/*
 * take_blocks() - reserves the blocks of random numbers that a task needs. Advances the counter past them, so
 * that the next task gets other blocks.
 * @concrete: the result of draw_output(); receives the number of the task's first block
 * @counter: two words
 */
void take_blocks(unpu_operator &concrete, std::byte *counter);

/* RANDOM_UNIT - elements per unit of work. */
constexpr uint64_t RANDOM_UNIT = 1024;

/* random_units() - number of units of the work; their order does not matter. */
uint64_t random_units(const unpu_operator &op);

/* random_weight() - cost of one byte of the result, in bytes that could be copied in the same time. */
uint64_t random_weight(const unpu_operator &op);

/* random_cost() - what a node of a graph costs, in bytes that could be copied meanwhile. */
uint64_t random_cost(const unpu_operator &op);

/*
 * run_random() - draws some units on the calling thread.
 * @op: @concrete after take_blocks()
 * @result: host address of the result
 *
 * Context: any thread; allocates nothing.
 */
void run_random(const unpu_operator &op, std::byte *result, uint64_t first, uint64_t units);

/* run_all_random() - draws all units; @base: host addresses of the operands. */
void run_all_random(const unpu_operator &op, const std::array<std::byte *, 4> &base);

/* random_block() - ten rounds of Philox 4x32: four words, a pure function of @key and @counter. */
std::array<uint32_t, 4> random_block(uint64_t key, uint64_t counter_low, uint64_t counter_high);

} // namespace fw

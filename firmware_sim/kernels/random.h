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
 * draw_output() - makes of a RANDOM descriptor one whose operands can be checked and run.
 * @op: passed check_operator()
 * @draw: its parameters, from @op or from memory; @count is positive
 * @concrete: @op with the parameters, and with dims that tell what operand 0 reaches
 *
 * Context: any thread.
 * Return: OK, or BAD_OPERATOR when the result does not fit into the address space.
 */
base::Status draw_output(const unpu_operator &op, const Draw &draw, unpu_operator &concrete);

/*
 * run_random() - executes what draw_output() made, on the calling thread.
 * @op: from draw_output()
 * @base: host addresses of the result and of the counter's two words
 *
 * Context: any thread; allocates nothing.
 */
void run_random(const unpu_operator &op, const std::array<std::byte *, 4> &base);

/* random_block() - ten rounds of Philox 4x32: four words that @key and @counter alone decide. */
std::array<uint32_t, 4> random_block(uint64_t key, uint64_t counter_low, uint64_t counter_high);

} // namespace fw

// SPDX-License-Identifier: MIT
/*
 * DOC: Operator table
 *
 * One row per operator kind, in the order of UNPU_OPERATOR_LIST. Adding a kind takes an entry in that
 * list, a row here and its kernel.
 */
#include "operator_table.h"

#include "elementwise.h"
#include "random.h"
#include "strided_copy.h"

namespace fw {

static constexpr uint8_t READ = UNPU_ACCESS_READ;
static constexpr uint8_t WRITE = UNPU_ACCESS_WRITE;

static constexpr Operator ROWS[] = {
	{
		/* aclnnAdd, aclnnInplaceAdd */
		.kind = UNPU_OPERATOR_ADD,
		.family = Family::ELEMENTWISE,
		.least_operands = 3,
		.most_operands = 3,
		.access = {WRITE, READ, READ},
		.has_scalar = true,
		.can_overflow = true,
		.can_be_cut = true,
		.kernel = run_elementwise,
		.elementwise = &elementwise_add,
	},
	{
		/* aclnnMul, aclnnInplaceMul */
		.kind = UNPU_OPERATOR_MUL,
		.family = Family::ELEMENTWISE,
		.least_operands = 3,
		.most_operands = 3,
		.access = {WRITE, READ, READ},
		.can_overflow = true,
		.can_be_cut = true,
		.kernel = run_elementwise,
		.elementwise = &elementwise_mul,
	},
	{
		/* aclrtMemcpy2dAsync */
		.kind = UNPU_OPERATOR_COPY,
		.family = Family::COPY,
		.least_operands = 2,
		.most_operands = 2,
		.access = {WRITE, READ},
		.can_be_cut = true,
		.kernel = copy_strided,
	},
	{
		/* aclrtMemcpyAsyncWithDesc */
		.kind = UNPU_OPERATOR_COPY_INDIRECT,
		.family = Family::WORDS,
		.least_operands = 2,
		.most_operands = 3,
		.access = {READ, READ, READ},
		.has_scalar = true,
		.parameters = 2,
		.run = copy_indirect,
	},
	{
		/* aclrtReduceAsync */
		.kind = UNPU_OPERATOR_MAX,
		.family = Family::ELEMENTWISE,
		.least_operands = 3,
		.most_operands = 3,
		.access = {WRITE, READ, READ},
		.can_overflow = true,
		.can_be_cut = true,
		.kernel = run_elementwise,
		.elementwise = &elementwise_max,
	},
	{
		/* aclrtReduceAsync */
		.kind = UNPU_OPERATOR_MIN,
		.family = Family::ELEMENTWISE,
		.least_operands = 3,
		.most_operands = 3,
		.access = {WRITE, READ, READ},
		.can_overflow = true,
		.can_be_cut = true,
		.kernel = run_elementwise,
		.elementwise = &elementwise_min,
	},
	{
		/* aclrtRandomNumAsync */
		.kind = UNPU_OPERATOR_RANDOM,
		.family = Family::RANDOM,
		.least_operands = 2,
		.most_operands = 3,
		.access = {WRITE, READ | WRITE, READ},
		.parameters = 5,
		.run = draw_random,
		.kernel = run_all_random,
		.units = random_units,
		.run_units = run_random,
		.weight = random_weight,
		.cost_bytes = random_cost,
	},
	{
		/* aclrtMemcpyBatchAsync */
		.kind = UNPU_OPERATOR_COPY_LIST,
		.family = Family::LIST,
		.is_scattered = true,
		.run = copy_listed,
	},
};

static constexpr bool is_complete()
{
	size_t i = 0;
	for (const Operator &row : ROWS) {
		if (row.kind != OPERATOR_NUMBERS[i++] || row.family == Family::NONE ||
		    !(row.run || row.kernel) ||
		    (row.family == Family::ELEMENTWISE) != (row.elementwise != nullptr))
			return false;
	}
	return true;
}

static_assert(std::size(ROWS) == std::size(OPERATOR_NUMBERS),
	      "each operator kind of uapi/operator.h has a row");
static_assert(is_complete(), "the rows are in the order of uapi/operator.h, each with a kernel");

static constexpr std::array<Operator, OPERATOR_ROWS> by_number()
{
	std::array<Operator, OPERATOR_ROWS> table{};
	for (const Operator &row : ROWS)
		table[row.kind] = row;
	return table;
}

constexpr std::array<Operator, OPERATOR_ROWS> operator_table = by_number();

} // namespace fw

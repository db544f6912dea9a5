// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <hccl/hccl.h>

namespace hccl_bench {

using Bytes = std::vector<uint8_t>;

/** struct Type - the type of the elements. */
struct Type {
	const char *name;
	HcclDataType number;
	size_t bytes;
};

/** find_type(), find_op() - look up a type and an operation by name. Return: nullptr or false if the name is
 * not known. */
const Type *find_type(const std::string &name);
bool find_op(const std::string &name, HcclReduceOp &op);

/** type_names() - the names of all types. */
std::vector<std::string> type_names();

/** number() - the value of element @i of rank @rank. It is so small that no result is rounded. */
unsigned number(HcclReduceOp op, uint32_t rank, uint64_t i);

/** combined() - the result of a reduction over all ranks for element @i. */
unsigned combined(HcclReduceOp op, uint32_t ranks, uint64_t i);

/** put() - converts a number to the type and stores it as an element. */
void put(const Type &type, unsigned value, uint8_t *to);

} // namespace hccl_bench

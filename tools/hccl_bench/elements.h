// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <hccl/hccl.h>

namespace hccl_bench {

using Bytes = std::vector<uint8_t>;

/** struct Type - a type of elements. */
struct Type {
	const char *name;
	HcclDataType number;
	size_t bytes;
};

/** find_type(), find_op() - by name. Return: nullptr, false. */
const Type *find_type(const std::string &name);
bool find_op(const std::string &name, HcclReduceOp &op);

/** type_names() - of all types. */
std::vector<std::string> type_names();

/** number() - element @i of rank @rank, so small that no result is rounded. */
unsigned number(HcclReduceOp op, uint32_t rank, uint64_t i);

/** combined() - what a reduction of all ranks makes of element @i. */
unsigned combined(HcclReduceOp op, uint32_t ranks, uint64_t i);

/** put() - writes a number as an element. */
void put(const Type &type, unsigned value, uint8_t *to);

} // namespace hccl_bench

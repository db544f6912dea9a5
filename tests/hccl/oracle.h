// SPDX-License-Identifier: MIT
/*
 * DOC: what a reduction has to be
 *
 * Plain loops: element by element, in the order of the ranks, rounded to the type after each step.
 */
#ifndef UNPU_TESTS_HCCL_ORACLE_H
#define UNPU_TESTS_HCCL_ORACLE_H

#include <cstdint>
#include <vector>

#include "hccl/hccl_types.h"

namespace hccl_test {

using Bytes = std::vector<uint8_t>;

/* Size of an element. */
size_t width(HcclDataType type);

/* @count elements of small numbers, others for each @seed. */
Bytes numbers(HcclDataType type, size_t count, uint32_t seed);

/* data[0] op data[1] op ..., of equal lengths. */
Bytes fold(HcclDataType type, HcclReduceOp op, const std::vector<Bytes> &data);

/* The types that are reduced, and all that are copied. */
const std::vector<HcclDataType> &reduced_types();
const std::vector<HcclDataType> &copied_types();

} // namespace hccl_test

#endif

// SPDX-License-Identifier: MIT
/*
 * DOC: what Gloo makes of the same calls
 */
#ifndef UNPU_TESTS_HCCL_RANDOM_GLOO_H
#define UNPU_TESTS_HCCL_RANDOM_GLOO_H

#include "data.h"

namespace hccl_random {

/* Whether Gloo has the call, and its result does not depend on the order of a reduction. */
bool can_compare(const Plan &plan, const Case &one);

/* Makes the calls of @cases with Gloo, a thread for each rank. Throws std::runtime_error where a result differs from
 * that in @found: by case and rank. Return: how many were compared; 0 if the test was built without Gloo. */
uint64_t compare_with_gloo(const Plan &plan, const std::vector<const Case *> &cases,
			   const std::vector<std::vector<Bytes>> &found);

} // namespace hccl_random

#endif

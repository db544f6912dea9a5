// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "umd/core/handle/handle.h"
#include "umd/core/process/process.h"

namespace umd {

struct Model;

/** struct Condition - 8 bytes of device memory that the conditional tasks of a model read. */
struct Condition {
	static constexpr bool IS_RARE = true;
	HandleWord handle;
	Model *model = nullptr;
	uint64_t va = 0;

	using Table = HandleTable<Condition, Kind::CONDITION>;
	/** table() - all conditions of the process. */
	static Table &table();
};

inline Condition::Table &Condition::table()
{
	return Process::own<Table>();
}

/** create_condition() - creates a condition of a model that is being captured.
 * @value: the initial value; with @assign also the value at the start of each execution
 * Return: NOT_SUPPORTED if the model is not being captured, NO_MEMORY. */
base::Result<Condition *> create_condition(Model &model, uint32_t value, bool assign);

/** drop_conditions() - frees the conditions of a model that ends. */
void drop_conditions(Model &model);

} // namespace umd

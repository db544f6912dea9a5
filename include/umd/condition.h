// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "umd/handle.h"
#include "umd/process.h"

namespace umd {

struct Model;

/** struct Condition - 8 bytes of device memory that conditional tasks of a model look at. */
struct Condition {
	HandleWord handle;
	Model *model = nullptr;
	uint64_t va = 0;

	using Table = HandleTable<Condition, Kind::CONDITION>;
	/** table() - all there are. */
	static Table &table();
};

inline Condition::Table &Condition::table()
{
	return Process::own<Table>();
}

/** create_condition() - of a model that is being captured.
 * @value: what it is at first, and at the start of each execution if @assign says so
 * Return: NOT_SUPPORTED when the model is not being captured, NO_MEMORY. */
base::Result<Condition *> create_condition(Model &model, uint32_t value, bool assign);

/** drop_conditions() - of a model that goes away. */
void drop_conditions(Model &model);

} // namespace umd

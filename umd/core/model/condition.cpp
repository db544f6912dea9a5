// SPDX-License-Identifier: MIT
/**
 * DOC: Conditions
 *
 * A condition is a word in device memory. Any task of the device may write it: a copy, a fill, an operator
 * or a value write. If the program asked for a default, the graph stores it before each launch.
 */
#include "condition.h"

#include <cstring>

#include "drv/device.h"
#include "model.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/error.h"
#include "umd/core/record/observer.h"
#include "umd/core/task/task_sink.h"

namespace umd {

using base::Result;
using base::Status;

/* Context: TaskSink::mutex held. */
static Result<Condition *> enter_condition(Model &model, uint64_t va, uint32_t value, bool assign)
{
	if (!model.graph || !model.top().capture)
		return set_error(Status::NOT_SUPPORTED,
				 "conditions are made while their model is captured; this one is "
				 "not, or not any more: make them before the capture ends");
	Condition *condition = Condition::table().create();
	if (!condition)
		return set_error(Status::NO_RESOURCE,
				 "too many conditions; destroy models that have some");
	condition->model = &model;
	condition->va = va;
	if (assign)
		model.graph->add_cell(va, value);
	base::BiasedGuard guard(model.lock);
	model.conditions.push_back(condition);
	return condition;
}

/* Allocates memory without holding a lock, because the allocation may wait for the device's work. */
Result<Condition *> create_condition(Model &model, uint32_t value, bool assign)
{
	const DeviceHold device = model.device.hold();
	if (!device)
		return set_error(
			Status::DEVICE_LOST,
			"the model's device was reset; set the device and capture the model again");
	std::string why;
	auto bo =
		device->memory().allocate(drv::Place::DEVICE, sizeof(uint64_t), UNPU_PAGE_4K, why);
	if (!bo)
		return set_error(bo.status(),
				 fmt::format("no device memory for a condition: {}", why));
	const uint64_t wide = value;
	memcpy(device->space().aperture(bo->va, sizeof(wide)), &wide, sizeof(wide));
	std::unique_lock lock(TaskSink::mutex);
	auto condition = enter_condition(model, bo->va, value, assign);
	lock.unlock();
	if (!condition)
		(void)device->memory().free(drv::Place::DEVICE, bo->va);
	else
		recorder::observer.note_allocation(
			{reinterpret_cast<void *>(bo->va), sizeof(uint64_t), san::ALLOC_DEFINED});
	return condition;
}

void drop_conditions(Model &model)
{
	const DeviceHold device = model.device.hold();
	for (Condition *condition : model.conditions) {
		if (device)
			(void)device->memory().free(drv::Place::DEVICE, condition->va);
		Condition::table().destroy(*condition);
	}
	model.conditions.clear();
}

} // namespace umd

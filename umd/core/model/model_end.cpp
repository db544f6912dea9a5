// SPDX-License-Identifier: MIT
/**
 * DOC: The end of a model
 *
 * destroy_model() waits for pending executions of the model, then destroys the model with all its objects.
 */
#include "model_end.h"

#include <vector>

#include "condition.h"
#include "drv/device.h"
#include "model.h"
#include "model_build.h"
#include "model_task.h"
#include "subscription.h"
#include "task_group.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/error.h"

namespace umd {

using base::Status;

static constexpr uint64_t DESTROY_WAIT_NS = 10 * base::NS_PER_S;

void drop_model(Model &model)
{
	for (Model *inner : model.inner)
		drop_model(*inner);
	forget_number(model.id);
	drop_conditions(model);
	drop_task_groups(model);
	model.inner.clear();
	/* A thread that is launching the model has its own reference to exec until the launch is submitted. */
	std::shared_ptr<GraphExec> exec;
	{
		base::BiasedGuard lock(model.lock);
		end_subscription(model);
		unbind_all(model);
		drop_model_tasks(model);
		model.on_destroy.clear();
		model.name.clear();
		exec = std::move(model.exec);
		model.members.reset();
		model.state = Model::State::GONE;
	}
	exec.reset();
	model.making.reset();
	model.graph = nullptr;
	model.notes.clear();
	/* destroy_model() has retired the handle already. */
	auto &models = Model::table();
	(void)models.retire(model, models.pointer(model));
	models.recycle(model);
}

static Status wait_for_end(Model &model)
{
	std::vector<drv::Fence> pending;
	const DeviceHold device = model.device.hold();
	{
		base::BiasedGuard lock(model.lock);
		if (!model.is_built)
			TRY(require_ready(model));
		TRY(refuse_inner(model, "destroyed"));
		if (model.exec && device)
			pending = model.exec->pending(*device);
	}
	const uint64_t deadline_ns = base::deadline_after(DESTROY_WAIT_NS);
	for (const drv::Fence &fence : pending) {
		if (device->wait(fence, deadline_ns) != Status::OK)
			return set_error(
				Status::MODEL_RUNNING,
				"the model still runs after 10 seconds; synchronise its stream");
	}
	return Status::OK;
}

Status destroy_model(Model &model, const void *handle)
{
	std::vector<Model::Callback> callbacks;
	TRY(wait_for_end(model));
	if (!Model::table().retire(model, handle))
		return refuse_destroyed_model();
	{
		base::BiasedGuard lock(model.lock);
		callbacks.swap(model.on_destroy);
	}
	for (const Model::Callback &callback : callbacks)
		callback.fn(callback.data);
	drop_model(model);
	return Status::OK;
}

} // namespace umd

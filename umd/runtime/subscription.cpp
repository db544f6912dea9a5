// SPDX-License-Identifier: MIT
/**
 * DOC: Subscriptions of models
 *
 * The device keeps the times of each node's last run. After an execution a host function reads them,
 * before the next one begins, and tells what is new.
 */
#include "umd/subscription.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include <fmt/format.h>

#include "base/thread.h"
#include "umd/error.h"
#include "umd/host_target.h"
#include "umd/profiler.h"

namespace umd {

using base::Status;

class Subscription final : public LaunchWatcher {
public:
	Subscription(uint32_t model, GraphExec &exec, std::shared_ptr<OperatorPipe> pipe)
		: model_(model), exec_(&exec), pipe_(std::move(pipe))
	{
	}

	void launched() override;
	void run() override;

	/* No launch follows. @over: none is under way either, or the graph goes away. */
	void end(bool over);

private:
	void finish();

	const uint32_t model_;
	std::mutex mutex_; /* protects the following */
	GraphExec *exec_;
	std::shared_ptr<OperatorPipe> pipe_;
	uint32_t thread_ = 0;
	uint32_t under_way_ = 0;
	bool ending_ = false;
};

void Subscription::launched()
{
	std::lock_guard lock(mutex_);
	thread_ = base::thread_id();
	under_way_++;
}

static void copy_text(char *to, size_t room, const std::string &text)
{
	size_t length = std::min(text.size(), room - 1);
	memcpy(to, text.data(), length);
	to[length] = '\0';
}

void Subscription::run()
{
	std::lock_guard lock(mutex_);
	if (!exec_)
		return;
	std::vector<OperatorRecord> records;
	for (const NodeRun &run : exec_->take_runs()) {
		OperatorRecord record{};
		record.magic = OperatorRecord::MAGIC;
		record.model = model_;
		record.begin_ns = run.begin_ns;
		record.end_ns = run.end_ns;
		copy_text(record.thread, sizeof(record.thread), std::to_string(thread_));
		copy_text(record.type, sizeof(record.type), run.type);
		copy_text(record.name, sizeof(record.name), run.name);
		records.push_back(record);
	}
	if (pipe_ && !records.empty())
		pipe_->push(records);
	if (--under_way_ == 0 && ending_)
		finish();
}

void Subscription::finish()
{
	exec_ = nullptr;
	if (pipe_)
		pipe_->leave();
	pipe_.reset();
}

void Subscription::end(bool over)
{
	std::lock_guard lock(mutex_);
	ending_ = true;
	if (over || under_way_ == 0)
		finish();
}

Status subscribe_model(Model &model, std::shared_ptr<OperatorPipe> pipe)
{
	base::BiasedGuard lock(model.lock);
	TRY(require_ready(model));
	if (model.parent)
		return set_error(
			Status::NOT_SUPPORTED,
			"the model belongs to a conditional task; subscribe to the one that "
			"is executed");
	if (model.subscription)
		return set_error(Status::MODEL_SUBSCRIBED,
				 fmt::format("model {} is subscribed to already; call "
					     "aclprofModelUnSubscribe first",
					     model.id));
	TRY(model.exec->keep_times());
	TRY(Profiler::get().begin_subscription());
	Status status = pipe ? pipe->join() : Status::OK;
	if (status != Status::OK) {
		Profiler::get().end_subscription();
		return status;
	}
	model.subscription = std::make_shared<Subscription>(model.id, *model.exec, std::move(pipe));
	model.exec->watch(model.subscription);
	return Status::OK;
}

/* Context: Model::lock held, or nobody has the model any more. */
static void end(Model &model, bool over)
{
	if (!model.subscription)
		return;
	if (model.exec)
		model.exec->watch(nullptr);
	model.subscription->end(over);
	model.subscription.reset();
	Profiler::get().end_subscription();
}

Status unsubscribe_model(Model &model)
{
	base::BiasedGuard lock(model.lock);
	if (!model.subscription)
		return set_error(Status::NO_MODEL,
				 fmt::format("model {} is not subscribed to", model.id));
	drv::Device *device = model.device.get();
	end(model, !device || device->done(model.exec->last()));
	return Status::OK;
}

void end_subscription(Model &model)
{
	end(model, true);
}

} // namespace umd

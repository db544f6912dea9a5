// SPDX-License-Identifier: MIT
/**
 * DOC: Subscriptions of models
 *
 * The device keeps the times of each node's last run. After each execution, and before the next one begins, a
 * host function reads the new times and queues them for the subscriber's pipe.
 *
 * A program may subscribe to a number that no model of this process has, such as the number of a model loaded
 * from a file. It reads its pipe until end of file, so the subscription keeps that pipe and closes it.
 */
#include "subscription.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "base/os/thread.h"
#include "base/sync/mutex.h"
#include "umd/core/device/host_target.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/error.h"
#include "umd/core/process/log.h"
#include "umd/core/process/process.h"
#include "umd/core/process/words.h"
#include "umd/core/watch/profiler.h"

namespace umd {

using base::Status;

class Subscription final : public LaunchWatcher {
public:
	Subscription(uint32_t model, GraphExec &exec, std::shared_ptr<OperatorPipe> pipe,
		     bool tells)
		: model_(model), tells_(tells), exec_(&exec), pipe_(std::move(pipe))
	{
	}

	void launched() override;
	void run() override;

	/* Ends the subscription: no further launch reports to it. @over: no launch is pending either, or the
	 * graph is being destroyed. */
	void end(bool over);

private:
	std::vector<OperatorRecord> records() REQUIRES(mutex_);
	void finish() REQUIRES(mutex_);

	const uint32_t model_;
	const bool tells_;
	base::Mutex mutex_{"Subscription::mutex_"};
	GraphExec *exec_ GUARDED_BY(mutex_);
	std::shared_ptr<OperatorPipe> pipe_ GUARDED_BY(mutex_);
	uint32_t thread_ GUARDED_BY(mutex_) = 0;
	uint32_t under_way_ GUARDED_BY(mutex_) = 0;
	bool ending_ GUARDED_BY(mutex_) = false;
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

std::vector<OperatorRecord> Subscription::records()
{
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
	return records;
}

void Subscription::run()
{
	std::lock_guard lock(mutex_);
	if (!exec_)
		return;
	if (tells_)
		pipe_->push(records());
	if (--under_way_ == 0 && ending_)
		finish();
}

void Subscription::finish()
{
	if (!exec_)
		return;
	exec_ = nullptr;
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

static Status refuse_twice(uint32_t model)
{
	return set_error(Status::MODEL_SUBSCRIBED,
			 fmt::format("model {} is subscribed to already; call "
				     "$profiling_model_unsubscribe first",
				     model));
}

/* Counts a subscription and joins the pipe as one of its producers. */
static Status begin(OperatorPipe &pipe)
{
	TRY(Profiler::get().begin_subscription());
	Status status = pipe.join();
	if (status != Status::OK)
		Profiler::get().end_subscription();
	return status;
}

static Status subscribe_model(Model &model, std::shared_ptr<OperatorPipe> pipe, bool tells)
{
	base::BiasedGuard lock(model.lock);
	TRY(require_ready(model));
	if (model.parent)
		return set_error(
			Status::NOT_SUPPORTED,
			"the model belongs to a conditional task; subscribe to the one that "
			"is executed");
	if (model.subscription)
		return refuse_twice(model.id);
	TRY(model.exec->keep_times());
	TRY(begin(*pipe));
	model.subscription =
		std::make_shared<Subscription>(model.id, *model.exec, std::move(pipe), tells);
	model.exec->watch(model.subscription);
	return Status::OK;
}

static void end(Model &model, bool over) REQUIRES(model.lock)
{
	if (!model.subscription)
		return;
	if (model.exec)
		model.exec->watch(nullptr);
	model.subscription->end(over);
	model.subscription.reset();
	Profiler::get().end_subscription();
}

static Status refuse_unsubscribed(uint32_t model)
{
	return set_error(Status::NO_MODEL, fmt::format("modelId is {}, which is not subscribed to; "
						       "call $profiling_model_subscribe first",
						       model));
}

static Status unsubscribe_model(Model &model)
{
	base::BiasedGuard lock(model.lock);
	if (!model.subscription)
		return refuse_unsubscribed(model.id);
	const DeviceHold device = model.device.hold();
	end(model, !device || model.exec->pending(*device).empty());
	return Status::OK;
}

void end_subscription(Model &model)
{
	end(model, true);
}

namespace {

/* The pipes of subscriptions to numbers that belonged to no model. */
struct Orphans {
	/* A subscription is checked and begun in one step. */
	base::Mutex mutex{"Subscriptions::mutex", base::HeldOver::ANSWERS};
	std::map<uint32_t, std::shared_ptr<OperatorPipe>> pipes GUARDED_BY(mutex);
};

Orphans &orphans()
{
	return Process::own<Orphans>();
}

} // namespace

Status subscribe(uint32_t model, std::shared_ptr<OperatorPipe> pipe, bool tells)
{
	Orphans &all = orphans();
	std::lock_guard lock(all.mutex);
	if (all.pipes.contains(model))
		return refuse_twice(model);
	if (Model *found = find_model_by_id(model))
		return subscribe_model(*found, std::move(pipe), tells);
	TRY(begin(*pipe));
	if (explains_errors())
		log_line(expand_words(
			fmt::format("unpu: $profiling_model_subscribe: no model has the number {}; "
				    "nothing comes through the pipe but its end",
				    model)));
	all.pipes.emplace(model, std::move(pipe));
	return Status::OK;
}

Status unsubscribe(uint32_t model)
{
	Orphans &all = orphans();
	std::lock_guard lock(all.mutex);
	auto entry = all.pipes.find(model);
	if (entry == all.pipes.end()) {
		Model *found = find_model_by_id(model);
		return found ? unsubscribe_model(*found) : refuse_unsubscribed(model);
	}
	entry->second->leave();
	all.pipes.erase(entry);
	Profiler::get().end_subscription();
	return Status::OK;
}

} // namespace umd

// SPDX-License-Identifier: MIT
/**
 * DOC: Subscriptions of models
 *
 * The device keeps the times of each node's last run. After each execution, and before the next one begins, a
 * host function reads the new times and queues them for the subscriber's pipe.
 *
 * A model of a file has a graph for each of its shapes, made when they are first run. So a subscription to its
 * number is kept by the number, and each launch looks whether there is one. A program may also subscribe to a
 * number that no model of this process has. It reads its pipe until end of file, so the subscription keeps that
 * pipe and closes it.
 */
#include "subscription.h"

#include <algorithm>
#include <atomic>
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

Subscription::Subscription(uint32_t model, GraphExec &exec, std::shared_ptr<OperatorPipe> pipe,
			   bool tells, std::shared_ptr<const NodeTexts> names)
	: model_(model), tells_(tells), names_(std::move(names)), exec_(&exec),
	  pipe_(std::move(pipe))
{
}

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

/* The launches of one node follow each other. */
void Subscription::add(std::vector<OperatorRecord> &records, const NodeRun &run) const
{
	OperatorRecord record{};
	record.magic = OperatorRecord::MAGIC;
	record.model = model_;
	record.begin_ns = run.begin_ns;
	record.end_ns = run.end_ns;
	copy_text(record.thread, sizeof(record.thread), std::to_string(thread_));
	const NodeName name = names_ ? name_of_node(names_->nodes[names_->node_of(run.node)])
				     : NodeName{run.type, run.name};
	copy_text(record.type, sizeof(record.type), name.type);
	copy_text(record.name, sizeof(record.name), name.name);
	records.push_back(record);
}

std::vector<OperatorRecord> Subscription::records()
{
	std::vector<OperatorRecord> records;
	size_t last = SIZE_MAX;
	for (const NodeRun &run : exec_->take_runs()) {
		const size_t node = names_ ? names_->node_of(run.node) : SIZE_MAX;
		if (node != SIZE_MAX && node == last)
			records.back().end_ns = run.end_ns;
		else
			add(records, run);
		last = node;
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
	if (--under_way_ == 0 && is_ending_)
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

void Subscription::end(bool is_over)
{
	std::lock_guard lock(mutex_);
	if (exec_ && !is_ending_)
		exec_->watch(nullptr);
	is_ending_ = true;
	if (is_over || under_way_ == 0)
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
	model.subscription = std::make_shared<Subscription>(model.id, *model.exec, std::move(pipe),
							    tells, nullptr);
	model.exec->watch(model.subscription);
	return Status::OK;
}

static void end(Model &model, bool over) REQUIRES(model.lock)
{
	if (!model.subscription)
		return;
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

/* struct Numbered - a subscription to a number that no struct Model has. @graphs: of the model of a file with it */
struct Numbered {
	std::shared_ptr<OperatorPipe> pipe;
	bool tells;
	std::vector<std::shared_ptr<Subscription>> graphs{};
};

struct AllNumbered {
	std::atomic<size_t> count{0};
	/* A subscription is checked and begun in one step. */
	base::Mutex mutex{"Subscriptions::mutex", base::HeldOver::ANSWERS};
	std::map<uint32_t, Numbered> of GUARDED_BY(mutex);
};

AllNumbered &all_numbered()
{
	return Process::own<AllNumbered>();
}

/* Context: the entry is in no map any more. */
void end(const Numbered &entry)
{
	for (const auto &graph : entry.graphs)
		graph->end(false);
	entry.pipe->leave();
	Profiler::get().end_subscription();
}

} // namespace

Status subscribe(uint32_t model, std::shared_ptr<OperatorPipe> pipe, bool tells)
{
	AllNumbered &all = all_numbered();
	std::lock_guard lock(all.mutex);
	if (all.of.contains(model))
		return refuse_twice(model);
	if (Model *found = find_model_by_id(model))
		return subscribe_model(*found, std::move(pipe), tells);
	TRY(begin(*pipe));
	if (explains_errors() && !has_model_number(model))
		log_line(expand_words(
			fmt::format("unpu: $profiling_model_subscribe: no model has the number {}; "
				    "nothing comes through the pipe but its end",
				    model)));
	all.of.emplace(model, Numbered{std::move(pipe), tells});
	all.count = all.of.size();
	return Status::OK;
}

Status unsubscribe(uint32_t model)
{
	AllNumbered &all = all_numbered();
	std::lock_guard lock(all.mutex);
	const auto entry = all.of.extract(model);
	all.count = all.of.size();
	if (entry.empty()) {
		Model *found = find_model_by_id(model);
		return found ? unsubscribe_model(*found) : refuse_unsubscribed(model);
	}
	end(entry.mapped());
	return Status::OK;
}

void end_subscription(uint32_t model)
{
	AllNumbered &all = all_numbered();
	std::lock_guard lock(all.mutex);
	const auto entry = all.of.extract(model);
	all.count = all.of.size();
	if (!entry.empty())
		end(entry.mapped());
}

Status follow_subscription(uint32_t model, GraphExec &exec,
			   const std::shared_ptr<const NodeTexts> &names,
			   std::shared_ptr<Subscription> &told)
{
	AllNumbered &all = all_numbered();
	if (all.count.load() == 0 && !told) [[likely]]
		return Status::OK;
	std::lock_guard lock(all.mutex);
	const auto entry = all.of.find(model);
	if (entry == all.of.end() || !entry->second.tells) {
		told.reset();
		return Status::OK;
	}
	auto &[pipe, tells, graphs] = entry->second;
	if (std::ranges::find(graphs, told) != graphs.end())
		return Status::OK;
	TRY(exec.keep_times());
	TRY(pipe->join());
	/* Shapes that are long gone. */
	std::erase_if(graphs, [](const auto &graph) { return graph.use_count() == 1; });
	told = std::make_shared<Subscription>(model, exec, pipe, tells, names);
	graphs.push_back(told);
	exec.watch(told);
	return Status::OK;
}

} // namespace umd

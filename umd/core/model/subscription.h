// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "model.h"
#include "umd/core/process/node_names.h"
#include "umd/core/watch/operator_pipe.h"

namespace umd {

/** class Subscription - sends records of the executions of one graph. Context: any thread. */
class Subscription final : public LaunchWatcher {
public:
	/** @names: of the nodes, of which each is told once for an execution; nullptr: each task is told, by its
	 * number */
	Subscription(uint32_t model, GraphExec &exec, std::shared_ptr<OperatorPipe> pipe,
		     bool tells, std::shared_ptr<const NodeTexts> names);

	void launched() override;
	void run() override;

	/** end() - no further launch reports to it. @is_over: no launch is pending either, or the graph is being
	 * destroyed. */
	void end(bool is_over);

private:
	void add(std::vector<OperatorRecord> &records, const NodeRun &run) const REQUIRES(mutex_);
	std::vector<OperatorRecord> records() REQUIRES(mutex_);
	void finish() REQUIRES(mutex_);

	const uint32_t model_;
	const bool tells_;
	const std::shared_ptr<const NodeTexts> names_;
	base::Mutex mutex_{"Subscription::mutex_"};
	GraphExec *exec_ GUARDED_BY(mutex_);
	std::shared_ptr<OperatorPipe> pipe_ GUARDED_BY(mutex_);
	uint32_t thread_ GUARDED_BY(mutex_) = 0;
	uint32_t under_way_ GUARDED_BY(mutex_) = 0;
	bool is_ending_ GUARDED_BY(mutex_) = false;
};

/** subscribe() - from the next execution of model number @model, sends a record to @pipe for each run of an
 * operator, a copy or a fill; of a model of a file, for each run of a node. If no model has the number, @pipe only gets
 * its end of file.
 * @tells: false: send only the end of file
 * Return: MODEL_SUBSCRIBED, MODEL_CAPTURED, MODEL_NOT_READY, NOT_SUPPORTED for a model inside another,
 * PROFILING_CONFLICT, as OperatorPipe::join(). */
base::Status subscribe(uint32_t model, std::shared_ptr<OperatorPipe> pipe, bool tells);

/** unsubscribe() - ends a subscription. Executions queued before still send records; then the pipe ends.
 * Return: NO_MODEL without a subscription. */
base::Status unsubscribe(uint32_t model);

/** end_subscription() - ends the subscription of a model that is destroyed. */
void end_subscription(Model &model) REQUIRES(model.lock);

/** follow_subscription() - call it before a launch of a graph of a model of a file, which is no struct Model.
 * @exec: of that launch @told: what the call before it gave for this graph, which follows the subscription from now on
 * Context: one thread at a time for each graph. Return: NO_MEMORY, NO_RESOURCE. */
base::Status follow_subscription(uint32_t model, GraphExec &exec,
				 const std::shared_ptr<const NodeTexts> &names,
				 std::shared_ptr<Subscription> &told);

/** end_subscription() - the same for the number of a model of a file. */
void end_subscription(uint32_t model);

} // namespace umd

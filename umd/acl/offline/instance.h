// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "desc.h"
#include "drv/channel/channel.h"
#include "models/lower/launch_list.h"
#include "program_graph.h"
#include "umd/core/graph/graph_exec.h"
#include "umd/core/model/subscription.h"
#include "umd/core/process/call.h"
#include "umd/core/process/node_names.h"
#include "weights.h"

namespace umd {

struct DumpOperator;
struct DumpOrigin;

/** struct Addresses - the device addresses of all inputs and outputs of a run. @told: of each output, the bytes of its
 * buffer, if one of them has fewer than the result; else empty */
struct Addresses {
	std::vector<uint64_t> inputs, outputs;
	std::vector<uint64_t> told;

	bool operator==(const Addresses &) const = default;
};

/** struct Range - addresses of the device. */
struct Range {
	uint64_t begin, end;

	bool operator==(const Range &) const = default;
};

/** struct LastRun - the latest run of a model, on whose work memory the next one runs. @point: its end in the trace */
struct LastRun {
	const GraphExec *exec = nullptr; /* nullptr: no graph ran */
	drv::Fence end{};
	uint32_t stream = 0; /* id */
	uint64_t point = 0;
};

/**
 * class Instance - a model at one shape on a device: one graph, whose nodes have the addresses of the run before.
 * Context: one thread at a time.
 */
class Instance : public std::enable_shared_from_this<Instance> {
public:
	/** make() - @program: of the shape @call: the API call @work: memory for numbers on the way
	 * Return: of acl_return(); the failure of the load. */
	static aclError make(const ContextHold &context, const char *call,
			     std::shared_ptr<const ModelFace> model, models::Program &&program,
			     std::shared_ptr<const Weights> weights, const Block &work,
			     std::shared_ptr<Instance> &made);

	~Instance();
	Instance(const Instance &) = delete;
	Instance &operator=(const Instance &) = delete;

	const models::Program &program() const { return program_; }

	/** work() - the addresses of the work memory. */
	Range work() const { return {work_.va, work_.va + work_.bytes}; }

	/** launch() - appends one run to @stream, which does not capture. @call: of the program
	 * @last: of the model, which this changes
	 * May block while the stream's ring is full. */
	base::Status launch(Stream &stream, const Addresses &at, Call call, LastRun &last);

	/** record() - appends the launches one by one, for a stream that captures or collects. Its graph keeps this
	 * object, and with it the memory that the launches name. */
	base::Status record(Stream &stream, const Addresses &at);

	/** run_nodes() - as launch(), with a task for each launch. A dump that is on gets them. */
	base::Status run_nodes(Stream &stream, const Addresses &at, Call call, LastRun &last);

	/** is_idle() - whether nothing needs this object any more but runs to come. @device: of it */
	bool is_idle(const drv::Device &device) const;

	/** note_end() - tells the trace that the host knows the end of all runs so far. */
	void note_end() const;

	/** was_last() - whether @last is a run of this object. */
	bool was_last(const LastRun &last) const;

	/** describe_node() - the launch that is a node of a graph of this object. @program: of its cookie
	 * Return: nullptr: there is none */
	std::shared_ptr<const DumpOperator> describe_node(uint8_t program, uint32_t node) const;

	/** failed_node() - the model and its node that a failure of @stream names; "" where it is none of this
	 * object. */
	std::string failed_node(const Stream &stream, const drv::Failure &failure) const;

private:
	/* The graph with the results where they belong (@is_apart false), or with results that are written to a place
	 * of their own and copied at the end. @number: in NodeNames @texts: by the numbers of its nodes */
	struct Form {
		bool is_apart = false;
		std::unique_ptr<GraphExec> exec{};
		std::shared_ptr<Subscription> told{}; /* the latest one */
		Addresses now{};
		uint8_t number = 0;
		std::shared_ptr<const NodeTexts> texts{};
		std::vector<Spot> spots{}; /* of each launch in the loaded graph */
		uint32_t first_copy = 0;
	};

	struct Keeper;
	struct KeptWords;

	Instance() = default;
	GraphTask tensor_task(size_t launch, const Addresses &at, const Form &form) const;
	uint64_t address(const models::Buffer &buffer, const Addresses &at, bool is_apart) const;
	std::vector<uint64_t> words(size_t launch, const Addresses &at, bool is_apart) const;
	bool overlaps(const Addresses &at) const;
	bool is_apart(const Addresses &at) const { return !at.told.empty() || overlaps(at); }
	uint64_t copied(size_t output, const Addresses &at) const
	{
		const uint64_t bytes = program_.outputs[output].bytes;
		return at.told.empty() ? bytes : std::min(bytes, at.told[output]);
	}
	base::Status load(Form &form, const ContextHold &context, const Addresses &at);
	base::Status move(Form &form, const Addresses &at);
	size_t copies() const
	{
		return static_cast<size_t>(std::ranges::count_if(
			program_.outputs, [](const models::Port &port) { return port.bytes > 0; }));
	}
	std::vector<GraphTask> copy_tasks(const Addresses &at, const Form &form) const;
	void name(Form &form);
	base::Status enqueue_launch(Stream &stream, size_t launch, const TensorWords &words,
				    const DumpOrigin *origin, uint64_t &task) const;
	base::Status record_tasks(Stream &stream, const Addresses &at, bool is_beside,
				  const std::shared_ptr<const Keeper> &keeper);
	base::Status record_graph(Stream &stream, const Addresses &at, bool is_beside,
				  const std::shared_ptr<const Keeper> &keeper);
	base::Result<bool> look(Stream &stream, const models::Choice &choice) const;
	aclError make_spare(const ContextHold &context);
	static base::Status follow(Stream &stream, const LastRun &last, Call call);
	void note_run(Stream &stream, const LastRun &run, LastRun &last);

	std::shared_ptr<const ModelFace> model_;
	models::Program program_;
	std::shared_ptr<const Weights> weights_;
	Block work_;
	std::shared_ptr<DeviceMemory> own_, spare_;
	std::vector<uint64_t> spares_; /* of each output, in spare_ */
	std::vector<uint32_t>
		touching_; /* launches that have the address of an input or an output */
	Form direct_, apart_{true};
	drv::Fence end_{};    /* of the latest run */
	uint64_t point_ = 0;  /* the same in the trace; 0: not recorded */
	uint64_t dumped_ = 0; /* how often run_nodes() ran */
};

} // namespace umd

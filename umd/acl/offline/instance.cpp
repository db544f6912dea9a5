// SPDX-License-Identifier: MIT
/**
 * DOC: A model on a device
 *
 * A program becomes a graph (program_graph.cpp). A run is one packet. Where a buffer of the program is not that of the
 * run before, the nodes that name it are changed by the packet before it.
 *
 * The memory plan may write a result before an input is read for the last time. So where a result lies on an input or
 * on another result, a second graph writes all results beside, and copies them when nothing is read any more.
 */
#include "instance.h"

#include <algorithm>

#include "drv/device.h"
#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "failure.h"
#include "node_dump.h"
#include "umd/acl/front.h"
#include "umd/core/copy/copy.h"
#include "umd/core/device/kernel_leftovers.h"
#include "umd/core/process/call.h"
#include "umd/core/record/observer.h"
#include "umd/core/stream/stream.h"

namespace umd {

using base::Result;
using base::Status;
using models::Relocation;
using models::Space;

static constexpr uint64_t ALIGNMENT = 64;

static uint64_t cookie_of(Call call, uint8_t number)
{
	return drv::cookie_call(static_cast<uint16_t>(call)) | drv::cookie_program(number);
}

GraphTask Instance::tensor_task(size_t launch, const Addresses &at, const Form &form) const
{
	const uint64_t cookie = cookie_of(Call::OPERATOR, form.number);
	auto words = std::make_shared<const std::vector<uint64_t>>(
		this->words(launch, at, form.is_apart));
	GraphTask task = graph_task(drv::tensor_packet(cookie, program_.launches[launch].kind,
						       words->size() * sizeof(uint64_t)),
				    nullptr);
	task.tensor = std::move(words);
	return task;
}

Instance::~Instance()
{
	for (const Form *form : {&direct_, &apart_}) {
		if (form->told)
			form->told->end(true);
		NodeNames::get().remove(form->number);
	}
	recorder::observer.note_point_end(point_);
}

/* Gives the nodes of a graph names. With copies behind the launches, those in branches have other numbers. */
void Instance::name(Form &form)
{
	auto made = std::make_shared<NodeTexts>();
	made->model = fmt::format("model {} ({})", model_->id, model_->face.name);
	made->nodes = program_.nodes;
	made->nodes.emplace_back("the copies of its results");
	made->of_tasks = node_numbers(program_, form.is_apart ? copies() : 0,
				      static_cast<uint32_t>(program_.nodes.size()));
	form.texts = std::move(made);
	form.number = NodeNames::get().add(form.texts);
}

aclError Instance::make(const ContextHold &context, const char *call,
			std::shared_ptr<const ModelFace> model, models::Program &&program,
			std::shared_ptr<const Weights> weights, const Block &work,
			std::shared_ptr<Instance> &made)
{
	std::shared_ptr<Instance> instance(new Instance);
	instance->model_ = std::move(model);
	instance->program_ = std::move(program);
	instance->weights_ = std::move(weights);
	instance->work_ = work;
	const models::Program &of = instance->program_;
	TRY_CODE(DeviceMemory::make(context, of.own.size(), instance->own_));
	TRY_CODE(write_block(context, call, instance->own_->va(), of.own));
	for (uint32_t k = 0; k < of.launches.size(); k++)
		if (std::any_of(of.launches[k].addresses.begin(), of.launches[k].addresses.end(),
				[&](const Relocation &each) {
					const Space space = of.buffers[each.buffer].space;
					return space == Space::INPUT || space == Space::OUTPUT;
				}))
			instance->touching_.push_back(k);
	instance->name(instance->direct_);
	made = std::move(instance);
	return ACL_SUCCESS;
}

uint64_t Instance::address(const models::Buffer &buffer, const Addresses &at, bool is_apart) const
{
	switch (buffer.space) {
	case Space::INPUT:
		return at.inputs[buffer.index];
	case Space::OUTPUT:
		return is_apart ? spare_->va() + spares_[buffer.index] : at.outputs[buffer.index];
	case Space::WEIGHTS:
		return weights_->block.va + weights_->places[buffer.index];
	case Space::OWN:
		return own_->va() + buffer.offset;
	case Space::ARENA:
		break;
	}
	return work_.va + buffer.offset;
}

std::vector<uint64_t> Instance::words(size_t launch, const Addresses &at, bool is_apart) const
{
	std::vector<uint64_t> words = program_.launches[launch].words;
	for (const Relocation &each : program_.launches[launch].addresses)
		words[each.word] =
			address(program_.buffers[each.buffer], at, is_apart) + each.offset;
	return words;
}

/* Whether a result lies on an input or on another result. */
bool Instance::overlaps(const Addresses &at) const
{
	struct Use {
		uint64_t begin, end;
		bool is_written;
	};
	std::vector<Use> ranges;
	for (size_t i = 0; i < at.inputs.size(); i++)
		ranges.push_back({at.inputs[i], at.inputs[i] + program_.inputs[i].bytes, false});
	for (size_t i = 0; i < at.outputs.size(); i++)
		ranges.push_back({at.outputs[i], at.outputs[i] + program_.outputs[i].bytes, true});
	std::sort(ranges.begin(), ranges.end(),
		  [](const Use &a, const Use &b) { return a.begin < b.begin; });
	uint64_t read_end = 0, written_end = 0;
	for (const Use &range : ranges) {
		if (range.begin == range.end)
			continue;
		if (range.begin < written_end || (range.is_written && range.begin < read_end))
			return true;
		uint64_t &end = range.is_written ? written_end : read_end;
		end = std::max(end, range.end);
	}
	return false;
}

aclError Instance::make_spare(const ContextHold &context)
{
	uint64_t bytes = 0;
	spares_.clear();
	for (const models::Port &port : program_.outputs) {
		spares_.push_back(bytes);
		bytes += (port.bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	}
	return DeviceMemory::make(context, bytes, spare_);
}

std::vector<GraphTask> Instance::copy_tasks(const Addresses &at, const Form &form) const
{
	std::vector<GraphTask> tasks;
	for (size_t i = 0; form.is_apart && i < program_.outputs.size(); i++)
		if (program_.outputs[i].bytes > 0)
			tasks.push_back(graph_task(
				drv::copy_packet(cookie_of(Call::MEMCPY_ASYNC, form.number),
						 at.outputs[i], spare_->va() + spares_[i],
						 copied(i, at)),
				nullptr));
	return tasks;
}

Status Instance::load(Form &form, const ContextHold &context, const Addresses &at)
{
	if (!form.texts)
		name(form);
	const std::vector<GraphTask> copies = copy_tasks(at, form);
	ProgramGraph made = build_graph(
		program_,
		{[&](size_t k) { return tensor_task(k, at, form); },
		 [&](const models::Buffer &word) { return address(word, at, form.is_apart); },
		 cookie_of(Call::OPERATOR, form.number), copies});
	auto exec = TRY(GraphExec::create(*context->open, std::move(made.graph)));
	form.exec = std::move(exec);
	form.spots = std::move(made.spots);
	form.first_copy = made.rest;
	form.now = at;
	return Status::OK;
}

/* Changes the nodes that name what is not where it was. The changes go with the next launch. */
Status Instance::move(Form &form, const Addresses &at)
{
	const Addresses before = std::exchange(form.now, Addresses{});
	const auto has_moved = [&](const models::Buffer &buffer) {
		const bool is_input = buffer.space == Space::INPUT;
		if (before.inputs.empty() && before.outputs.empty())
			return true;
		if (!is_input && (buffer.space != Space::OUTPUT || form.is_apart))
			return false;
		return is_input ? before.inputs[buffer.index] != at.inputs[buffer.index]
				: before.outputs[buffer.index] != at.outputs[buffer.index];
	};
	for (const uint32_t k : touching_) {
		const auto &addresses = program_.launches[k].addresses;
		if (std::any_of(addresses.begin(), addresses.end(), [&](const Relocation &each) {
			    return has_moved(program_.buffers[each.buffer]);
		    }))
			TRY(form.exec->set(*form.spots[k].part, form.spots[k].node,
					   tensor_task(k, at, form)));
	}
	uint32_t node = form.first_copy;
	for (const GraphTask &task : copy_tasks(at, form))
		TRY(form.exec->set(form.exec->graph(), node++, task));
	form.now = at;
	return Status::OK;
}

Status Instance::launch(Stream &stream, const Addresses &at, Call call, LastRun &last)
{
	Form &form = is_apart(at) ? apart_ : direct_;
	const ContextHold context(*stream.context);
	if (!context)
		return stream_gone(stream);
	if (form.is_apart && !spare_ && make_spare(context) != ACL_SUCCESS)
		return Status::NO_MEMORY;
	/* A trace has to show that the program names the memory anew: at its address there may be another allocation
	 * than at the run before. */
	if (form.exec && form.exec->traced())
		form.now = {};
	if (!form.exec)
		TRY(load(form, context, at));
	else if (form.now != at)
		TRY(move(form, at));
	TRY(follow_subscription(model_->id, *form.exec, form.texts, form.told));
	/* Launches of one graph follow each other by themselves. */
	if (last.exec != form.exec.get())
		TRY(follow(stream, last, call));
	auto fence = TRY(form.exec->launch(stream, static_cast<uint16_t>(call)));
	note_run(stream, {form.exec.get(), fence}, last);
	return Status::OK;
}

/* struct Keeper - keeps an instance for a graph, which may end under a lock. */
struct Instance::Keeper {
	explicit Keeper(std::shared_ptr<const Instance> of) : instance(std::move(of)) {}
	~Keeper() { KernelLeftovers::get().add_owner(std::move(instance)); }
	Keeper(const Keeper &) = delete;
	Keeper &operator=(const Keeper &) = delete;

	std::shared_ptr<const Instance> instance;
};

/* struct KeptWords - a descriptor that keeps the memory that it names. */
struct Instance::KeptWords {
	std::shared_ptr<const Keeper> keeper;
	std::vector<uint64_t> words;
};

/* Appends one launch. @origin: of a dump; nullptr: there is none @task: receives its number in a dumped run */
Status Instance::enqueue_launch(Stream &stream, size_t launch, const TensorWords &words,
				const DumpOrigin *origin, uint64_t &task) const
{
	unpu_packet packet =
		drv::tensor_packet(cookie_of(Call::OPERATOR, 0), program_.launches[launch].kind,
				   words->size() * sizeof(uint64_t));
	packet.flags = operator_flags(stream);
	const auto dump =
		origin ? Dumps::get().begin(
				 stream,
				 describe_launch(program_.nodes[program_.launches[launch].node],
						 *words),
				 origin)
		       : nullptr;
	TRY(enqueue_tensor(stream, packet, words));
	if (origin)
		task = stream.channel->task_number(stream.channel->last());
	if (dump)
		Dumps::get().end(stream, dump);
	return Status::OK;
}

/* Whether the choice takes its first branch. Waits for the launches before it. */
Result<bool> Instance::look(Stream &stream, const models::Choice &choice) const
{
	const ContextHold context(*stream.context);
	uint64_t word = 0;
	if (!context)
		return stream_gone(stream);
	if (ThreadState::mine().host_stream != 0)
		return set_error(Status::NOT_SUPPORTED,
				 fmt::format("{} waits for its condition while its nodes are "
					     "dumped, and a stream runs the function of the "
					     "program that makes this call; run the model from "
					     "another thread",
					     program_.nodes[choice.node]));
	(void)context->device().wait(stream.channel->last(), base::NO_DEADLINE);
	recorder::observer.note_stream(san::Kind::STREAM_SYNC, stream);
	TRY(copy_now(
		context, "aclmdlExecute", &word,
		reinterpret_cast<const void *>(work_.va + program_.buffers[choice.buffer].offset),
		sizeof(word)));
	return word != 0;
}

/* A node of a capture or of a list, which has the graph of a run inside it. */
Status Instance::record_graph(Stream &stream, const Addresses &at, bool is_beside,
			      const std::shared_ptr<const Keeper> &keeper)
{
	Form form;
	form.is_apart = is_beside;
	const std::vector<GraphTask> copies = copy_tasks(at, form);
	const auto launch = [&](size_t k) {
		GraphTask task = tensor_task(k, at, form);
		auto kept = std::make_shared<KeptWords>(KeptWords{keeper, *task.tensor});
		task.tensor = TensorWords(kept, &kept->words);
		task.packet.flags = operator_flags(stream);
		return task;
	};
	const ProgramGraph made = build_graph(
		program_,
		{launch, [&](const models::Buffer &word) { return address(word, at, is_beside); },
		 cookie_of(Call::OPERATOR, 0), copies});
	return enqueue_graph(stream, *made.graph);
}

Status Instance::record_tasks(Stream &stream, const Addresses &at, bool is_beside,
			      const std::shared_ptr<const Keeper> &keeper)
{
	const bool is_dumped = stream.sink.is_empty();
	const DumpOrigin origin = is_dumped ? origin_of(*model_, dumped_) : DumpOrigin();
	const std::vector<uint32_t> numbers = launch_numbers(program_);
	std::vector<uint64_t> tasks(direct_.texts->of_tasks.size(), UINT64_MAX);
	const auto add = [&](size_t k) -> Status {
		auto kept = std::make_shared<KeptWords>(KeptWords{keeper, words(k, at, is_beside)});
		return enqueue_launch(stream, k, TensorWords(kept, &kept->words),
				      is_dumped ? &origin : nullptr, tasks[numbers[k]]);
	};
	const auto choose = [&](const models::Choice &choice) { return look(stream, choice); };
	TRY(walk_program(program_, choose, add));
	for (size_t i = 0; is_beside && i < program_.outputs.size(); i++)
		if (program_.outputs[i].bytes > 0)
			TRY(copy_async(stream, reinterpret_cast<void *>(at.outputs[i]),
				       reinterpret_cast<void *>(spare_->va() + spares_[i]),
				       copied(i, at)));
	if (is_dumped)
		NodeNames::get().add_run(stream.serial, std::move(tasks), direct_.texts);
	return Status::OK;
}

Status Instance::record(Stream &stream, const Addresses &at)
{
	const bool is_beside = is_apart(at);
	const ContextHold context(*stream.context);
	if (!context)
		return stream_gone(stream);
	if (is_beside && !spare_ && make_spare(context) != ACL_SUCCESS)
		return Status::NO_MEMORY;
	const auto keeper = std::make_shared<const Keeper>(shared_from_this());
	if (!stream.sink.is_empty() && !program_.choices.empty())
		return record_graph(stream, at, is_beside, keeper);
	return record_tasks(stream, at, is_beside, keeper);
}

Status Instance::run_nodes(Stream &stream, const Addresses &at, Call call, LastRun &last)
{
	TRY(follow(stream, last, call));
	TRY(record(stream, at));
	dumped_++;
	note_run(stream, {nullptr, stream.channel->last()}, last);
	return Status::OK;
}

/* Lets the stream wait for the latest run of the model. A gate would name another call than that of the program. */
Status Instance::follow(Stream &stream, const LastRun &last, Call call)
{
	if (last.end.empty())
		return Status::OK;
	if (last.end.sem != stream.channel->timeline() && !stream.context->device().done(last.end))
		TRY(submit(stream, drv::order_packet(drv::cookie_call(static_cast<uint16_t>(call)),
						     last.end.sem, last.end.value)));
	recorder::observer.note_point_wait(last.point, stream);
	return Status::OK;
}

void Instance::note_run(Stream &stream, const LastRun &run, LastRun &last)
{
	point_ = recorder::observer.note_run(point_, stream);
	last = {run.exec, run.end, stream.id, point_};
	end_ = run.end;
}

bool Instance::is_idle(const drv::Device &device) const
{
	return end_.empty() || device.done(end_);
}

void Instance::note_end() const
{
	recorder::observer.note_point_sync(point_);
}

bool Instance::was_last(const LastRun &last) const
{
	return !end_.empty() && last.end.sem == end_.sem && last.end.value == end_.value;
}

std::shared_ptr<const DumpOperator> Instance::describe_node(uint8_t program, uint32_t node) const
{
	for (const Form *form : {&direct_, &apart_}) {
		if (program == 0 || form->number != program || !form->exec)
			continue;
		for (size_t k = 0; k < form->spots.size(); k++)
			if (form->exec->number(*form->spots[k].part, form->spots[k].node) == node)
				return describe_launch(program_.nodes[program_.launches[k].node],
						       words(k, form->now, form->is_apart));
	}
	return nullptr;
}

std::string Instance::failed_node(const Stream &stream, const drv::Failure &failure) const
{
	const drv::Command command = drv::decode_cookie(failure.cookie);
	if (failure.status == Status::OK)
		return {};
	if (!command.is_node())
		return NodeNames::get().task_text(stream.serial, command.index);
	for (const Form *form : {&direct_, &apart_})
		if (form->number != 0 && command.program() == form->number)
			return form->texts->text(command.node());
	return {};
}

} // namespace umd

// SPDX-License-Identifier: MIT
/**
 * DOC: A model on a device
 *
 * The launches of a program become the nodes of a graph, one after the other. A run is one packet. Where a buffer of
 * the program is not that of the run before, the nodes that name it are changed by the packet before it.
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

using base::Status;
using models::Relocation;
using models::Space;

static constexpr uint64_t ALIGNMENT = 64;

GraphTask Instance::tensor_task(size_t launch, const Addresses &at, bool is_apart) const
{
	const auto cookie = drv::cookie_call(static_cast<uint16_t>(Call::OPERATOR)) |
			    drv::cookie_program(number_);
	auto words =
		std::make_shared<const std::vector<uint64_t>>(this->words(launch, at, is_apart));
	GraphTask task = graph_task(drv::tensor_packet(cookie, program_.launches[launch].kind,
						       words->size() * sizeof(uint64_t)),
				    nullptr);
	task.tensor = std::move(words);
	return task;
}

Instance::~Instance()
{
	for (const Form *form : {&direct_, &apart_})
		if (form->told)
			form->told->end(true);
	NodeNames::get().remove(number_);
	recorder::observer.note_point_end(point_);
}

/* Takes the texts out of @program. */
static std::shared_ptr<const NodeTexts> texts_of(const ModelFace &model, models::Program &program)
{
	auto made = std::make_shared<NodeTexts>();
	made->model = fmt::format("model {} ({})", model.id, model.face.name);
	made->nodes = std::move(program.nodes);
	made->nodes.emplace_back("the copies of its results");
	for (const models::Launch &launch : program.launches)
		made->of_tasks.push_back(launch.node);
	return made;
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
	instance->texts_ = texts_of(*instance->model_, instance->program_);
	instance->number_ = NodeNames::get().add(instance->texts_);
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

GraphTask Instance::copy_task(size_t output, const Addresses &at) const
{
	const auto cookie = drv::cookie_call(static_cast<uint16_t>(Call::MEMCPY_ASYNC)) |
			    drv::cookie_program(number_);
	return graph_task(drv::copy_packet(cookie, at.outputs[output],
					   spare_->va() + spares_[output], copied(output, at)),
			  nullptr);
}

Status Instance::load(Form &form, const ContextHold &context, const Addresses &at)
{
	auto graph = std::make_unique<Graph>();
	std::vector<uint32_t> after;
	const auto add = [&](const GraphTask &task) { after = {graph->add(task, 0, after)}; };
	for (size_t k = 0; k < program_.launches.size(); k++)
		add(tensor_task(k, at, form.is_apart));
	for (size_t i = 0; form.is_apart && i < program_.outputs.size(); i++)
		if (program_.outputs[i].bytes > 0)
			add(copy_task(i, at));
	auto exec = TRY(GraphExec::create(*context->open, std::move(graph)));
	form.exec = std::move(exec);
	form.now = at;
	return Status::OK;
}

/* Changes the nodes that name what is not where it was. The changes go with the next launch. */
Status Instance::move(Form &form, const Addresses &at)
{
	const Addresses before = std::exchange(form.now, Addresses{});
	Graph &graph = form.exec->graph();
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
			TRY(form.exec->set(graph, k, tensor_task(k, at, form.is_apart)));
	}
	auto node = static_cast<uint32_t>(program_.launches.size());
	for (size_t i = 0; form.is_apart && i < program_.outputs.size(); i++)
		if (program_.outputs[i].bytes > 0)
			TRY(form.exec->set(graph, node++, copy_task(i, at)));
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
	TRY(follow_subscription(model_->id, *form.exec, texts_, form.told));
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

Status Instance::record(Stream &stream, const Addresses &at)
{
	const bool is_beside = is_apart(at);
	const ContextHold context(*stream.context);
	if (!context)
		return stream_gone(stream);
	if (is_beside && !spare_ && make_spare(context) != ACL_SUCCESS)
		return Status::NO_MEMORY;
	const bool is_dumped = stream.sink.is_empty();
	const DumpOrigin origin = is_dumped ? origin_of(*model_, dumped_) : DumpOrigin();
	std::vector<uint64_t> tasks;
	const auto keeper = std::make_shared<const Keeper>(shared_from_this());
	for (size_t k = 0; k < program_.launches.size(); k++) {
		auto kept = std::make_shared<KeptWords>(KeptWords{keeper, words(k, at, is_beside)});
		unpu_packet packet = drv::tensor_packet(
			drv::cookie_call(static_cast<uint16_t>(Call::OPERATOR)),
			program_.launches[k].kind, kept->words.size() * sizeof(uint64_t));
		packet.flags = operator_flags(stream);
		const TensorWords tensor(kept, &kept->words);
		const auto dump =
			is_dumped ? Dumps::get().begin(
					    stream,
					    describe_launch(texts_->nodes[texts_->node_of(k)],
							    kept->words),
					    &origin)
				  : nullptr;
		TRY(enqueue_tensor(stream, packet, tensor));
		if (is_dumped)
			tasks.push_back(stream.channel->task_number(stream.channel->last()));
		if (dump)
			Dumps::get().end(stream, dump);
	}
	for (size_t i = 0; is_beside && i < program_.outputs.size(); i++)
		if (program_.outputs[i].bytes > 0)
			TRY(copy_async(stream, reinterpret_cast<void *>(at.outputs[i]),
				       reinterpret_cast<void *>(spare_->va() + spares_[i]),
				       copied(i, at)));
	if (is_dumped)
		NodeNames::get().add_run(stream.serial, std::move(tasks), texts_);
	return Status::OK;
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

std::string Instance::failed_node(const Stream &stream, const drv::Failure &failure) const
{
	const drv::Command command = drv::decode_cookie(failure.cookie);
	if (failure.status == Status::OK)
		return {};
	if (!command.is_node())
		return NodeNames::get().task_text(stream.serial, command.index);
	const bool is_mine = number_ != 0 && command.program() == number_;
	return is_mine ? texts_->text(command.node()) : std::string();
}

} // namespace umd

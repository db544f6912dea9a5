// SPDX-License-Identifier: MIT
/**
 * DOC: Graph of a built model
 *
 * Every step of a stream is one node, so the number of a node follows from its position. The chain of a
 * stream that a task starts sleeps until then. If that stream is also a head, an extra ACTIVATE node starts
 * it when the graph starts.
 */
#include "model_graph.h"

#include <unordered_map>

#include <fmt/format.h>

#include "drv/channel/cookie.h"
#include "drv/channel/packets.h"
#include "umd/core/process/error.h"
#include "umd/core/stream/stream.h"

namespace umd {

using base::Result;
using base::Status;

namespace {

uint64_t cookie()
{
	return drv::cookie_call(static_cast<uint8_t>(Call::EXECUTE_MODEL));
}

class Builder {
public:
	explicit Builder(std::vector<ModelPart> parts) : parts_(std::move(parts)) {}

	Result<std::unique_ptr<Graph>> run();

private:
	struct Place {
		size_t part;
		uint32_t node;
	};

	Status find_started();
	void number();
	Status add(size_t part);
	Status add_step(size_t part, const Step &step, std::span<const uint32_t> after);
	Status find_targets(size_t part, const Step &step, std::vector<uint32_t> &targets) const;

	std::vector<ModelPart> parts_;
	std::vector<bool> started_;   /* per part: whether an ACTIVATE step starts it */
	std::vector<uint32_t> first_; /* per part: its first node */
	std::unordered_map<uint64_t, size_t> part_of_;
	std::unordered_map<uint64_t, Place> labels_;
	std::unique_ptr<Graph> graph_ = std::make_unique<Graph>();
};

Status Builder::find_started()
{
	started_.resize(parts_.size());
	for (size_t i = 0; i < parts_.size(); i++)
		part_of_[parts_[i].stream] = i;
	for (const ModelPart &part : parts_) {
		for (const Step &step : part.steps) {
			if (step.kind != Step::Kind::ACTIVATE)
				continue;
			auto target = part_of_.find(step.handle);
			if (target == part_of_.end())
				return set_error(
					Status::STREAM_MODEL,
					fmt::format(
						"stream {} starts a stream that is not bound to "
						"the model any more",
						part.id));
			started_[target->second] = true;
		}
	}
	return Status::OK;
}

/*
 * Numbers the nodes. A started part without steps gets an empty step as the target of its ACTIVATE. A part
 * that is neither a head nor started can't run, so its steps are dropped.
 */
void Builder::number()
{
	uint32_t next = 0;
	for (size_t i = 0; i < parts_.size(); i++) {
		ModelPart &part = parts_[i];
		if (!part.is_head && !started_[i])
			part.steps.clear();
		if (part.steps.empty() && started_[i]) {
			Step nothing;
			nothing.kind = Step::Kind::LABEL;
			part.steps.push_back(nothing);
		}
		first_.push_back(next);
		for (const Step &step : part.steps) {
			if (step.kind == Step::Kind::LABEL)
				labels_[step.handle] = {i, next};
			next++;
		}
	}
}

Status Builder::find_targets(size_t part, const Step &step, std::vector<uint32_t> &targets) const
{
	for (size_t i = 0; i < step.labels.size(); i++) {
		auto label = labels_.find(step.labels[i]);
		if (label == labels_.end() || label->second.part != part)
			return set_error(
				Status::INVALID_ARGUMENT,
				fmt::format(
					"a task of stream {} can go on at label {} of its list, "
					"which is not set in that stream",
					parts_[part].id, i));
		targets.push_back(label->second.node);
	}
	return Status::OK;
}

Status Builder::add_step(size_t part, const Step &step, std::span<const uint32_t> after)
{
	auto stream = static_cast<uint32_t>(part);
	std::vector<uint32_t> targets;
	GraphTask nothing;
	switch (step.kind) {
	case Step::Kind::TASK:
		graph_->add(step.task, stream, after);
		break;
	case Step::Kind::LABEL:
		nothing.kind = TaskKind::EMPTY;
		nothing.packet = drv::nop_packet(cookie());
		graph_->add(nothing, stream, after);
		break;
	case Step::Kind::JUMP:
		TRY(find_targets(part, step, targets));
		graph_->add_jump(step.va, std::move(targets), cookie(), stream, after);
		break;
	case Step::Kind::ACTIVATE:
		graph_->add_activate(step.rule, first_[part_of_.at(step.handle)], cookie(), stream,
				     after);
		break;
	}
	return Status::OK;
}

Status Builder::add(size_t part)
{
	for (const Step &step : parts_[part].steps) {
		uint32_t before = graph_->size() - 1;
		bool first = graph_->size() == first_[part];
		TRY(add_step(part, step, {&before, first ? 0u : 1u}));
	}
	return Status::OK;
}

Result<std::unique_ptr<Graph>> Builder::run()
{
	TRY(find_started());
	number();
	for (size_t i = 0; i < parts_.size(); i++)
		TRY(add(i));
	for (size_t i = 0; i < parts_.size(); i++) {
		if (parts_[i].is_head && started_[i])
			graph_->add_activate({}, first_[i], cookie(), static_cast<uint32_t>(i), {});
	}
	return std::move(graph_);
}

} // namespace

Result<std::unique_ptr<Graph>> make_model_graph(std::vector<ModelPart> parts)
{
	return Builder(std::move(parts)).run();
}

} // namespace umd

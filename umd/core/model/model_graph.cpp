// SPDX-License-Identifier: MIT
/**
 * DOC: Graph of a built model
 *
 * Every step of a stream is one node, so the number of a node follows from its position. The chain of a
 * stream that a task starts sleeps until then. If that stream is also a head, an extra ACTIVATE node starts
 * it when the graph starts. A stream that runs only if another stream jumps to it is a guest. Its nodes are
 * on the chain of that other stream, after a node that ends the chain.
 */
#include "model_graph.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "drv/attachment/address_space.h"
#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "umd/core/process/call.h"
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

	static constexpr size_t NOBODY = SIZE_MAX;

	bool runs_alone(size_t part) const { return parts_[part].is_head || started_[part]; }
	Status find_started();
	void find_labels();
	Status find_guests();
	Status add_guests(size_t host, size_t part, size_t from);
	bool leads_to_guest(size_t place) const;
	void number();
	Status add(size_t place);
	Status add_step(size_t part, const Step &step, std::span<const uint32_t> after);
	Status find_targets(size_t part, const Step &step, std::vector<uint32_t> &targets) const;

	std::vector<ModelPart> parts_;
	std::vector<bool> started_;   /* per part: whether an ACTIVATE step starts it */
	std::vector<size_t> order_;   /* parts that run; each host is followed by its guests */
	std::vector<size_t> host_;    /* per part: the part on whose chain it is, or NOBODY */
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
						"the model any more; build another model with both",
						part.id));
			started_[target->second] = true;
		}
	}
	return Status::OK;
}

void Builder::find_labels()
{
	for (size_t i = 0; i < parts_.size(); i++) {
		for (const Step &step : parts_[i].steps) {
			if (step.kind == Step::Kind::LABEL)
				labels_[step.handle] = {i, 0};
		}
	}
}

/* Puts the target part of a jump on the chain of @host. @from: index of the stream with the jump, for the
 * error message */
Status Builder::add_guests(size_t host, size_t part, size_t from)
{
	if (host_[part] == host)
		return Status::OK;
	if (runs_alone(part) || host_[part] != NOBODY)
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format(
				"a task of stream {} can go on at a label in stream {}, which {}; "
				"bind that stream with $MODEL_STREAM_FLAG_DEFAULT and let the "
				"tasks of one stream lead to it",
				parts_[from].id, parts_[part].id,
				runs_alone(part) ? "runs by itself"
						 : "tasks of another stream lead to as well"));
	host_[part] = host;
	order_.push_back(part);
	return Status::OK;
}

/* Finds the parts that run: each part that runs by itself, followed by its guests. */
Status Builder::find_guests()
{
	host_.assign(parts_.size(), NOBODY);
	for (size_t host = 0; host < parts_.size(); host++) {
		if (!runs_alone(host))
			continue;
		host_[host] = host;
		order_.push_back(host);
		for (size_t place = order_.size() - 1; place < order_.size(); place++) {
			const size_t from = order_[place];
			for (const Step &step : parts_[from].steps) {
				for (uint64_t label : step.labels) {
					auto found = labels_.find(label);
					if (found != labels_.end())
						TRY(add_guests(host, found->second.part, from));
				}
			}
		}
	}
	return Status::OK;
}

/* Whether the part at index @place of @order_ is followed by another part on its chain. */
bool Builder::leads_to_guest(size_t place) const
{
	return place + 1 < order_.size() && host_[order_[place + 1]] == host_[order_[place]];
}

/*
 * Numbers the nodes. A started part without steps gets an empty step as the target of its ACTIVATE. A part
 * that neither runs by itself nor is a guest can't run, so it has no nodes.
 */
void Builder::number()
{
	uint32_t next = 0;
	first_.assign(parts_.size(), 0);
	for (size_t place = 0; place < order_.size(); place++) {
		ModelPart &part = parts_[order_[place]];
		if (part.steps.empty() && started_[order_[place]]) {
			Step nothing;
			nothing.kind = Step::Kind::LABEL;
			part.steps.push_back(nothing);
		}
		first_[order_[place]] = next;
		for (const Step &step : part.steps) {
			if (step.kind == Step::Kind::LABEL)
				labels_[step.handle] = {order_[place], next};
			next++;
		}
		next += leads_to_guest(place) ? 1 : 0;
	}
}

Status Builder::find_targets(size_t part, const Step &step, std::vector<uint32_t> &targets) const
{
	for (size_t i = 0; i < step.labels.size(); i++) {
		auto label = labels_.find(step.labels[i]);
		if (label == labels_.end())
			return set_error(
				Status::INVALID_ARGUMENT,
				fmt::format(
					"a task of stream {} can go on at label {} of its list, "
					"which is set in no stream of the model; call $set_label",
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
	case Step::Kind::GRAPH:
		graph_->add_child(*step.graph, stream, after);
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

Status Builder::add(size_t place)
{
	const size_t part = order_[place];
	const bool is_host = host_[part] == part;
	auto before = [&] { return graph_->size() - 1; };
	for (const Step &step : parts_[part].steps) {
		const bool is_first = is_host && graph_->size() == first_[part];
		const uint32_t last = before();
		TRY(add_step(part, step, {&last, is_first ? 0u : 1u}));
	}
	if (!leads_to_guest(place))
		return Status::OK;
	/* The stream ends here. Only a jump can reach the steps after it. */
	const uint32_t last = before();
	graph_->add_jump(0, {Graph::NONE}, cookie(), static_cast<uint32_t>(part), {&last, 1});
	return Status::OK;
}

Result<std::unique_ptr<Graph>> Builder::run()
{
	TRY(find_started());
	find_labels();
	TRY(find_guests());
	number();
	for (size_t place = 0; place < order_.size(); place++)
		TRY(add(place));
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

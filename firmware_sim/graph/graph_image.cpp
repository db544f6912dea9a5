// SPDX-License-Identifier: MIT
/**
 * DOC: Graph image
 *
 * The reader copies each part of an image once, with the sizes of a header that it copied before. Then
 * it checks the copy as a whole: the parts cover each other without gaps, edges lead forward, join
 * counts agree with the edges, every region but the first belongs to one earlier node, jumps stay in
 * their line, packets and operators are valid. So a running graph needs no further checks, and only
 * explicit loops can run forever.
 */
#include "graph_image.h"

#include <algorithm>
#include <cstring>

#include "firmware_sim/core/command_processor.h"
#include "firmware_sim/engine/background_work.h"
#include "firmware_sim/kernels/operator_check.h"
#include "firmware_sim/tensor/tensor_op.h"
#include "firmware_sim/worker/kernel_launch.h"

namespace fw {

using base::Result;
using base::Status;

namespace {

/* Bytes between two calls of BackgroundWork::note_work(). */
constexpr uint64_t PART_BYTES = 64u << 10;

/* class Reader - copies one part after the other out of a block. */
class Reader {
public:
	Reader(const std::byte *block, uint64_t bytes) : at_(block), left_(bytes) {}

	bool empty() const { return left_ == 0; }

	template <class T> bool take(T &out)
	{
		if (sizeof(T) > left_)
			return false;
		memcpy(static_cast<void *>(&out), at_, sizeof(T));
		skip(sizeof(T));
		return true;
	}

	template <class T> bool take(std::vector<T> &out, uint64_t count)
	{
		if (count > left_ / sizeof(T))
			return false;
		out.reserve(count);
		for (uint64_t from = 0; from < count; from = out.size()) {
			out.resize(std::min(count, from + PART_BYTES / sizeof(T)));
			const uint64_t bytes = (out.size() - from) * sizeof(T);
			memcpy(static_cast<void *>(out.data() + from), at_, bytes);
			skip(bytes);
			BackgroundWork::note_work(bytes);
		}
		return true;
	}

	bool take_operators(std::vector<unpu_operator> &out, uint64_t bytes)
	{
		return bytes % sizeof(unpu_operator) == 0 &&
		       take(out, bytes / sizeof(unpu_operator));
	}

	bool take_words(std::vector<uint64_t> &out, uint64_t bytes)
	{
		return bytes % sizeof(uint64_t) == 0 && take(out, bytes / sizeof(uint64_t));
	}

private:
	void skip(uint64_t bytes)
	{
		at_ += bytes;
		left_ -= bytes;
	}

	const std::byte *at_;
	uint64_t left_;
};

/* An argument replaces semaphore and value; the rest must be a valid packet. */
Status take_argument(unpu_packet &packet, uint32_t nargs)
{
	if (!(packet.flags & UNPU_PACKET_ARGUMENT))
		return Status::OK;
	packet.flags &= static_cast<uint8_t>(~UNPU_PACKET_ARGUMENT);
	const Argument argument = opcode_row(packet.opcode).argument;
	if (argument == Argument::WAIT) {
		if (packet.wait.sem != UNPU_SEM_NONE || packet.wait.value >= nargs)
			return Status::BAD_GRAPH;
		packet.wait.sem = UNPU_SEM_FIRST_FREE;
		return Status::OK;
	}
	if (argument != Argument::SIGNAL)
		return Status::BAD_GRAPH;
	if (packet.signal_sem != UNPU_SEM_NONE || packet.signal_value >= nargs)
		return Status::BAD_GRAPH;
	packet.signal_sem = UNPU_SEM_FIRST_FREE;
	return Status::OK;
}

Status check_tensor(const unpu_packet &packet, const std::vector<uint64_t> &tensors)
{
	const uint64_t bytes = tensors.size() * sizeof(uint64_t);
	if (packet.tensor.offset > bytes || packet.tensor.bytes > bytes - packet.tensor.offset)
		return Status::BAD_GRAPH;
	TensorOp op;
	TRY(op.decode(tensor_words(tensors, packet.tensor)));
	return op.kind() == packet.variant ? Status::OK : Status::BAD_GRAPH;
}

Status check_kernel(const unpu_packet &packet, const std::vector<uint64_t> &tensors)
{
	const uint64_t bytes = tensors.size() * sizeof(uint64_t);
	if (packet.tensor.offset > bytes || packet.tensor.bytes > bytes - packet.tensor.offset)
		return Status::BAD_GRAPH;
	KernelLaunch launch;
	return launch.decode(tensor_words(tensors, packet.tensor));
}

/* Checks a node without its context. */
Status check_node(unpu_packet packet, size_t operators, const std::vector<uint64_t> &tensors,
		  uint32_t nargs, const Semaphores::Users &semaphores)
{
	TRY(take_argument(packet, nargs));
	TRY(validate_packet(packet, semaphores));
	const Opcode &row = opcode_row(packet.opcode);
	if (row.is_for_rings)
		return Status::BAD_GRAPH;
	if (row.has_descriptor && (packet.op.offset % sizeof(unpu_operator) ||
				   packet.op.offset / sizeof(unpu_operator) >= operators))
		return Status::BAD_GRAPH;
	if (row.has_kernel)
		return check_kernel(packet, tensors);
	return row.has_tensor ? check_tensor(packet, tensors) : Status::OK;
}

Status check_operators(const std::vector<unpu_operator> &operators)
{
	for (const unpu_operator &op : operators) {
		TRY(check_operator(op));
		BackgroundWork::note_work(sizeof(op));
	}
	return Status::OK;
}

} // namespace

/* class GraphChecker - checks the copy of an image. */
class GraphChecker {
public:
	GraphChecker(const GraphImage &image, const Semaphores::Users &semaphores)
		: image_(image), semaphores_(semaphores), joins_(image.lines.size()),
		  owned_(image.regions.size())
	{
	}

	Status check()
	{
		TRY(check_operators(image_.operators));
		for (const unpu_graph_cell &cell : image_.cells) {
			if (cell.va % sizeof(cell.value))
				return Status::BAD_GRAPH;
			BackgroundWork::note_work(sizeof(cell));
		}
		for (uint32_t i = 0; i < image_.regions.size(); i++)
			TRY(check_region(i));
		if (lines_ != image_.lines.size() || nodes_ != image_.nodes.size())
			return Status::BAD_GRAPH;
		for (uint32_t i = 0; i < image_.lines.size(); i++) {
			if (joins_[i] != image_.lines[i].joins)
				return Status::BAD_GRAPH;
			BackgroundWork::note_work(sizeof(joins_[i]));
		}
		for (uint32_t i = 1; i < image_.regions.size(); i++) {
			if (!owned_[i])
				return Status::BAD_GRAPH;
		}
		return Status::OK;
	}

	Status check_cond(uint32_t region, const unpu_cond &cond)
	{
		if (cond.first <= region || cond.first > owned_.size() ||
		    cond.count > owned_.size() - cond.first)
			return Status::BAD_GRAPH;
		for (uint32_t i = 0; i < cond.count; i++) {
			if (owned_[cond.first + i])
				return Status::BAD_GRAPH;
			owned_[cond.first + i] = true;
		}
		return Status::OK;
	}

	Status check_jump(const unpu_graph_line &line, const unpu_jump &jump)
	{
		if (!words(jump.first, jump.count))
			return Status::BAD_GRAPH;
		used_ += jump.count;
		if (used_ > image_.words.size())
			return Status::BAD_GRAPH;
		for (uint32_t i = 0; i < jump.count; i++) {
			BackgroundWork::note_work(sizeof(uint32_t));
			uint32_t target = image_.words[jump.first + i];
			if (target < line.first || target - line.first > line.count)
				return Status::BAD_GRAPH;
		}
		return Status::OK;
	}

	Status check_activate(uint32_t region, const unpu_activate &activate)
	{
		uint32_t first = image_.regions[region].first;
		if (activate.line < first || activate.line >= lines_ ||
		    !(image_.lines[activate.line].flags & UNPU_LINE_DORMANT))
			return Status::BAD_GRAPH;
		return Status::OK;
	}

private:
	/* covers() - whether [@first, @first + @count) begins at @at; moves @at behind it. */
	static bool covers(uint32_t first, uint32_t count, size_t limit, uint32_t &at)
	{
		if (first != at || count > limit - at)
			return false;
		at += count;
		return true;
	}

	bool words(uint32_t first, uint32_t count) const
	{
		return first <= image_.words.size() && count <= image_.words.size() - first;
	}

	Status check_region(uint32_t index)
	{
		const unpu_graph_region &region = image_.regions[index];
		if (!covers(region.first, region.count, image_.lines.size(), lines_))
			return Status::BAD_GRAPH;
		for (uint32_t i = region.first; i < lines_; i++) {
			TRY(check_line(index, i));
			BackgroundWork::note_work(sizeof(unpu_graph_line));
		}
		return Status::OK;
	}

	Status check_line(uint32_t region, uint32_t index)
	{
		const unpu_graph_line &line = image_.lines[index];
		if (line.count == 0 || line.flags & ~UNPU_LINE_DORMANT ||
		    !covers(line.first, line.count, image_.nodes.size(), nodes_) ||
		    !words(line.first_edge, line.edges))
			return Status::BAD_GRAPH;
		if (line.flags & UNPU_LINE_DORMANT && (line.joins || line.edges))
			return Status::BAD_GRAPH;
		used_ += line.edges;
		if (used_ > image_.words.size())
			return Status::BAD_GRAPH;
		for (uint32_t e = 0; e < line.edges; e++) {
			uint32_t target = image_.words[line.first_edge + e];
			if (target <= index || target >= lines_)
				return Status::BAD_GRAPH;
			joins_[target]++;
			BackgroundWork::note_work(sizeof(target));
		}
		for (uint32_t i = line.first; i < nodes_; i++) {
			TRY(check_node(image_.nodes[i], image_.operators.size(), image_.tensors,
				       image_.nargs, semaphores_));
			if (auto check_node = opcode_row(image_.nodes[i].opcode).check_node)
				TRY(check_node(*this, region, line, image_.nodes[i]));
			BackgroundWork::note_work(sizeof(unpu_packet));
		}
		return Status::OK;
	}

	const GraphImage &image_;
	const Semaphores::Users &semaphores_;
	std::vector<uint32_t> joins_;
	std::vector<bool> owned_; /* regions */
	uint32_t lines_ = 0;	  /* number of lines covered by the regions so far */
	uint32_t nodes_ = 0;	  /* number of nodes covered by the lines so far */
	/* Words used; each belongs to one line or jump, so the check terminates. */
	uint64_t used_ = 0;
};

Status check_cond(GraphChecker &checker, uint32_t region, const unpu_graph_line &,
		  const unpu_packet &node)
{
	return checker.check_cond(region, node.cond);
}

Status check_jump(GraphChecker &checker, uint32_t, const unpu_graph_line &line,
		  const unpu_packet &node)
{
	return checker.check_jump(line, node.jump);
}

Status check_activate(GraphChecker &checker, uint32_t region, const unpu_graph_line &,
		      const unpu_packet &node)
{
	return checker.check_activate(region, node.activate);
}

Result<GraphImage> read_graph(const std::byte *image, uint64_t bytes,
			      const Semaphores::Users &semaphores)
{
	if (bytes > UNPU_GRAPH_MAX_BYTES)
		return Status::GRAPH_TOO_LARGE;
	Reader reader(image, bytes);
	unpu_graph_header header;
	if (!reader.take(header) || header.magic != UNPU_GRAPH_MAGIC || header.abi != UNPU_ABI ||
	    header.bytes != bytes || header.reserved || header.nregions == 0)
		return Status::BAD_GRAPH;
	if (header.nnodes > UNPU_GRAPH_MAX_NODES || header.nwords > UNPU_GRAPH_MAX_WORDS ||
	    header.nregions > UNPU_GRAPH_MAX_REGIONS || header.nargs > UNPU_GRAPH_MAX_ARGS)
		return Status::GRAPH_TOO_LARGE;
	GraphImage copy;
	copy.nargs = header.nargs;
	if (!reader.take(copy.nodes, header.nnodes) ||
	    !reader.take_operators(copy.operators, header.descriptor_bytes) ||
	    !reader.take_words(copy.tensors, header.tensor_bytes) ||
	    !reader.take(copy.cells, header.ncells) || !reader.take(copy.lines, header.nlines) ||
	    !reader.take(copy.regions, header.nregions) ||
	    !reader.take(copy.words, header.nwords) || !reader.empty())
		return Status::BAD_GRAPH;
	TRY(GraphChecker(copy, semaphores).check());
	return copy;
}

Result<GraphChanges> read_changes(const std::byte *block, uint64_t bytes, uint64_t nnodes,
				  uint32_t nargs, const Semaphores::Users &semaphores)
{
	Reader reader(block, bytes);
	unpu_graph_changes header;
	GraphChanges changes;
	if (!reader.take(header) || header.magic != UNPU_GRAPH_CHANGES_MAGIC)
		return Status::BAD_GRAPH;
	for (uint64_t word : header.reserved) {
		if (word)
			return Status::BAD_GRAPH;
	}
	if (!reader.take(changes.nodes, header.nnodes) ||
	    !reader.take_operators(changes.operators, header.descriptor_bytes) ||
	    !reader.take_words(changes.tensors, header.tensor_bytes) || !reader.empty())
		return Status::BAD_GRAPH;
	TRY(check_operators(changes.operators));
	for (const unpu_packet &node : changes.nodes) {
		TRY(check_node(node, changes.operators.size(), changes.tensors, nargs, semaphores));
		if (node.valid >= nnodes || controls(node))
			return Status::BAD_GRAPH;
		BackgroundWork::note_work(sizeof(node));
	}
	return changes;
}

} // namespace fw

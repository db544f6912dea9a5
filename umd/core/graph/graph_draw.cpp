// SPDX-License-Identifier: MIT
/**
 * DOC: Drawing graphs
 *
 * Draws graphs as text for Graphviz. It also has what all drawing formats share: the names of tasks, and the
 * writing of files.
 */
#include "graph_draw.h"

#include <atomic>

#include <fmt/format.h>
#include <unistd.h>

#include "base/os/calls/transfers.h"
#include "graph_draw_forms.h"
#include "graph_exec.h"
#include "hal/options.h"
#include "uapi/tensor.h"
#include "umd/core/kernel/kernel_launch.h"
#include "umd/core/process/error.h"
#include "umd/core/process/opcode.h"
#include "umd/core/process/process.h"

namespace umd {

using base::Status;

static const char *kind_name(const Graph &graph, uint32_t node)
{
	switch (graph.kind(node)) {
	case TaskKind::EMPTY:
		return "nothing";
	case TaskKind::COPY:
	case TaskKind::HOST_COPY:
		return "copy";
	case TaskKind::FILL:
	case TaskKind::HOST_FILL:
		return "fill";
	case TaskKind::OPERATOR:
		return "operator";
	case TaskKind::HOST:
		return "host function";
	case TaskKind::RECORD:
		return "record event";
	case TaskKind::WAIT:
		return "wait for event";
	case TaskKind::SET_FLAG:
		return "set event";
	case TaskKind::AWAIT_FLAG:
		return "await event";
	case TaskKind::RESET_FLAG:
		return "reset event";
	case TaskKind::VALUE_WRITE:
		return "write value";
	case TaskKind::VALUE_WAIT:
		return "wait for value";
	case TaskKind::CHILD:
		return "graph";
	case TaskKind::COND:
		return graph.packet(node).cond.kind == UNPU_COND_IF	 ? "if"
		       : graph.packet(node).cond.kind == UNPU_COND_WHILE ? "while"
									 : "switch";
	case TaskKind::JUMP:
		return "jump";
	case TaskKind::ACTIVATE:
		return "activate";
	case TaskKind::OTHER:
		return "task";
	}
	return "task";
}

static const char *operator_name(uint32_t kind)
{
	switch (kind) {
#define OPERATOR_CASE(name, number) \
	case number: \
		return #name;
		UNPU_OPERATOR_LIST(OPERATOR_CASE)
#undef OPERATOR_CASE
	}
	return "?";
}

static const char *tensor_name(uint32_t kind)
{
	switch (kind) {
#define TENSOR_CASE(name, number, slots, attributes) \
	case number: \
		return #name;
		UNPU_TENSOR_LIST(TENSOR_CASE)
#undef TENSOR_CASE
	}
	return "?";
}

/* What a task works on, in few words. */
static std::string short_payload(const unpu_packet &packet, const GraphTask &task)
{
	switch (opcode_row(packet).payload) {
	case Payload::NONE:
		return "";
	case Payload::COPY:
		return fmt::format(" {} bytes", packet.copy.bytes);
	case Payload::FILL:
		return fmt::format(" {} bytes", packet.fill.bytes);
	case Payload::ROW:
		return fmt::format(" {} {}", operator_name(packet.variant & UNPU_ROW_KIND_MASK),
				   packet.row.count);
	case Payload::FILE_READ:
		return fmt::format(" file read {} bytes at {}", packet.file.bytes,
				   packet.file.offset);
	case Payload::FILE_WRITE:
		return fmt::format(" file write {} bytes at {}", packet.file.bytes,
				   packet.file.offset);
	case Payload::OPERATOR:
		return fmt::format(" {}", operator_name(task.op->kind));
	case Payload::TENSOR:
		return fmt::format(" {}", tensor_name(packet.variant));
	case Payload::KERNEL: {
		const KernelWords *words = kernel_words(task);
		return words ? fmt::format(" {} on {} blocks", words->info().name,
					   words->head().blocks)
			     : "";
	}
	}
	return "";
}

/* Where that lies, but for operands of descriptors. */
static std::string places(const unpu_packet &packet)
{
	switch (opcode_row(packet).payload) {
	case Payload::COPY:
		return fmt::format(" from {:#x} to {:#x}", packet.copy.src, packet.copy.dst);
	case Payload::FILL:
		return fmt::format(" at {:#x} with {:#x}", packet.fill.dst, packet.fill.pattern);
	case Payload::ROW:
		return fmt::format(" {:#x} from {:#x}, {:#x}", packet.row.out, packet.row.left,
				   packet.row.right);
	case Payload::NONE:
	case Payload::FILE_READ:
	case Payload::FILE_WRITE:
	case Payload::OPERATOR:
	case Payload::TENSOR:
	case Payload::KERNEL:
		break;
	}
	switch (opcode_row(packet).sync) {
	case Sync::WORD_WRITE:
	case Sync::WORD_WAIT:
		return fmt::format(" {:#x} at {:#x}", packet.words[1], packet.words[0]);
	case Sync::NONE:
	case Sync::SIGNAL:
	case Sync::WAIT:
		break;
	}
	return "";
}

static std::string short_text(const Graph &graph, uint32_t node)
{
	const GraphTask task = graph.task(node);
	std::string text = kind_name(graph, node) + short_payload(graph.packet(node), task);
	if (task.event)
		text += fmt::format(" {:#x}", task.event);
	return text;
}

std::string describe_task(const Graph &graph, uint32_t node, bool verbose)
{
	std::string text = short_text(graph, node);
	if (!verbose)
		return text;
	const GraphTask task = graph.task(node);
	text += places(graph.packet(node));
	for (uint32_t i = 0; task.op && i < task.op->noperands; i++)
		text += fmt::format("{}{:#x}", i ? ", " : " on ", task.op->operands[i].address);
	if (graph.kind(node) == TaskKind::HOST)
		text += fmt::format(" {}({})", fmt::ptr(reinterpret_cast<void *>(task.host.fn)),
				    fmt::ptr(task.host.args));
	return text;
}

std::string escape_json(const std::string &text)
{
	std::string out;
	for (char c : text) {
		if (c == '"' || c == '\\')
			out += '\\';
		if (static_cast<unsigned char>(c) < 0x20)
			out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
		else
			out += c;
	}
	return out;
}

unpu_graph_time node_time(const Graph &graph, uint32_t node, const DrawOptions &options)
{
	if (!options.exec || graph.kind(node) == TaskKind::CHILD)
		return {};
	return options.exec->times(options.exec->number(graph, node));
}

namespace {

/* Writes a graph as DOT. The name of a node begins with the path of its graph. */
class Dot {
public:
	explicit Dot(const DrawOptions &options) : options_(options) {}

	std::string draw(const Graph &graph)
	{
		text_ = fmt::format("digraph \"{}\" {{\n\trankdir=TB;\n\tnode [shape=box];\n",
				    escape_json(options_.name));
		draw_nodes(graph, "n");
		return text_ + "}\n";
	}

private:
	/* of Graphviz's set312, which are all light enough for black text */
	static constexpr unsigned COLOURS = 12;

	void draw_nodes(const Graph &graph, const std::string &prefix)
	{
		for (uint32_t node = 0; node < graph.size(); node++) {
			if (!graph.live(node))
				continue;
			draw_node(graph, node, fmt::format("{}{}", prefix, node));
			for (uint32_t before : graph.after(node))
				text_ += fmt::format("\t{}{} -> {}{};\n", prefix, before, prefix,
						     node);
		}
	}

	void draw_node(const Graph &graph, uint32_t node, const std::string &name)
	{
		std::string label =
			fmt::format("{}: {}", node, describe_task(graph, node, options_.verbose));
		unpu_graph_time time = node_time(graph, node, options_);
		if (time.end_ns)
			label += fmt::format("\\n{} ns", time.end_ns - time.begin_ns);
		text_ += fmt::format("\t{} [label=\"{}\", style=filled, colorscheme=set312, "
				     "fillcolor={}, tooltip=\"stream {}\"];\n",
				     name, label, graph.stream(node) % COLOURS + 1,
				     graph.stream(node));
		if (graph.kind(node) == TaskKind::CHILD)
			draw_inner(graph.child(node), name, "graph", 0);
		for (uint32_t i = 0; graph.kind(node) == TaskKind::COND && i < graph.bodies(node);
		     i++)
			draw_inner(graph.body(node, i), name, "body", i);
	}

	void draw_inner(const Graph &graph, const std::string &owner, const char *what, uint32_t i)
	{
		std::string prefix = fmt::format("{}_{}_", owner, i);
		text_ += fmt::format("\tsubgraph cluster_{}{} {{\n\tlabel=\"{} {} of {}\";\n",
				     owner, i, what, i, owner);
		draw_nodes(graph, prefix);
		text_ += "\t}\n";
		if (graph.size() > 0)
			text_ += fmt::format("\t{} -> {}0 [style=dashed];\n", owner, prefix);
	}

	const DrawOptions &options_;
	std::string text_;
};

} // namespace

std::string draw_graph(const Graph &graph, Drawing form, const DrawOptions &options)
{
	switch (form) {
	case Drawing::SVG:
		return draw_svg(graph, options);
	case Drawing::TRACE:
		return draw_trace(graph, options);
	case Drawing::DOT:
		break;
	}
	return Dot(options).draw(graph);
}

Status write_file(const std::string &path, const std::string &text)
{
	if (base::calls::write_file(path.c_str(), text))
		return Status::OK;
	return set_error(
		Status::BAD_FILE,
		fmt::format("{} can't be written; its folder must exist and be writable", path));
}

namespace {

/* struct DebugFolder - the value of UNPU_DEBUG at first use. */
struct DebugFolder {
	const std::string path = hal::environment("UNPU_DEBUG");
};

} // namespace

const std::string &debug_folder()
{
	return Process::own<DebugFolder>().path;
}

std::string draw_broken_capture(const std::string &folder, const Graph &graph, uint32_t stream,
				const std::string &why)
{
	static constinit std::atomic<unsigned> count{0};
	DrawOptions options;
	options.name = why.empty() ? fmt::format("broken capture of stream {}", stream) : why;
	options.verbose = true;
	std::string path = fmt::format("{}/unpu-capture-{}-{}.dot", folder, getpid(), count++);
	if (write_file(path, draw_graph(graph, Drawing::DOT, options)) != Status::OK)
		path.clear();
	return path;
}

} // namespace umd

// SPDX-License-Identifier: MIT
/**
 * DOC: Graphs as traces
 *
 * A trace has the times of the last execution if they were kept, else one microsecond for each task in its order.
 */
#include "graph_draw_forms.h"

#include <vector>

#include <fmt/format.h>

namespace umd {

namespace {

/* Writes a graph as events of the Chrome trace format. */
class Trace {
public:
	explicit Trace(const DrawOptions &options) : options_(options) {}

	std::string draw(const Graph &graph)
	{
		text_ = fmt::format("{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"name\":"
				    "\"{}\"}},\"traceEvents\":[",
				    escape_json(options_.name));
		draw_nodes(graph, "");
		return text_ + "\n]}\n";
	}

private:
	struct Span {
		double ts_us;
		double duration_us;
	};

	void event(const std::string &body)
	{
		text_ += fmt::format("{}\n{{{}}}", first_ ? "" : ",", body);
		first_ = false;
	}

	Span span_of(const Graph &graph, uint32_t node)
	{
		unpu_graph_time time = node_time(graph, node, options_);
		if (time.end_ns == 0)
			return {static_cast<double>(order_++), 1};
		return {static_cast<double>(time.begin_ns) / 1000,
			static_cast<double>(time.end_ns - time.begin_ns) / 1000};
	}

	void draw_node(const Graph &graph, uint32_t node, const std::string &path, const Span &span)
	{
		std::string after;
		for (uint32_t before : graph.after(node))
			after += fmt::format("{}{}", after.empty() ? "" : ",", before);
		std::string more;
		std::string note = options_.note ? options_.note(graph, node) : std::string();
		if (!note.empty())
			more = fmt::format(",\"info\":\"{}\"", escape_json(note));
		event(fmt::format("\"name\":\"{}\",\"cat\":\"task\",\"ph\":\"X\",\"ts\":{:.3f},"
				  "\"dur\":{:.3f},\"pid\":0,\"tid\":{},\"args\":{{\"node\":{},"
				  "\"graph\":\"{}\",\"after\":[{}],\"ran\":{}{}}}",
				  escape_json(describe_task(graph, node, options_.verbose)),
				  span.ts_us, span.duration_us, graph.stream(node), node, path,
				  after, node_time(graph, node, options_).end_ns != 0, more));
	}

	/* Adds an arrow for each dependency between two streams. */
	void draw_arrows(const Graph &graph, uint32_t node, const std::vector<Span> &spans)
	{
		for (uint32_t before : graph.after(node)) {
			if (graph.stream(before) == graph.stream(node))
				continue;
			event(fmt::format("\"name\":\"after\",\"cat\":\"after\",\"ph\":\"s\","
					  "\"id\":{},\"ts\":{:.3f},\"pid\":0,\"tid\":{}",
					  arrows_, spans[before].ts_us + spans[before].duration_us,
					  graph.stream(before)));
			event(fmt::format("\"name\":\"after\",\"cat\":\"after\",\"ph\":\"f\","
					  "\"bp\":\"e\",\"id\":{},\"ts\":{:.3f},\"pid\":0,"
					  "\"tid\":{}",
					  arrows_++, spans[node].ts_us, graph.stream(node)));
		}
	}

	void draw_nodes(const Graph &graph, const std::string &path)
	{
		std::vector<Span> spans(graph.size());
		for (uint32_t node = 0; node < graph.size(); node++) {
			if (graph.live(node))
				spans[node] = span_of(graph, node);
		}
		for (uint32_t node = 0; node < graph.size(); node++) {
			if (!graph.live(node))
				continue;
			draw_node(graph, node, path, spans[node]);
			draw_arrows(graph, node, spans);
			if (graph.kind(node) == TaskKind::CHILD)
				draw_nodes(graph.child(node), fmt::format("{}{}/", path, node));
			for (uint32_t i = 0;
			     graph.kind(node) == TaskKind::COND && i < graph.bodies(node); i++)
				draw_nodes(graph.body(node, i),
					   fmt::format("{}{}.{}/", path, node, i));
		}
	}

	const DrawOptions &options_;
	std::string text_;
	bool first_ = true;
	uint64_t order_ = 0;
	uint64_t arrows_ = 0;
};

} // namespace

std::string draw_trace(const Graph &graph, const DrawOptions &options)
{
	return Trace(options).draw(graph);
}

} // namespace umd

// SPDX-License-Identifier: MIT
/**
 * DOC: Graphs as pictures
 *
 * A picture has a column for each stream and a row for each step of the longest path. The font has one width for all
 * characters, so the width of a text is known, and each column is as wide as its longest label. A label that is longer
 * than LABEL_MOST is cut; the viewer shows the whole of it while the pointer is on the box.
 */
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "graph_draw_forms.h"

namespace umd {

static std::string escape_xml(const std::string &text)
{
	std::string out;
	for (const char c : text) {
		if (c == '<')
			out += "&lt;";
		else if (c == '>')
			out += "&gt;";
		else if (c == '&')
			out += "&amp;";
		else if (static_cast<unsigned char>(c) < 0x20)
			out += ' ';
		else
			out += c;
	}
	return out;
}

namespace {

/* Pixels. A character of the font is at most so wide at its size of 11. */
constexpr double CHARACTER = 6.7;
constexpr unsigned PADDING = 6;
constexpr unsigned GAP = 30; /* between two columns */
constexpr unsigned ROW = 54;
constexpr unsigned HEIGHT = 26; /* of a box */
constexpr unsigned HEAD = 34;	/* for the names of the streams */
constexpr unsigned MARGIN = 8;
constexpr size_t LABEL_MOST = 48; /* characters */

/* struct Look - how nodes of a group look, and what the legend calls them. */
struct Look {
	const char *name;
	const char *colour;
};

constexpr Look LOOKS[] = {
	{"copy or fill", "#cfe2f3"},	 {"operator", "#d9ead3"},
	{"host function", "#fff2cc"},	 {"event or value", "#f4cccc"},
	{"graph or control", "#d9d2e9"}, {"other", "#eeeeee"},
};

size_t look_of(TaskKind kind)
{
	switch (kind) {
	case TaskKind::COPY:
	case TaskKind::FILL:
	case TaskKind::HOST_COPY:
	case TaskKind::HOST_FILL:
		return 0;
	case TaskKind::OPERATOR:
		return 1;
	case TaskKind::HOST:
		return 2;
	case TaskKind::RECORD:
	case TaskKind::WAIT:
	case TaskKind::SET_FLAG:
	case TaskKind::AWAIT_FLAG:
	case TaskKind::RESET_FLAG:
	case TaskKind::VALUE_WRITE:
	case TaskKind::VALUE_WAIT:
		return 3;
	case TaskKind::CHILD:
	case TaskKind::COND:
	case TaskKind::JUMP:
	case TaskKind::ACTIVATE:
		return 4;
	case TaskKind::EMPTY:
	case TaskKind::OTHER:
		break;
	}
	return 5;
}

unsigned width_of(const std::string &text)
{
	return static_cast<unsigned>(static_cast<double>(text.size()) * CHARACTER) + 2 * PADDING;
}

std::string cut(const std::string &label)
{
	return label.size() <= LABEL_MOST ? label : label.substr(0, LABEL_MOST - 3) + "...";
}

/* class Svg - draws one graph. */
class Svg {
public:
	Svg(const Graph &graph, const DrawOptions &options) : graph_(graph), options_(options) {}
	std::string draw();

private:
	struct Column {
		unsigned x = 0;
		unsigned width = 0; /* of its boxes; 0: it has none */
		unsigned next = 0;  /* first free row */
	};

	void label_nodes();
	void place_nodes();
	void draw_heads();
	void draw_arrows();
	void draw_boxes();
	void draw_legend(unsigned y);
	unsigned legend_width() const;
	unsigned top(uint32_t node) const { return HEAD + rows_[node] * ROW; }
	const Column &column(uint32_t node) const { return columns_[graph_.stream(node)]; }

	const Graph &graph_;
	const DrawOptions &options_;
	std::vector<std::string> labels_; /* by node */
	std::vector<unsigned> rows_;	  /* by node */
	std::vector<Column> columns_;	  /* by stream */
	unsigned width_ = 0;
	unsigned depth_ = 0; /* rows */
	std::string text_;
};

void Svg::label_nodes()
{
	labels_.resize(graph_.size());
	for (uint32_t node = 0; node < graph_.size(); node++) {
		const uint32_t stream = graph_.stream(node);
		if (columns_.size() <= stream)
			columns_.resize(stream + 1);
		if (!graph_.live(node))
			continue;
		labels_[node] =
			fmt::format("{}: {}", node, describe_task(graph_, node, options_.verbose));
		const unpu_graph_time time = node_time(graph_, node, options_);
		if (time.end_ns)
			labels_[node] += fmt::format(", {} ns", time.end_ns - time.begin_ns);
		Column &column = columns_[stream];
		column.width = std::max(column.width, width_of(cut(labels_[node])));
	}
}

/* A node's row is below the rows of all nodes that it follows, and below the earlier nodes of its stream. */
void Svg::place_nodes()
{
	unsigned x = MARGIN;
	for (uint32_t stream = 0; stream < columns_.size(); stream++) {
		Column &column = columns_[stream];
		if (column.width == 0)
			continue;
		column.width = std::max(column.width, width_of(fmt::format("stream {}", stream)));
		column.x = x;
		x += column.width + GAP;
	}
	width_ = std::max(x - GAP, legend_width()) + MARGIN;
	rows_.resize(graph_.size());
	for (uint32_t node = 0; node < graph_.size(); node++) {
		Column &column = columns_[graph_.stream(node)];
		unsigned row = column.next;
		for (const uint32_t before : graph_.after(node))
			row = std::max(row, rows_[before] + 1);
		rows_[node] = row;
		column.next = row + 1;
		depth_ = std::max(depth_, row + 1);
	}
}

void Svg::draw_heads()
{
	for (uint32_t stream = 0; stream < columns_.size(); stream++) {
		const Column &column = columns_[stream];
		if (column.width != 0)
			text_ += fmt::format("<text x=\"{}\" y=\"{}\" font-weight=\"bold\">stream "
					     "{}</text>\n",
					     column.x + PADDING, MARGIN + 12, stream);
	}
}

/* The arrows are below the boxes, so one that passes a box goes behind it. */
void Svg::draw_arrows()
{
	for (uint32_t node = 0; node < graph_.size(); node++) {
		if (!graph_.live(node))
			continue;
		const Column &to = column(node);
		for (const uint32_t before : graph_.after(node)) {
			const Column &from = column(before);
			text_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" "
					     "stroke=\"#555\" marker-end=\"url(#head)\"/>\n",
					     from.x + from.width / 2, top(before) + HEIGHT,
					     to.x + to.width / 2, top(node));
		}
	}
}

void Svg::draw_boxes()
{
	for (uint32_t node = 0; node < graph_.size(); node++) {
		if (!graph_.live(node))
			continue;
		const Column &in = column(node);
		text_ += fmt::format("<g><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" "
				     "height=\"{}\" rx=\"3\" fill=\"{}\" stroke=\"black\"/><text "
				     "x=\"{}\" y=\"{}\">{}</text></g>\n",
				     escape_xml(labels_[node]), in.x, top(node), in.width, HEIGHT,
				     LOOKS[look_of(graph_.kind(node))].colour, in.x + PADDING,
				     top(node) + 17, escape_xml(cut(labels_[node])));
	}
}

unsigned Svg::legend_width() const
{
	unsigned width = MARGIN;
	for (const Look &look : LOOKS)
		width += width_of(look.name) + GAP;
	return width;
}

void Svg::draw_legend(unsigned y)
{
	unsigned x = MARGIN;
	for (const Look &look : LOOKS) {
		text_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"12\" "
				     "fill=\"{}\" stroke=\"black\"/><text x=\"{}\" "
				     "y=\"{}\">{}</text>\n",
				     x, y, look.colour, x + 18, y + 10, look.name);
		x += width_of(look.name) + GAP;
	}
	text_ += fmt::format("<text x=\"{}\" y=\"{}\">An arrow leads to a task that begins after "
			     "the end of the other.</text>\n",
			     MARGIN, y + 30);
}

std::string Svg::draw()
{
	constexpr unsigned LEGEND = 48;
	label_nodes();
	place_nodes();
	const unsigned bottom = HEAD + depth_ * ROW;
	text_ = fmt::format(
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" "
		"font-family=\"monospace\" font-size=\"11\">\n<title>{}</title>\n"
		"<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" "
		"markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" "
		"fill=\"#555\"/></marker></defs>\n<rect width=\"100%\" height=\"100%\" "
		"fill=\"white\"/>\n",
		width_, bottom + LEGEND, escape_xml(options_.name));
	draw_heads();
	draw_arrows();
	draw_boxes();
	draw_legend(bottom);
	return text_ + "</svg>\n";
}

} // namespace

std::string draw_svg(const Graph &graph, const DrawOptions &options)
{
	return Svg(graph, options).draw();
}

} // namespace umd

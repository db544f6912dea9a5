// SPDX-License-Identifier: MIT
/**
 * DOC: Graphs as pictures
 *
 * A picture has a column for each stream and a row for each step of the longest path. The font has one width for all
 * characters, so the width of a text is known, and each column is as wide as its longest line. A label that is longer
 * than LINE_MOST goes on in the next line; the time that a task took has a line of its own.
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

/* The most pixels that a character of the font takes at size 11. */
constexpr double CHARACTER = 6.7;
constexpr unsigned PADDING = 6;
constexpr unsigned GAP = 30;   /* space between two columns */
constexpr unsigned BELOW = 28; /* space between two rows */
constexpr unsigned LINE = 14;  /* height of a line of text */
constexpr unsigned HEAD = 34;  /* space for the names of the streams */
constexpr unsigned MARGIN = 8;
constexpr size_t LINE_MOST = 48; /* characters in a line */

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

using Lines = std::vector<std::string>;

/* Adds @label to @lines, in pieces that end before a space where there is one. */
void add_lines(Lines &lines, std::string label)
{
	while (label.size() > LINE_MOST) {
		const size_t space = label.rfind(' ', LINE_MOST);
		const bool has_space = space != std::string::npos && space > 0;
		const size_t end = has_space ? space : LINE_MOST;
		lines.push_back(label.substr(0, end));
		label.erase(0, has_space ? end + 1 : end);
	}
	lines.push_back(std::move(label));
}

unsigned height_of(const Lines &lines)
{
	return static_cast<unsigned>(lines.size()) * LINE + 2 * PADDING;
}

/* class Svg - draws one graph. */
class Svg {
public:
	Svg(const Graph &graph, const DrawOptions &options) : graph_(graph), options_(options) {}
	std::string draw();

private:
	struct Column {
		unsigned x = 0;
		unsigned width = 0; /* width of its boxes; 0: it has none */
		unsigned next = 0;  /* first free row */
	};

	void label_nodes();
	void place_nodes();
	void place_rows();
	void draw_heads();
	void draw_arrows();
	void draw_arrow(uint32_t from, uint32_t to);
	void draw_boxes();
	void draw_legend(unsigned y);
	unsigned legend_width() const;
	unsigned top(uint32_t node) const { return tops_[rows_[node]]; }
	unsigned bottom(uint32_t node) const { return top(node) + height_of(labels_[node]); }
	const Column &column(uint32_t node) const { return columns_[graph_.stream(node)]; }

	const Graph &graph_;
	const DrawOptions &options_;
	std::vector<Lines> labels_;   /* indexed by node */
	std::vector<unsigned> rows_;  /* indexed by node */
	std::vector<Column> columns_; /* indexed by stream */
	/* upper edge of each row, and of the row after the last one */
	std::vector<unsigned> tops_;
	unsigned width_ = 0;
	unsigned depth_ = 0; /* number of rows */
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
		add_lines(
			labels_[node],
			fmt::format("{}: {}", node, describe_task(graph_, node, options_.verbose)));
		const unpu_graph_time time = node_time(graph_, node, options_);
		if (time.end_ns)
			labels_[node].push_back(
				fmt::format("took {} ns", time.end_ns - time.begin_ns));
		Column &column = columns_[stream];
		for (const std::string &line : labels_[node])
			column.width = std::max(column.width, width_of(line));
	}
}

/* A node's row is below the rows of all nodes that it follows, and below the earlier nodes of its stream. */
void Svg::place_nodes()
{
	unsigned x = MARGIN + GAP;
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
	place_rows();
}

/* A row is as high as its highest box. */
void Svg::place_rows()
{
	std::vector<unsigned> heights(depth_, 0);
	for (uint32_t node = 0; node < graph_.size(); node++)
		heights[rows_[node]] = std::max(heights[rows_[node]], height_of(labels_[node]));
	unsigned y = HEAD;
	for (const unsigned height : heights) {
		tops_.push_back(y);
		y += height + BELOW;
	}
	tops_.push_back(y);
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

/* Draws an arrow. There are no boxes between two rows and between two columns, so an arrow over several rows
 * runs there. */
void Svg::draw_arrow(uint32_t from, uint32_t to)
{
	const unsigned x = column(from).x + column(from).width / 2;
	const unsigned end = column(to).x + column(to).width / 2;
	std::string way = fmt::format("M{} {}", x, bottom(from));
	if (rows_[to] > rows_[from] + 1) {
		/* Arrows that end at different boxes of a column lie beside each other. */
		const unsigned beside = column(to).x - GAP / 2 + to % 5 * 2;
		const unsigned out = tops_[rows_[from] + 1] - BELOW / 2;
		const unsigned in = top(to) - BELOW / 2;
		way += fmt::format("L{} {}L{} {}L{} {}", x, out, beside, out, beside, in);
	}
	text_ += fmt::format("<path d=\"{}L{} {}\" fill=\"none\" stroke=\"#555\" "
			     "marker-end=\"url(#head)\"/>\n",
			     way, end, top(to));
}

void Svg::draw_arrows()
{
	for (uint32_t node = 0; node < graph_.size(); node++) {
		if (!graph_.live(node))
			continue;
		for (const uint32_t before : graph_.after(node))
			draw_arrow(before, node);
	}
}

void Svg::draw_boxes()
{
	for (uint32_t node = 0; node < graph_.size(); node++) {
		if (!graph_.live(node))
			continue;
		const Column &in = column(node);
		text_ += fmt::format(
			"<g><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" "
			"fill=\"{}\" stroke=\"black\"/>\n",
			in.x, top(node), in.width, height_of(labels_[node]),
			LOOKS[look_of(graph_.kind(node))].colour);
		unsigned y = top(node) + PADDING + LINE - 3;
		for (const std::string &line : labels_[node]) {
			text_ += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", in.x + PADDING,
					     y, escape_xml(line));
			y += LINE;
		}
		text_ += "</g>\n";
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
	const unsigned bottom = tops_.back();
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

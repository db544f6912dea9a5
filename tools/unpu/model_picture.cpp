// SPDX-License-Identifier: MIT
/**
 * DOC: Pictures of models
 *
 * Launches stand one below the other, in the order in which they run. Lines on the left lead from the launch that
 * writes a buffer to those that read it. Bars on the right are the bytes of the arena that are in use.
 */
#include "model_picture.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/json/controls.h"

namespace unpu_command {

namespace {

/* A picture of more rows is of no use; the text says what is left out. */
constexpr size_t MOST_ROWS = 4000;
constexpr size_t MOST_LETTERS = 100;
constexpr int ROW = 16;
constexpr int TOP = 48;
constexpr int LINES = 220; /* the width of the lines */
constexpr int LABELS = 640;
constexpr int BARS = 200;

/* What a name says is text and nothing else. Bytes that are no UTF-8 would make the file invalid. */
std::string escape(std::string text)
{
	std::string made;
	base::blank_controls(text);
	if (text.size() > MOST_LETTERS)
		text = text.substr(0, MOST_LETTERS) + "...";
	for (const char letter : text) {
		switch (letter) {
		case '&':
			made += "&amp;";
			break;
		case '<':
			made += "&lt;";
			break;
		case '>':
			made += "&gt;";
			break;
		case '"':
			made += "&quot;";
			break;
		default:
			made += letter >= ' ' && letter <= '~' ? letter : '?';
		}
	}
	return made;
}

/* class Picture - one picture. */
class Picture {
public:
	explicit Picture(const models::Program &program)
		: program_(program), rows_(std::min(program.launches.size(), MOST_ROWS))
	{
		find_lives();
	}

	std::string draw(const std::string &title);

private:
	struct Life {
		size_t first = SIZE_MAX, last = 0;
	};

	static int middle(size_t row) { return TOP + static_cast<int>(row) * ROW + ROW / 2; }
	void find_lives();
	std::string row(size_t k) const;
	std::string lines(size_t k);

	const models::Program &program_;
	const size_t rows_;
	std::vector<Life> lives_;     /* of each buffer */
	std::vector<uint64_t> bytes_; /* of the arena, for each row */
	uint64_t most_ = 1;
	std::vector<size_t> writers_; /* the last launch that wrote a buffer */
};

void Picture::find_lives()
{
	lives_.resize(program_.buffers.size());
	writers_.assign(program_.buffers.size(), SIZE_MAX);
	for (size_t k = 0; k < program_.launches.size(); k++)
		for (const models::Relocation &address : program_.launches[k].addresses) {
			Life &life = lives_[address.buffer];
			life.first = std::min(life.first, k);
			life.last = std::max(life.last, k);
		}
	std::vector<uint64_t> begins(program_.launches.size() + 1), ends(begins.size());
	for (size_t i = 0; i < lives_.size(); i++) {
		const models::Buffer &buffer = program_.buffers[i];
		if (buffer.space != models::Space::ARENA || lives_[i].first == SIZE_MAX)
			continue;
		begins[lives_[i].first] += buffer.bytes;
		ends[lives_[i].last + 1] += buffer.bytes;
	}
	uint64_t live = 0;
	for (size_t k = 0; k < program_.launches.size(); k++) {
		live += begins[k] - ends[k];
		bytes_.push_back(live);
		most_ = std::max(most_, live);
	}
}

std::string Picture::row(size_t k) const
{
	const int y = middle(k);
	const int width = static_cast<int>(static_cast<double>(bytes_[k]) /
					   static_cast<double>(most_) * BARS);
	std::string text = fmt::format("<text x=\"{}\" y=\"{}\">{} {}</text>\n", LINES + 8, y + 4,
				       k, escape(program_.nodes[program_.launches[k].node]));
	text += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
			    "class=\"bar\"><title>{} bytes</title></rect>\n",
			    LINES + LABELS, y - ROW / 2 + 2, width, ROW - 4, bytes_[k]);
	return text;
}

/* The lines of what launch @k reads. */
std::string Picture::lines(size_t k)
{
	std::string text;
	const models::Launch &launch = program_.launches[k];
	for (const models::Relocation &address : launch.addresses) {
		const size_t from = writers_[address.buffer];
		if (address.is_written || from == SIZE_MAX || from == k)
			continue;
		const int y = middle(from), to = middle(k);
		const int bend = std::min(LINES - 8, 12 + static_cast<int>(k - from) * 3);
		text += fmt::format("<path d=\"M{} {} C{} {} {} {} {} {}\"/>\n", LINES, y,
				    LINES - bend, y, LINES - bend, to, LINES, to);
	}
	for (const models::Relocation &address : launch.addresses)
		if (address.is_written)
			writers_[address.buffer] = k;
	return text;
}

std::string Picture::draw(const std::string &title)
{
	const int height = TOP + static_cast<int>(rows_ + 2) * ROW;
	std::string text = fmt::format(
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
		"viewBox=\"0 0 {0} {1}\">\n"
		"<style>text{{font:12px monospace}}path{{fill:none;stroke:#4878a8;stroke-width:1}}"
		".bar{{fill:#c8a050}}</style>\n"
		"<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
		"<text x=\"8\" y=\"20\">{2}</text>\n"
		"<text x=\"{3}\" y=\"36\">launches</text><text x=\"{4}\" y=\"36\">bytes in use, "
		"{5} at "
		"most</text>\n",
		LINES + LABELS + BARS + 16, height, escape(title), LINES + 8, LINES + LABELS,
		most_);
	for (size_t k = 0; k < rows_; k++)
		text += lines(k) + row(k);
	if (rows_ < program_.launches.size())
		text += fmt::format("<text x=\"{}\" y=\"{}\">and {} more</text>\n", LINES + 8,
				    middle(rows_) + 4, program_.launches.size() - rows_);
	return text + "</svg>\n";
}

} // namespace

std::string draw_program(const std::string &title, const models::Program &program)
{
	return Picture(program).draw(title);
}

} // namespace unpu_command

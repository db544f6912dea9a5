// SPDX-License-Identifier: MIT
/**
 * DOC: Lexer of preprocessed C++
 *
 * The driver changes few places of a text and has to know only where names, brackets and literals are. Signs are single
 * characters, except "::", so that brackets of templates can be counted one by one.
 */
#include "kernels/compiler/text/lexer.h"

#include <cctype>
#include <cstdlib>

namespace compiler {

static bool is_name_start(char c)
{
	return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
	       (c & 0x80) != 0;
}

static bool is_name_part(char c)
{
	return is_name_start(c) || std::isdigit(static_cast<unsigned char>(c));
}

namespace {

class Lexer {
public:
	explicit Lexer(std::string_view text) : text_(text) {}

	std::vector<Token> run()
	{
		while (at_ < text_.size())
			step();
		return std::move(tokens_);
	}

private:
	char look(size_t ahead = 0) const
	{
		return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
	}

	bool begins(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

	void add(TokenKind kind, size_t end)
	{
		tokens_.push_back({kind, at_, text_.substr(at_, end - at_)});
		at_ = end;
		is_line_start_ = false;
	}

	size_t find(std::string_view what, size_t from) const
	{
		const size_t found = text_.find(what, from);
		return found == std::string_view::npos ? text_.size() : found;
	}

	void step()
	{
		const char c = look();
		if (c == '\n') {
			is_line_start_ = true;
			at_++;
		} else if (std::isspace(static_cast<unsigned char>(c))) {
			at_++;
		} else if (begins("//")) {
			at_ = find("\n", at_);
		} else if (begins("/*")) {
			at_ = std::min(find("*/", at_ + 2) + 2, text_.size());
		} else if (c == '#' && is_line_start_) {
			add(TokenKind::DIRECTIVE, find("\n", at_));
		} else if (is_name_start(c)) {
			take_name();
		} else if (is_number()) {
			take_number();
		} else if (c == '"' || c == '\'') {
			add(TokenKind::TEXT, end_of_literal(at_));
		} else {
			add(TokenKind::SIGN, at_ + (begins("::") ? 2 : 1));
		}
	}

	bool is_number() const
	{
		return std::isdigit(static_cast<unsigned char>(look())) ||
		       (look() == '.' && std::isdigit(static_cast<unsigned char>(look(1))));
	}

	void take_name()
	{
		size_t end = at_;
		while (end < text_.size() && is_name_part(text_[end]))
			end++;
		const std::string_view name = text_.substr(at_, end - at_);
		const char next = end < text_.size() ? text_[end] : '\0';
		const bool is_prefix = name == "L" || name == "u" || name == "U" || name == "u8";
		const bool is_raw = name == "R" || name == "LR" || name == "uR" || name == "UR" ||
				    name == "u8R";
		if (next == '"' && is_raw)
			add(TokenKind::TEXT, end_of_raw(end));
		else if ((next == '"' || next == '\'') && is_prefix)
			add(TokenKind::TEXT, end_of_literal(end));
		else
			add(TokenKind::IDENTIFIER, end);
	}

	// A preprocessing number: digits, letters, dots, separators, and a sign behind an exponent.
	void take_number()
	{
		size_t end = at_ + 1;
		while (end < text_.size()) {
			const char c = text_[end];
			const char before = text_[end - 1];
			const bool is_exponent =
				before == 'e' || before == 'E' || before == 'p' || before == 'P';
			const bool is_separator =
				c == '\'' && end + 1 < text_.size() &&
				std::isalnum(static_cast<unsigned char>(text_[end + 1]));
			if (!is_name_part(c) && c != '.' && !is_separator &&
			    !(is_exponent && (c == '+' || c == '-')))
				break;
			end++;
		}
		add(TokenKind::NUMBER, end);
	}

	size_t end_of_literal(size_t quote) const
	{
		for (size_t i = quote + 1; i < text_.size() && text_[i] != '\n'; i++) {
			if (text_[i] == '\\')
				i++;
			else if (text_[i] == text_[quote])
				return i + 1;
		}
		return find("\n", quote);
	}

	size_t end_of_raw(size_t quote) const
	{
		const size_t open = find("(", quote);
		std::string close = ")";
		close += text_.substr(quote + 1, open - quote - 1);
		close += '"';
		return std::min(find(close, open) + close.size(), text_.size());
	}

	std::string_view text_;
	size_t at_ = 0;
	bool is_line_start_ = true;
	std::vector<Token> tokens_;
};

} // namespace

std::vector<Token> tokens_of(std::string_view text)
{
	return Lexer(text).run();
}

// A line marker is: # NUMBER "FILE" FLAG...
bool read_marker(std::string_view line, Place *place)
{
	if (line.size() < 4 || line[0] != '#' || !std::isdigit(static_cast<unsigned char>(line[2])))
		return false;
	const size_t open = line.find('"');
	const size_t close = line.rfind('"');
	if (open == close)
		return false;
	place->line = std::strtoul(std::string(line.substr(2)).c_str(), nullptr, 10);
	place->file = line.substr(open + 1, close - open - 1);
	return true;
}

Place place_of(std::string_view text, size_t offset)
{
	Place place;
	size_t at = 0;
	for (;;) {
		const size_t end = text.find('\n', at);
		if (end == std::string_view::npos || end >= offset)
			return place;
		if (!read_marker(text.substr(at, end - at), &place))
			place.line++;
		at = end + 1;
	}
}

} // namespace compiler

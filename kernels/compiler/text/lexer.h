// SPDX-License-Identifier: MIT
#ifndef UNPU_KERNELS_COMPILER_TEXT_LEXER_H
#define UNPU_KERNELS_COMPILER_TEXT_LEXER_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace compiler {

enum class TokenKind {
	IDENTIFIER,
	NUMBER,
	TEXT,	   // a string or character literal with its prefix
	SIGN,	   // one character of punctuation, or "::"
	DIRECTIVE, // a line that begins with '#'
};

struct Token {
	TokenKind kind;
	size_t offset;
	std::string_view text;

	size_t end() const { return offset + text.size(); }
	bool is(std::string_view what) const { return kind != TokenKind::TEXT && text == what; }
	bool is_identifier() const { return kind == TokenKind::IDENTIFIER; }
};

// Tokens of a preprocessed text; they refer to it. Comments and white space are left out. A literal without an end
// extends to the end of its line. So an invalid text gives tokens, too, and the compiler reports the error.
std::vector<Token> tokens_of(std::string_view text);

// The line and the file of an offset, computed from the line markers before it.
struct Place {
	std::string file;
	size_t line = 1;
};
Place place_of(std::string_view text, size_t offset);

// Whether the line is a line marker; then @place is that of the next line.
bool read_marker(std::string_view line, Place *place);

} // namespace compiler

#endif // UNPU_KERNELS_COMPILER_TEXT_LEXER_H

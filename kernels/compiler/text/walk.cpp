// SPDX-License-Identifier: MIT
/**
 * DOC: Brackets of a row of tokens
 *
 * Parentheses, brackets and braces always come in pairs. Whether '<' is a bracket depends on declarations that the
 * driver does not read, so only callers that know it is one ask for its partner.
 */
#include "kernels/compiler/text/walk.h"

#include <cctype>

namespace compiler {

static bool opens(const Token &token)
{
	return token.is("(") || token.is("[") || token.is("{");
}

static bool closes(const Token &token)
{
	return token.is(")") || token.is("]") || token.is("}");
}

bool Walk::is_pair(size_t i, std::string_view first, std::string_view second) const
{
	return (*this)[i].is(first) && (*this)[i + 1].is(second) &&
	       tokens_[i].end() == tokens_[i + 1].offset;
}

bool Walk::is_triple(size_t i, std::string_view sign) const
{
	return is_pair(i, sign, sign) && is_pair(i + 1, sign, sign);
}

size_t Walk::match(size_t open) const
{
	int depth = 0;
	for (size_t i = open; i < tokens_.size(); i++) {
		if (opens(tokens_[i]))
			depth++;
		else if (closes(tokens_[i]) && --depth == 0)
			return i;
	}
	return tokens_.size();
}

size_t Walk::match_angle(size_t open) const
{
	int depth = 0;
	for (size_t i = open; i < tokens_.size(); i++) {
		if (opens(tokens_[i]))
			i = match(i);
		else if (is_pair(i, "<", "<") || is_pair(i, "-", ">"))
			i++;
		else if (tokens_[i].is("<"))
			depth++;
		else if (tokens_[i].is(">") && --depth == 0)
			return i;
	}
	return tokens_.size();
}

size_t Walk::match_angle_back(size_t close) const
{
	int angles = 0;
	int others = 0;
	for (size_t i = close + 1; i-- > 0;) {
		const Token &token = tokens_[i];
		if (closes(token))
			others++;
		else if (opens(token) && --others < 0)
			return 0;
		if (others > 0)
			continue;
		if (i > 0 && (is_pair(i - 1, "<", "<") || is_pair(i - 1, "-", ">")))
			i--;
		else if (token.is(">"))
			angles++;
		else if (token.is("<") && --angles == 0)
			return i;
	}
	return 0;
}

std::string Walk::spell(size_t begin, size_t end) const
{
	std::string text;
	for (size_t i = begin; i < end && i < tokens_.size(); i++) {
		const Token &token = tokens_[i];
		if (token.kind == TokenKind::DIRECTIVE)
			continue;
		const bool is_word = token.is_identifier() || token.kind == TokenKind::NUMBER;
		const char last = text.empty() ? ' ' : text.back();
		if (is_word && (std::isalnum(static_cast<unsigned char>(last)) || last == '_'))
			text += ' ';
		else if (token.is("::") && last == '<')
			text += ' ';
		text += token.text;
		if (token.is(","))
			text += ' ';
	}
	return text;
}

} // namespace compiler

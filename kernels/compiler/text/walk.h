// SPDX-License-Identifier: MIT
#ifndef UNPU_KERNELS_COMPILER_TEXT_WALK_H
#define UNPU_KERNELS_COMPILER_TEXT_WALK_H

#include <string>
#include <vector>

#include "kernels/compiler/text/lexer.h"

namespace compiler {

// Tokens, and for each bracket the index of its partner.
class Walk {
public:
	explicit Walk(const std::vector<Token> &tokens) : tokens_(tokens) {}

	size_t size() const { return tokens_.size(); }

	// An empty token that follows the last one.
	const Token &operator[](size_t i) const
	{
		return i < tokens_.size() ? tokens_[i] : nothing_;
	}

	// Whether three equal signs follow each other without space between.
	bool is_triple(size_t i, std::string_view sign) const;

	// Index of the bracket that closes the one at @open; size() if there is none.
	size_t match(size_t open) const;

	// The same for '<' of template arguments. Signs in parentheses and the shift << do not count.
	size_t match_angle(size_t open) const;

	// Index of the '<' that belongs to the '>' at @close; 0 if there is none.
	size_t match_angle_back(size_t close) const;

	// The tokens from @begin to before @end with one space where names would meet.
	std::string spell(size_t begin, size_t end) const;

private:
	bool is_pair(size_t i, std::string_view first, std::string_view second) const;

	const std::vector<Token> &tokens_;
	Token nothing_ = {TokenKind::SIGN, 0, ""};
};

} // namespace compiler

#endif // UNPU_KERNELS_COMPILER_TEXT_WALK_H

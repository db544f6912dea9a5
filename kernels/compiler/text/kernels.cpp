// SPDX-License-Identifier: MIT
/**
 * DOC: Finds kernels and launches
 *
 * One walk over the tokens of a preprocessed text. It keeps the scopes that are open and where the statement began; the
 * rest it reads around a word that matters: __global__, "<<<", asm, and the words that unpu_entry.h leaves for the
 * driver.
 */
#include "kernels/compiler/text/kernels.h"

#include <algorithm>

#include "kernels/compiler/text/params.h"
#include "kernels/compiler/text/walk.h"

namespace compiler {

namespace {

struct Scope {
	bool is_namespace = false;
	std::string name;
};

class Finder {
public:
	explicit Finder(const std::vector<Token> &tokens) : walk_(tokens) {}

	Findings run()
	{
		for (size_t i = 0; i < walk_.size(); i++)
			look_at(i);
		return std::move(found_);
	}

private:
	void look_at(size_t i)
	{
		const Token &token = walk_[i];
		if (token.kind == TokenKind::DIRECTIVE)
			look_at_directive(token);
		else if (token.is_identifier())
			look_at_name(i);
		else if (token.is("{"))
			open_scope(i);
		else if (token.is("}"))
			close_scope(i);
		else if (token.is(";"))
			statement_ = i + 1;
		else if (token.is("["))
			look_at_attribute(i);
		else if (walk_.is_triple(i, "<") && !(i > 0 && walk_[i - 1].is("operator")) &&
			 i >= after_launch_)
			read_launch(i);
	}

	// The next token that is no line marker. The expansion of a macro from a header may contain line markers.
	size_t behind(size_t i) const
	{
		for (i++; walk_[i].kind == TokenKind::DIRECTIVE && i < walk_.size(); i++)
			;
		return i;
	}

	// Whether [aicore] is an attribute: it stands before a declaration or the body of a lambda. After an index
	// with this name an operator follows.
	void look_at_attribute(size_t open)
	{
		const size_t word = behind(open);
		if (!walk_[word].is("aicore"))
			return;
		const size_t close = behind(word);
		const Token &next = walk_[behind(close)];
		if (!walk_[close].is("]") || !(next.is_identifier() || next.is("::") ||
					       next.is("[") || next.is("~") || next.is("{")))
			return;
		for (const size_t i : {open, word, close})
			found_.attributes.push_back({walk_[i].offset, walk_[i].end()});
	}

	void look_at_directive(const Token &token)
	{
		if (token.text.find("pragma") != std::string_view::npos &&
		    token.text.find("bisheng") != std::string_view::npos)
			found_.pragmas.push_back({token.offset, token.end()});
	}

	void look_at_name(size_t i)
	{
		const Token &token = walk_[i];
		if (token.text == "__global__")
			read_kernel(i);
		else if (token.text == "asm" || token.text == "__asm__" || token.text == "__asm")
			read_asm(i);
		else if (token.text == "__unpu_pass__")
			found_.passes.push_back({token.offset, token.end()});
		else if (token.text == "__unpu_image_only_begin__")
			image_only_ = token.offset;
		else if (token.text == "__unpu_image_only_end__")
			found_.image_only.push_back({image_only_, token.end()});
		else if (token.text == "declare_task_type" || token.text == "declare_task_type_for")
			read_task_type(i);
	}

	// "namespace a::b {" and "namespace {" are scopes of names; extern "C" { and all other braces are not.
	void open_scope(size_t i)
	{
		Scope scope;
		size_t at = statement_;
		while (at < i && (walk_[at].kind == TokenKind::DIRECTIVE || walk_[at].is("inline")))
			at++;
		if (at < i && walk_[at].is("namespace")) {
			scope.is_namespace = true;
			for (at++; at < i; at++)
				if (walk_[at].is("["))
					at = walk_.match(at);
				else if (walk_[at].is_identifier() && !walk_[at].is("inline") &&
					 !walk_[at].is("__attribute__"))
					scope.name += std::string(walk_[at].text) + "::";
				else if (walk_[at].is("("))
					at = walk_.match(at);
		}
		scopes_.push_back(scope);
		statement_ = i + 1;
	}

	void close_scope(size_t i)
	{
		if (!scopes_.empty())
			scopes_.pop_back();
		statement_ = i + 1;
	}

	// Reads the words before __global__ in its statement.
	void read_prefix(size_t marker, Kernel *kernel) const
	{
		for (size_t i = statement_; i < marker; i++) {
			if (walk_[i].is("static"))
				kernel->is_local = true;
			if (!walk_[i].is("template"))
				continue;
			const bool is_extern = i > statement_ && walk_[i - 1].is("extern");
			if (!walk_[i + 1].is("<"))
				kernel->is_instantiation = !is_extern;
			else if (!walk_[i + 2].is(">"))
				kernel->is_template = true;
		}
		for (const Scope &scope : scopes_) {
			if (!scope.is_namespace)
				continue;
			kernel->scope += scope.name;
			kernel->is_local = kernel->is_local || scope.name.empty();
		}
	}

	void read_kernel(size_t marker)
	{
		Kernel kernel;
		kernel.marker = walk_[marker].offset;
		read_prefix(marker, &kernel);
		const size_t open = read_name(marker + 1, &kernel);
		if (open == 0) {
			found_.kernels.push_back(kernel);
			return;
		}
		const size_t close = walk_.match(open);
		kernel.params = params_of(walk_, open + 1, close);
		size_t at = close + 1;
		while (at < walk_.size() && !walk_[at].is("{") && !walk_[at].is(";"))
			at = walk_[at].is("(") ? walk_.match(at) + 1 : at + 1;
		if (at >= walk_.size())
			throw SourceError("the kernel " + kernel.name + " has no end",
					  kernel.marker);
		kernel.is_instantiation = kernel.is_instantiation && walk_[at].is(";");
		if (walk_[at].is("{")) {
			kernel.body = walk_[at].offset;
			at = walk_.match(at);
		}
		if (at >= walk_.size())
			throw SourceError("the body of the kernel " + kernel.name + " has no end",
					  kernel.marker);
		kernel.end = walk_[at].end();
		found_.kernels.push_back(kernel);
	}

	// Reads "void NAME" up to the parenthesis of the parameters, and returns its index; 0 for "#define"-like uses.
	size_t read_name(size_t at, Kernel *kernel) const
	{
		bool has_name = false;
		for (; at < walk_.size(); at++) {
			const Token &token = walk_[at];
			if (token.is("__attribute__") || token.is("__launch_bounds__") ||
			    token.is("alignas")) {
				at = walk_.match(at + 1);
			} else if (token.is("[")) {
				at = walk_.match(at);
			} else if (token.is("<") && has_name) {
				const size_t close = walk_.match_angle(at);
				kernel->arguments = walk_.spell(at, close + 1);
				at = close;
			} else if (token.is("(") && has_name) {
				return at;
			} else if (token.is_identifier()) {
				kernel->name = token.text;
				kernel->arguments.clear();
				has_name = true;
			} else if (token.is(";") || token.is("{") || token.is("}")) {
				break;
			}
		}
		return 0;
	}

	void read_launch(size_t open)
	{
		Launch launch;
		launch.open = walk_[open].offset;
		launch.name = walk_[begin_of_name(open, &launch)].offset;
		int depth = 0;
		for (size_t i = open + 3; i < walk_.size(); i++) {
			const Token &token = walk_[i];
			if (token.is("(") || token.is("[") || token.is("{"))
				depth++;
			else if (token.is(")") || token.is("]") || token.is("}"))
				depth--;
			else if (token.is(";") && depth == 0)
				break;
			if (depth < 0)
				break;
			if (depth == 0 && walk_.is_triple(i, ">") && i + 3 < walk_.size() &&
			    walk_[i + 3].is("(")) {
				launch.close = walk_[i].offset;
				found_.launches.push_back(launch);
				after_launch_ = open + 3;
				return;
			}
		}
		throw SourceError("a launch has <<< but no >>> with its arguments", launch.open);
	}

	// Walks back from "<<<" over template arguments and scopes.
	size_t begin_of_name(size_t open, Launch *launch) const
	{
		if (open == 0)
			throw SourceError("nothing stands before <<<", launch->open);
		size_t at = open - 1;
		if (walk_[at].is(">")) {
			launch->has_arguments = true;
			at = walk_.match_angle_back(at);
			at = at == 0 ? 0 : at - 1;
		}
		if (!walk_[at].is_identifier() || is_statement_word(walk_[at]))
			throw SourceError("what stands before <<< is not the name of a kernel",
					  launch->open);
		while (at > 0) {
			if (walk_[at - 1].is("template")) {
				at--;
				continue;
			}
			if (!walk_[at - 1].is("::"))
				break;
			at--;
			if (at > 0 && walk_[at - 1].is(">"))
				at = walk_.match_angle_back(at - 1);
			if (at > 0 && walk_[at - 1].is_identifier() &&
			    !is_statement_word(walk_[at - 1]))
				at--;
			else
				break;
		}
		return at;
	}

	static bool is_statement_word(const Token &token)
	{
		static constexpr std::string_view WORDS[] = {"return",	  "else", "do",	 "throw",
							     "co_return", "case", "goto"};
		return std::find(std::begin(WORDS), std::end(WORDS), token.text) != std::end(WORDS);
	}

	void read_asm(size_t i)
	{
		size_t at = i + 1;
		while (at < walk_.size() && walk_[at].is_identifier())
			at++;
		if (at + 2 < walk_.size() && walk_[at].is("(") &&
		    walk_[at + 1].text == "\"trap\"" && walk_[at + 2].is(")"))
			found_.traps.push_back({walk_[i].offset, walk_[at + 2].end()});
	}

	// Only calls have these scopes before the name; the declarations of the language do not.
	void read_task_type(size_t i)
	{
		if (i < 4 || !walk_[i - 1].is("::") || !walk_[i - 2].is("lang") ||
		    !walk_[i - 3].is("::") || !walk_[i - 4].is("unpu") || !walk_[i + 1].is("("))
			return;
		const size_t begin = i >= 5 && walk_[i - 5].is("::") ? i - 5 : i - 4;
		const size_t close = walk_.match(i + 1);
		size_t value = i + 2;
		for (size_t at = value; at < close; at++) {
			if (walk_[at].is("("))
				at = walk_.match(at);
			else if (walk_[at].is(","))
				value = at + 1;
		}
		found_.task_types.push_back(
			{{walk_[begin].offset, walk_[close].end()}, walk_.spell(value, close)});
	}

	Walk walk_;
	Findings found_;
	size_t image_only_ = 0;
	std::vector<Scope> scopes_;
	size_t statement_ = 0;
	size_t after_launch_ = 0;
};

} // namespace

Findings find_kernels(const std::vector<Token> &tokens)
{
	return Finder(tokens).run();
}

} // namespace compiler

// SPDX-License-Identifier: MIT
/**
 * DOC: words that choose steps
 */
#include "selector.h"

#include <algorithm>
#include <iterator>

namespace timing {

using san::WorkClass;

namespace {

/* struct Name - a word, and which steps it chooses. */
struct Name {
	std::string_view word;
	bool (*has)(const Vertex &vertex);
};

} // namespace

static bool is_work(const Vertex &vertex, WorkClass what)
{
	return vertex.step == Step::COMMAND && vertex.work.what == what;
}

static bool is_copy(const Vertex &vertex, bool from_host, bool to_host)
{
	return is_work(vertex, WorkClass::COPY) && vertex.work.is_from_host == from_host &&
	       vertex.work.is_to_host == to_host;
}

static bool is_operator(const Vertex &vertex)
{
	return is_work(vertex, WorkClass::CUBE) || is_work(vertex, WorkClass::VECTOR);
}

static constexpr Name NAMES[] = {
	{"copy_in", [](const Vertex &v) { return is_copy(v, true, false); }},
	{"copy_out", [](const Vertex &v) { return is_copy(v, false, true); }},
	{"copy_device", [](const Vertex &v) { return is_copy(v, false, false); }},
	{"copy_host", [](const Vertex &v) { return is_copy(v, true, true); }},
	{"copy.h2d", [](const Vertex &v) { return is_copy(v, true, false); }},
	{"copy.d2h", [](const Vertex &v) { return is_copy(v, false, true); }},
	{"copy.d2d", [](const Vertex &v) { return is_copy(v, false, false); }},
	{"copy", [](const Vertex &v) { return is_work(v, WorkClass::COPY); }},
	{"fill", [](const Vertex &v) { return is_work(v, WorkClass::FILL); }},
	{"file", [](const Vertex &v) { return is_work(v, WorkClass::FILE); }},
	{"cube", [](const Vertex &v) { return is_work(v, WorkClass::CUBE); }},
	{"vector", [](const Vertex &v) { return is_work(v, WorkClass::VECTOR); }},
	{"kernel", [](const Vertex &v) { return is_work(v, WorkClass::KERNEL); }},
	{"operator", is_operator},
	{"compute",
	 [](const Vertex &v) { return is_operator(v) || is_work(v, WorkClass::KERNEL); }},
	{"function", [](const Vertex &v) { return v.step == Step::FUNCTION; }},
	{"host", [](const Vertex &v) { return v.step == Step::CALL || v.step == Step::RETURN; }},
	{"event", [](const Vertex &v) { return v.step == Step::RECORD || v.step == Step::WAIT; }},
	{"device", [](const Vertex &v) { return v.step == Step::COMMAND; }},
};

std::string kind_of(const Graph &graph, const Vertex &vertex)
{
	switch (vertex.step) {
	case Step::CALL:
	case Step::RETURN:
		return "host";
	case Step::RECORD:
	case Step::WAIT:
	case Step::SIGNAL:
		return "event";
	case Step::LAUNCH:
	case Step::LAUNCHED:
		return "graph launch";
	case Step::FUNCTION:
		return "function";
	case Step::JOIN:
	case Step::OTHER:
		return "order";
	case Step::COMMAND:
		break;
	}
	if (is_operator(vertex) || is_work(vertex, WorkClass::KERNEL))
		return graph.text(vertex.work.name);
	const auto name = std::find_if(std::begin(NAMES), std::end(NAMES),
				       [&](const Name &one) { return one.has(vertex); });
	return std::string(name->word);
}

bool Selector::parse(std::string_view words, Selector &selector)
{
	selector.words_ = words;
	const size_t colon = std::min(words.find(':'), words.size());
	selector.kind_ = words.substr(0, colon);
	selector.name_ = words.substr(std::min(colon + 1, words.size()));
	if (colon == words.size()) {
		const bool is_name =
			std::any_of(std::begin(NAMES), std::end(NAMES),
				    [&](const Name &name) { return name.word == words; });
		if (!is_name) {
			selector.kind_ = "operator:";
			selector.name_ = words;
		}
		return !words.empty();
	}
	const bool is_number = !selector.name_.empty() && selector.name_.size() < 9 &&
			       selector.name_.find_first_not_of("0123456789") == std::string::npos;
	if (selector.kind_ == "stream")
		return is_number;
	return (selector.kind_ == "kernel" || selector.kind_ == "call") && !selector.name_.empty();
}

bool Selector::has(const Graph &graph, const Vertex &vertex) const
{
	if (name_.empty()) {
		const auto name = std::find_if(std::begin(NAMES), std::end(NAMES),
					       [&](const Name &one) { return one.word == kind_; });
		return name->has(vertex);
	}
	if (kind_ == "stream")
		return vertex.step == Step::COMMAND && vertex.line != HOST_LINE &&
		       std::to_string(vertex.line + 1) == name_;
	if (kind_ == "call")
		return graph.text(vertex.label) == name_;
	if (kind_ == "kernel")
		return is_work(vertex, WorkClass::KERNEL) &&
		       graph.text(vertex.work.name) == "kernel " + name_;
	return is_operator(vertex) && graph.text(vertex.work.name) == name_;
}

} // namespace timing

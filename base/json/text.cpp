// SPDX-License-Identifier: MIT
/**
 * DOC: the reader and the writer of JSON
 *
 * only this file compiles the lexer, the parser and the serializer of nlohmann/json, for both kinds of JSON
 * value: objects whose keys are sorted, and objects that keep their order.
 */
#include "text.h"

#include <nlohmann/json.hpp>

namespace base {

/* Values are written, compared and checked by recursion, so the depth of a text that another process has made would
 * end the thread that does so. */
static constexpr unsigned DEPTH_MOST = 64;

static bool is_too_deep(std::string_view text)
{
	unsigned depth = 0;
	bool is_string = false;
	for (size_t i = 0; i < text.size(); i++) {
		const char each = text[i];
		if (each == '"')
			is_string = !is_string;
		else if (is_string)
			i += each == '\\';
		else if ((each == '[' || each == '{') && ++depth > DEPTH_MOST)
			return true;
		else if ((each == ']' || each == '}') && depth > 0)
			depth--;
	}
	return false;
}

template <typename Json> Json read_json(std::string_view text)
{
	return is_too_deep(text) ? Json(Json::value_t::discarded)
				 : Json::parse(text, nullptr, false);
}

template <typename Json> std::string write_json(const Json &value, int indent, char filler)
{
	return value.dump(indent, filler, false, Json::error_handler_t::replace);
}

template nlohmann::json read_json(std::string_view);
template nlohmann::ordered_json read_json(std::string_view);
template std::string write_json(const nlohmann::json &, int, char);
template std::string write_json(const nlohmann::ordered_json &, int, char);

} // namespace base

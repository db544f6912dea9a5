// SPDX-License-Identifier: MIT
/**
 * DOC: the reader and the writer of JSON
 *
 * nlohmann's lexer, parser and serializer are compiled here and nowhere else, for both kinds of value: objects whose
 * keys are sorted, and objects that keep their order.
 */
#include "text.h"

#include <nlohmann/json.hpp>

namespace base {

template <typename Json> Json read_json(std::string_view text)
{
	return Json::parse(text, nullptr, false);
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

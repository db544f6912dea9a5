// SPDX-License-Identifier: MIT
/*
 * The reader and the writer of JSON. They take most of the time that a compiler needs for nlohmann/json, so
 * only one file, text.cpp, compiles them.
 */
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace base {

/** read_json() - parses a text and returns its JSON value. @Json: nlohmann::json or nlohmann::ordered_json
 * Return: if @text is not valid JSON, a value for which is_discarded() is true. */
template <typename Json> Json read_json(std::string_view text);

/** write_json() - formats a JSON value as text, with U+FFFD in place of bytes that are not UTF-8. @Json: as
 * for read_json()
 * @indent: how many characters @filler each level is indented by; -1: the text is one line */
template <typename Json>
std::string write_json(const Json &value, int indent = -1, char filler = ' ');

} // namespace base

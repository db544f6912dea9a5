// SPDX-License-Identifier: MIT
/*
 * The reader and the writer of JSON. They are most of what nlohmann/json costs a unit, so they are compiled in one.
 */
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace base {

/** read_json() - the value of a text. @Json: nlohmann::json or nlohmann::ordered_json
 * Return: where @text is no JSON, or has more than 64 arrays and objects in each other, a value that
 * is_discarded(). */
template <typename Json> Json read_json(std::string_view text);

/** write_json() - the text of a value, with U+FFFD for bytes that are not UTF-8. @Json: as for read_json()
 * @indent: how many of @filler begin a line; -1: one line */
template <typename Json>
std::string write_json(const Json &value, int indent = -1, char filler = ' ');

} // namespace base

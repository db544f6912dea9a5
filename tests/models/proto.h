// SPDX-License-Identifier: MIT
/*
 * DOC: ONNX files for tests
 *
 * The messages that a test needs, as text of their bytes.
 */
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace proto {

inline std::string varint(uint64_t value)
{
	std::string bytes;
	for (; value >= 0x80; value >>= 7)
		bytes += static_cast<char>(value | 0x80);
	return bytes += static_cast<char>(value);
}
inline std::string number(unsigned field, int64_t value)
{
	return varint(field << 3) + varint(static_cast<uint64_t>(value));
}
inline std::string bytes(unsigned field, std::string_view value)
{
	return varint(field << 3 | 2) + varint(value.size()) + std::string(value);
}
inline std::string real(unsigned field, float value)
{
	return varint(field << 3 | 5) + std::string(reinterpret_cast<const char *>(&value), 4);
}

/* Attributes. */
inline std::string integer(std::string_view name, int64_t value)
{
	return bytes(5, bytes(1, name) + number(3, value) + number(20, 2));
}
inline std::string integers(std::string_view name, std::initializer_list<int64_t> values)
{
	std::string text = bytes(1, name) + number(20, 7);
	for (const int64_t value : values)
		text += number(8, value);
	return bytes(5, text);
}
inline std::string graph_attribute(std::string_view name, std::string_view graph)
{
	return bytes(5, bytes(1, name) + bytes(6, graph) + number(20, 5));
}

using Names = std::initializer_list<std::string_view>;

/* node() - a field of a graph. @more: attributes */
inline std::string node(std::string_view type, Names inputs, Names outputs, std::string more = "")
{
	std::string text;
	for (const std::string_view name : inputs)
		text += bytes(1, name);
	for (const std::string_view name : outputs)
		text += bytes(2, name);
	return bytes(1, text + bytes(4, type) + more);
}

/* info() - @field: 11 for an input, 12 for an output of a graph. A dim of -1 has no size. */
inline std::string info(unsigned field, std::string_view name, int type,
			std::initializer_list<int64_t> dims)
{
	std::string shape;
	for (const int64_t size : dims)
		shape += bytes(1, size < 0 ? bytes(2, "n") : number(1, size));
	return bytes(field, bytes(1, name) + bytes(2, bytes(1, number(1, type) + bytes(2, shape))));
}
inline std::string input(std::string_view name, int type, std::initializer_list<int64_t> dims)
{
	return info(11, name, type, dims);
}
inline std::string output(std::string_view name, int type, std::initializer_list<int64_t> dims)
{
	return info(12, name, type, dims);
}

/* constant() - an initializer of INT64. */
inline std::string constant(std::string_view name, std::vector<int64_t> values)
{
	std::string text = number(1, static_cast<int64_t>(values.size())) + number(2, 7);
	return bytes(5, text + bytes(8, name) +
				bytes(9, {reinterpret_cast<const char *>(values.data()),
					  8 * values.size()}));
}

/* model() - @graph: fields of a graph @more: of the model */
inline std::string model(std::string_view graph, int64_t opset = 17, std::string more = "")
{
	return number(1, 8) + bytes(7, graph) + bytes(8, number(2, opset)) + more;
}

} // namespace proto

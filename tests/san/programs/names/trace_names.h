// SPDX-License-Identifier: MIT
/*
 * DOC: What a trace calls the calls of a program
 *
 * The program sets a mark before each call and an empty one behind it.
 */
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "san/trace/encoding.h"

namespace trace_names {

inline bool has_call(san::Kind kind)
{
	switch (kind) {
	case san::Kind::COMMAND:
	case san::Kind::HOST_ACCESS:
	case san::Kind::EVENT_RECORD:
	case san::Kind::EVENT_WAIT:
	case san::Kind::FREE:
	case san::Kind::GRAPH_NODE:
	case san::Kind::GRAPH_LAUNCH:
	case san::Kind::CALLBACK:
	case san::Kind::SIGNAL:
	case san::Kind::AWAIT:
		return true;
	default:
		return false;
	}
}

/* The node around the tasks of one call, as the rows of a fill, which does nothing itself. */
inline bool is_group(const san::Record &record, const std::string &name)
{
	return record.kind == san::Kind::GRAPH_NODE && record.operands.empty() && name == "a task";
}

struct Part {
	std::set<std::string> names;
	unsigned numbered = 0; /* how many have the number of a task */
};

/* Return: by mark, what the records behind it have. */
inline std::map<std::string, Part> read_parts(const std::filesystem::path &folder)
{
	std::map<std::string, Part> parts;
	std::map<uint64_t, std::string> texts;
	std::string part;
	for (const auto &entry : std::filesystem::directory_iterator(folder)) {
		std::ifstream file(entry.path(), std::ios::binary);
		const std::string bytes{std::istreambuf_iterator<char>(file), {}};
		san::Reader reader(bytes);
		san::Record record;
		while (reader.next(record)) {
			if (record.kind == san::Kind::STRING)
				texts[record.object] = record.text;
			else if (record.kind == san::Kind::MARK)
				part = record.text;
			else if (!part.empty() && has_call(record.kind) && record.label != 0 &&
				 !is_group(record, texts[record.label])) {
				parts[part].names.insert(texts[record.label]);
				parts[part].numbered += san::task_of(record) != 0;
			}
		}
	}
	return parts;
}

} // namespace trace_names

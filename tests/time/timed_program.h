// SPDX-License-Identifier: MIT
/**
 * DOC: programs whose times are whole microseconds
 */
#pragma once

#include <map>
#include <string>
#include <utility>

#include "tests/san/record_program.h"
#include "time/answer/answer.h"
#include "time/graph/builder.h"

namespace timing::test {

using san::test::Bytes;

/** bare_profile() - copies take 1 us for 1000 bytes, a host function 5 us, an operator 10 us, and all else nothing. */
inline Profile bare_profile()
{
	Profile profile;
	for (const auto &[figure, value] :
	     std::map<const char *, const char *>{{"host.call", "0us"},
						  {"host.wait", "0us"},
						  {"host.function", "5us"},
						  {"launch.gap", "0us"},
						  {"event.record", "0us"},
						  {"event.wait", "0us"},
						  {"signal", "0us"},
						  {"graph.launch", "0us"},
						  {"graph.node", "0us"},
						  {"copy.latency", "0us"},
						  {"copy.h2d.rate", "1GB/s"},
						  {"copy.d2h.rate", "1GB/s"},
						  {"copy.d2d.rate", "1GB/s"},
						  {"operator.overhead", "10us"},
						  {"memory.rate", "1000TB/s"}})
		(void)profile.set(figure, value);
	return profile;
}

/** class TimedProgram - a program with copies of its own. */
class TimedProgram : public san::test::Program {
public:
	explicit TimedProgram(san::Profile api = san::Profile::ASCENDCL) : Program(api) {}

	/** in(), out() - a copy of so many microseconds. Its memory is its own. */
	uint64_t in(uint32_t stream, uint64_t us, uint16_t flags = 0)
	{
		return copy(stream, "in", memory("d", us * 1000), pinned("h", us * 1000), flags);
	}
	uint64_t out(uint32_t stream, uint64_t us, uint16_t flags = 0)
	{
		return copy(stream, "out", pinned("h", us * 1000), memory("d", us * 1000), flags);
	}
	/** in_node(), out_node() - the same, as a node. */
	uint64_t in_node(uint64_t graph, uint64_t us)
	{
		return node(graph, "in",
			    {reads(pinned("h", us * 1000)), writes(memory("d", us * 1000))},
			    san::HOST, san::COMMAND_COPY);
	}
	uint64_t out_node(uint64_t graph, uint64_t us)
	{
		return node(graph, "out",
			    {reads(memory("d", us * 1000)), writes(pinned("h", us * 1000))},
			    san::HOST, san::COMMAND_COPY);
	}
};

inline Graph graph_of(const san::test::Program &program, Changes changes = {})
{
	Builder builder(std::move(changes));
	for (const san::Record &record : program.records())
		builder.take(record);
	return builder.finish();
}

inline Answer answer(const san::test::Program &program, const Profile &profile = bare_profile(),
		     Changes changes = {})
{
	return answer_of(graph_of(program, std::move(changes)), profile);
}

/** micros() - the total of the bound in microseconds; -1 if it is not whole. */
inline int64_t micros(const san::test::Program &program, const Profile &profile = bare_profile())
{
	const Picoseconds total = answer(program, profile).bound.total;
	return total % US == 0 ? static_cast<int64_t>(total / US) : -1;
}

} // namespace timing::test

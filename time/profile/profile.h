// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace timing {

/** Picoseconds - all times are whole numbers of these. */
using Picoseconds = uint64_t;
constexpr Picoseconds NS = 1'000;
constexpr Picoseconds US = 1'000'000;
constexpr Picoseconds MS = 1'000'000'000;
constexpr Picoseconds SECOND = 1'000'000'000'000;

/** enum class Unit - what a figure counts. */
enum class Unit : uint8_t { TIME, RATE, SPEED, COUNT }; /* ps, bytes/s, operations/s, cores */

constexpr uint64_t GIGA = 1'000'000'000;
constexpr uint64_t TERA = 1'000 * GIGA;

/* X(name, word in a file, unit, value of the profile "plain", meaning) */
#define TIME_FIGURE_LIST(X) \
	X(HOST_CALL, "host.call", TIME, 1 * US, "a call that submits or signals") \
	X(HOST_WAIT, "host.wait", TIME, 1 * US, "the return of a call that has waited") \
	X(HOST_FUNCTION, "host.function", TIME, 10 * US, "a host function of a stream") \
	X(LAUNCH_GAP, "launch.gap", TIME, 1 * US, "the least time between two starts of tasks") \
	X(EVENT_RECORD, "event.record", TIME, 1 * US, "the record or reset of an event") \
	X(EVENT_WAIT, "event.wait", TIME, 1 * US, "a wait for an event, after it is complete") \
	X(SIGNAL, "signal", TIME, 1 * US, "a signal of a notify or of a word") \
	X(GRAPH_LAUNCH, "graph.launch", TIME, 10 * US, "the begin of a launch of a graph") \
	X(GRAPH_NODE, "graph.node", TIME, 1 * US, "each node of a graph, besides its work") \
	X(COPY_LATENCY, "copy.latency", TIME, 10 * US, "each copy, besides its bytes") \
	X(COPY_IN_RATE, "copy.h2d.rate", RATE, 20 * GIGA, "copies from the host to a device") \
	X(COPY_OUT_RATE, "copy.d2h.rate", RATE, 20 * GIGA, "copies from a device to the host") \
	X(COPY_HERE_RATE, "copy.d2d.rate", RATE, 500 * GIGA, "copies and fills on a device") \
	X(COPY_HOST_RATE, "copy.h2h.rate", RATE, 10 * GIGA, "copies from host to host") \
	X(FILE_LATENCY, "file.latency", TIME, 100 * US, "each transfer of a file") \
	X(FILE_RATE, "file.rate", RATE, 1 * GIGA, "transfers of files") \
	X(OPERATOR_OVERHEAD, "operator.overhead", TIME, 10 * US, "each operator and kernel") \
	X(CUBE_SPEED, "cube.speed", SPEED, 100 * TERA, "operations of 16 bits on all cube cores") \
	X(CUBE_SPEED_F32, "cube.speed.f32", SPEED, 100 * TERA, "operations of 32 bits there") \
	X(CUBE_SPEED_I8, "cube.speed.i8", SPEED, 100 * TERA, "operations of 8 bits there") \
	X(VECTOR_SPEED, "vector.speed", SPEED, 10 * TERA, "operations on all vector cores") \
	X(CUBE_CORES, "cube.cores", COUNT, 10, "cube cores; an operator takes all") \
	X(VECTOR_CORES, "vector.cores", COUNT, 20, "vector cores; a block of a kernel takes one") \
	X(MEMORY_RATE, "memory.rate", RATE, 1 * TERA, "the memory of a device, which tasks share")

/** enum class Figure - the figures of a profile. */
enum class Figure : uint8_t {
#define TIME_FIGURE_ENUM(name, word, unit, value, text) name,
	TIME_FIGURE_LIST(TIME_FIGURE_ENUM)
#undef TIME_FIGURE_ENUM
		COUNT,
};

/** enum class Source - where a figure is from. */
enum class Source : uint8_t { ASSUMED, VENDOR, MEASURED, DERIVED };

/** class Profile - the figures of an imagined device and host. The default is "plain": round figures of no chip. */
class Profile {
public:
	Profile();

	/** read() - takes figures from the text of a profile file; the others stay. Return: what is wrong, or "" */
	std::string read(std::string_view text);

	/** set() - sets one figure from its words in a file. Return: as read() */
	std::string set(std::string_view figure, std::string_view value);

	uint64_t operator[](Figure figure) const { return values_[static_cast<size_t>(figure)]; }

	/** name() - its name, for the first line of each report; with "changed" if a figure was set alone. */
	const std::string &name() const { return name_; }

	/** text() - the profile as the text of a file. */
	std::string text() const;

private:
	std::string read_line(std::string_view line);

	std::array<uint64_t, static_cast<size_t>(Figure::COUNT)> values_{};
	std::array<Source, static_cast<size_t>(Figure::COUNT)> sources_{};
	std::string name_ = "plain";
};

/** time_text() - a time in the largest unit of which it has at least one, with three digits behind the point. */
std::string time_text(Picoseconds time);

/** parse_time() - reads "3us", "0.5ms" and the like. Return: false if the text is none */
bool parse_time(std::string_view text, Picoseconds &time);

/** parse_number() - reads digits with at most nine behind a point, times @scale. Return: false if the text is no
 * such number, or the product is too large */
bool parse_number(std::string_view text, uint64_t scale, uint64_t &value);

} // namespace timing

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "round.h"

namespace bench {

/** struct Spread - of one figure over the rounds. */
struct Spread {
	double median = 0;
	double min = 0;
	double max = 0;
};

/**
 * enum class Figure - which figure of a measure a floor is about
 */
enum class Figure { RATIO, TIME_NS, ITEM_NS, WAKES };

/**
 * struct Floor - what a figure's median should be
 * @at_least: the figure should not be below @limit; else not above it
 */
struct Floor {
	const char *key;
	const char *title;
	Figure figure;
	bool at_least;
	double limit;
};

/** class Report - all rounds, for people and for programs. */
class Report {
public:
	explicit Report(std::vector<Round> rounds) : rounds_(std::move(rounds)) {}

	/** table() - every measure, in the order of the first round, then the floors. */
	std::string table(const std::vector<Floor> &floors) const;

	/** measures() - the same as JSON. */
	nlohmann::ordered_json measures() const;

	/** floors() - each floor with its value and "met", "missed" or "not measured". */
	nlohmann::ordered_json floors(const std::vector<Floor> &floors) const;

private:
	struct Row {
		const Measure *measure;
		Spread time_ns;
		double p99_ns;
		Spread ratio;
		bool has_ratio;
		double wakes; /* of the worst round */
	};

	Row row(const Measure &measure) const;
	nlohmann::ordered_json samples_of(std::string_view key) const;
	std::string line(const Row &row) const;
	std::string floor_line(const Floor &floor) const;
	bool value_of(const Floor &floor, double &value) const;

	const std::vector<Round> rounds_;
};

} // namespace bench

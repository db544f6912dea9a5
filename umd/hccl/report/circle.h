// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "report_peers.h"

namespace umd {

/** class WaitSearch - finds out which ranks a rank waits for. It follows the streams of all processes.
 * Context: as Peers. */
class WaitSearch {
public:
	/** circle() - searches for a circle of waits, from the calls that the streams of a rank have reached.
	 * Return: a sentence; "" if there is none. */
	std::string circle(uint64_t pid, const std::string &id, uint32_t rank);

	/** missing() - describes the ranks that a collective call waits for, and what each of them does
	 * instead.
	 * Return: "" if all have reached it. */
	std::string missing(uint64_t pid, const std::string &id, uint32_t rank, uint64_t number);

private:
	/* struct Place - a call that the stream of a rank has reached. */
	struct Place {
		uint64_t pid = 0;
		const nlohmann::json *comm = nullptr;
		const nlohmann::json *call = nullptr;
		bool operator==(const Place &) const = default;
	};

	static std::string describe(const Place &place);
	static uint64_t process_of(const nlohmann::json &comm, uint32_t rank);
	const nlohmann::json *peer(const nlohmann::json &comm, uint32_t rank);
	Place front_of(uint64_t pid, const nlohmann::json &call, const nlohmann::json &comm);
	std::vector<Place> next(const Place &place);
	void add_next(uint64_t pid, const nlohmann::json &comm, const nlohmann::json &call,
		      std::vector<Place> &found);
	bool search(const Place &place, std::vector<Place> &path, std::vector<Place> &seen);
	std::string excuse(const nlohmann::json &comm, uint32_t rank, uint64_t number);

	Peers peers_;
};

} // namespace umd

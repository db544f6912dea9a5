// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "peers.h"

namespace umd {

/** class WaitSearch - finds for whom a rank waits. It follows the streams of all processes. Context: as Peers. */
class WaitSearch {
public:
	/** circle() - a circle that begins with the calls of a rank that its streams have reached.
	 * Return: a sentence; "" if there is none. */
	std::string circle(uint64_t pid, const std::string &id, uint32_t rank);

	/** missing() - the ranks that keep a collective call from its end, and what each does instead.
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

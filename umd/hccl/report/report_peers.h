// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

namespace umd {

/** class Peers - the reports of all processes that a search visits. Each process is asked only once. Context:
 * one thread, which holds no lock. */
class Peers {
public:
	/** rank() - the report of process @pid about rank @rank of communicator @id. Return: nullptr if there
	 * is none. */
	const nlohmann::json *rank(uint64_t pid, const std::string &id, uint32_t rank);

	/** communicators() - all reports of the process, an array. */
	const nlohmann::json &communicators(uint64_t pid);

	/** state() - why a process does not answer: "is stopped" or "has ended"; "" if there is no such
	 * reason. */
	static std::string state(uint64_t pid);

private:
	std::map<uint64_t, nlohmann::json> reports_;
};

} // namespace umd

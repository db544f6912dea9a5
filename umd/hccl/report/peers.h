// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

namespace umd {

/** class Peers - the reports about communicators of all processes that a search comes to; each is asked once. Context:
 * one thread, which holds no lock. */
class Peers {
public:
	/** rank() - what process @pid reports of rank @rank of communicator @id. Return: nullptr for nothing. */
	const nlohmann::json *rank(uint64_t pid, const std::string &id, uint32_t rank);

	/** communicators() - all reports of the process, an array. */
	const nlohmann::json &communicators(uint64_t pid);

	/** state() - what keeps a process from answering: "is stopped", "has ended"; "" for nothing. */
	static std::string state(uint64_t pid);

private:
	std::map<uint64_t, nlohmann::json> reports_;
};

} // namespace umd

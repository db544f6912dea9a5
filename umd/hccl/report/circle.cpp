// SPDX-License-Identifier: MIT
/**
 * DOC: Search for a deadlock between ranks
 *
 * A stream runs one operation after the other. An operation that a stream has reached waits for the ranks
 * whose streams have not reached it. Such a stream may be at another operation, which waits for further
 * ranks. The search follows these waits. If it comes back to an operation that it has visited, it has found a
 * circle: a deadlock.
 */
#include "circle.h"

#include <algorithm>

#include <fmt/format.h>

namespace umd {

using nlohmann::json;

static std::string who(const json &comm, uint64_t pid)
{
	return fmt::format("rank {} (process {}, device {})", comm["rank"].get<uint32_t>(), pid,
			   comm["device"].get<uint32_t>());
}

std::string WaitSearch::describe(const Place &place)
{
	const json &call = *place.call;
	const auto number = call["number"].get<uint64_t>();
	const std::string which = number == 0 ? "" : fmt::format(", call {}", number);
	return fmt::format("{} waits in {}{} of communicator {} on its stream {}",
			   who(*place.comm, place.pid), call["call"].get<std::string>(), which,
			   (*place.comm)["name"].get<std::string>(),
			   call["stream"].get<uint32_t>());
}

uint64_t WaitSearch::process_of(const json &comm, uint32_t rank)
{
	return comm["members"][rank]["process"].get<uint64_t>();
}

/* The report of another rank's process. Return: nullptr if there is none, or if the process is on another
 * machine. */
const json *WaitSearch::peer(const json &comm, uint32_t rank)
{
	const bool is_here = comm["members"][rank]["here"].get<bool>();
	return is_here ? peers_.rank(process_of(comm, rank), comm["id"].get<std::string>(), rank)
		       : nullptr;
}

/* Finds the call that the stream of @call executes now, for a stream that has not reached @call yet. Return:
 * an empty place if there is no such call. */
WaitSearch::Place WaitSearch::front_of(uint64_t pid, const json &call, const json &comm)
{
	for (const json &each : peers_.communicators(pid)) {
		if (each["device"] != comm["device"])
			continue;
		for (const json &other : each["pending"]) {
			if (other["stream"] == call["stream"] && other["reached"].get<bool>())
				return {pid, &each, &other};
		}
	}
	return {};
}

/* Adds the calls that @call waits for. Ranks that have reached @call themselves are left out. */
void WaitSearch::add_next(uint64_t pid, const json &comm, const json &call,
			  std::vector<Place> &found)
{
	if (call["reached"].get<bool>())
		return;
	const Place place = front_of(pid, call, comm);
	if (place.call)
		found.push_back(place);
}

/* Whether message @other of rank @of is the other end of @message of rank @to. */
static bool has_end(const json &other, uint32_t of, const json &message, uint32_t to)
{
	if (message["rank"].get<uint32_t>() != of)
		return false;
	return std::any_of(other["messages"].begin(), other["messages"].end(),
			   [&](const json &end) {
				   return end["rank"].get<uint32_t>() == to &&
					  end["is_send"] != message["is_send"] &&
					  end["number"] == message["number"];
			   });
}

std::vector<WaitSearch::Place> WaitSearch::next(const Place &place)
{
	std::vector<Place> found;
	const json &comm = *place.comm;
	const json &call = *place.call;
	const auto own = comm["rank"].get<uint32_t>();
	const auto number = call["number"].get<uint64_t>();
	for (uint32_t rank = 0; rank < comm["members"].size(); rank++) {
		const uint64_t pid = process_of(comm, rank);
		const json *other = rank == own ? nullptr : peer(comm, rank);
		if (!other)
			continue;
		for (const json &theirs : (*other)["pending"]) {
			const bool is_same = number != 0 && theirs["number"] == number;
			const auto &messages = call["messages"];
			if (is_same ||
			    std::any_of(messages.begin(), messages.end(), [&](const json &message) {
				    return has_end(theirs, rank, message, own);
			    }))
				add_next(pid, *other, theirs, found);
		}
	}
	return found;
}

bool WaitSearch::search(const Place &place, std::vector<Place> &path, std::vector<Place> &seen)
{
	const auto again = std::find(path.begin(), path.end(), place);
	if (again != path.end()) {
		path.erase(path.begin(), again);
		return true;
	}
	if (std::find(seen.begin(), seen.end(), place) != seen.end())
		return false;
	seen.push_back(place);
	path.push_back(place);
	for (const Place &each : next(place)) {
		if (search(each, path, seen))
			return true;
	}
	path.pop_back();
	return false;
}

std::string WaitSearch::circle(uint64_t pid, const std::string &id, uint32_t rank)
{
	const json *comm = peers_.rank(pid, id, rank);
	std::vector<Place> path;
	std::vector<Place> seen;
	bool has_circle = false;
	for (size_t i = 0; comm && !has_circle && i < (*comm)["pending"].size(); i++) {
		const json &call = (*comm)["pending"][i];
		has_circle = call["reached"].get<bool>() && search({pid, comm, &call}, path, seen);
	}
	if (!has_circle)
		return "";
	std::string text;
	for (const Place &place : path)
		text += describe(place) + ", ";
	return text + "so they wait for each other and never end";
}

/* Describes what a rank does instead of the call; "" if its stream has reached the call. */
std::string WaitSearch::excuse(const json &comm, uint32_t rank, uint64_t number)
{
	const uint64_t pid = process_of(comm, rank);
	const json &member = comm["members"][rank];
	const auto calls = member["calls"].get<uint64_t>();
	const bool is_here = member["here"].get<bool>();
	const std::string state = is_here ? Peers::state(pid) : "";
	std::string text = fmt::format("rank {} (process {}{}, device {}) ", rank, pid,
				       is_here ? "" : " of " + member["host"].get<std::string>(),
				       member["device"].get<uint32_t>());
	if (member["left"].get<bool>() && !member["lost"].get<bool>())
		return text + "has destroyed the communicator";
	if (calls < number)
		return text + fmt::format("has made {} of {} calls{}", calls, number,
					  state.empty() ? "" : ", and its process " + state);
	if (!state.empty())
		return text + "has made the call, and its process " + state;
	const json *other = peer(comm, rank);
	for (const json &theirs : other ? (*other)["pending"] : json::array()) {
		if (theirs["number"] != number || theirs["reached"].get<bool>())
			continue;
		const Place front = front_of(pid, theirs, *other);
		return text + fmt::format("has made the call, but its stream {} {}",
					  theirs["stream"].get<uint32_t>(),
					  front.call ? "has not come so far: " + describe(front)
						     : "has earlier tasks that have not ended");
	}
	return "";
}

std::string WaitSearch::missing(uint64_t pid, const std::string &id, uint32_t rank, uint64_t number)
{
	const json *comm = peers_.rank(pid, id, rank);
	std::string text;
	for (uint32_t other = 0; comm && other < (*comm)["members"].size(); other++) {
		const std::string why = other == rank ? "" : excuse(*comm, other, number);
		if (!why.empty())
			text += (text.empty() ? "" : "; ") + why;
	}
	return text;
}

} // namespace umd

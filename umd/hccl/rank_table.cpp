// SPDX-License-Identifier: MIT
/**
 * DOC: Rank tables
 *
 * All ranks read the same file, so its text names their meeting; the first rank that comes hosts it. Numbers are texts
 * in a table.
 */
#include "rank_table.h"

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/number.h"
#include "meeting/nonce.h"
#include "result.h"

namespace umd {

using nlohmann::json;

static HcclResult refuse_table(const std::string &why)
{
	return refuse(HCCL_E_PARA, "the rank table " + why);
}

/* The member @key of @from as text; "" if it is no text. */
static std::string text_of(const json &from, const char *key)
{
	const auto found = from.is_object() ? from.find(key) : from.end();
	return from.is_object() && found != from.end() && found->is_string()
		       ? found->get<std::string>()
		       : std::string();
}

static HcclResult read_devices(const json &server, std::set<uint32_t> &ranks)
{
	const auto devices = server.is_object() ? server.find("device") : server.end();
	if (!server.is_object() || devices == server.end() || !devices->is_array())
		return refuse_table("has a server without a list of devices");
	for (const json &device : *devices) {
		uint32_t rank = 0;
		uint32_t number = 0;
		if (!base::read_number(text_of(device, "rank_id"), rank) ||
		    !base::read_number(text_of(device, "device_id"), number))
			return refuse_table(
				"has a device whose rank_id or device_id is no number as text");
		if (!ranks.insert(rank).second)
			return refuse_table(fmt::format("has rank_id {} twice", rank));
	}
	return HCCL_SUCCESS;
}

static HcclResult read_servers(const json &table, uint32_t &count)
{
	const std::string status = text_of(table, "status");
	if (table.is_object() && table.contains("group_list"))
		return refuse_table(
			"is of the old kind with group_list; write one with server_list");
	if (status != "completed")
		return refuse_table(
			fmt::format("has the status \"{}\"; it must be \"completed\"", status));
	const auto servers = table.find("server_list");
	if (servers == table.end() || !servers->is_array() || servers->empty())
		return refuse_table("has no server_list");
	if (servers->size() != 1)
		return refuse(HCCL_E_NOT_SUPPORT,
			      fmt::format("the rank table has {} servers; all ranks of a "
					  "communicator have to be on one machine",
					  servers->size()));
	std::set<uint32_t> ranks;
	TRY(read_devices((*servers)[0], ranks));
	if (ranks.empty() || *ranks.rbegin() != ranks.size() - 1)
		return refuse_table(
			fmt::format("has {} ranks, whose numbers are not 0 and those that follow",
				    ranks.size()));
	count = static_cast<uint32_t>(ranks.size());
	return HCCL_SUCCESS;
}

HcclResult read_rank_table(const char *path, Nonce &nonce, uint32_t &ranks)
{
	std::ifstream file(path, std::ios::binary);
	const std::string text((std::istreambuf_iterator<char>(file)),
			       std::istreambuf_iterator<char>());
	if (!file.is_open() || file.bad())
		return refuse(HCCL_E_OPEN_FILE_FAILURE,
			      fmt::format("the rank table {} can't be read", path));
	const json table = json::parse(text, nullptr, false);
	if (table.is_discarded() || !table.is_object())
		return refuse_table(fmt::format("{} is no JSON object", path));
	TRY(read_servers(table, ranks));
	const uid_t user = getuid();
	nonce = derive_nonce(text.data(), text.size(), &user, sizeof(user));
	return HCCL_SUCCESS;
}

} // namespace umd

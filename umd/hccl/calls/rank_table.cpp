// SPDX-License-Identifier: MIT
/**
 * DOC: Rank tables
 *
 * All ranks read the same file, so a hash of its text is the secret of their meeting. If the table has one
 * server, the first rank that arrives hosts the meeting. If it has several, rank 0 hosts it, at an address
 * that all ranks find in the table. A table writes numbers as strings.
 */
#include "rank_table.h"

#include <cerrno>
#include <cstring>
#include <map>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/json/text.h"
#include "base/number.h"
#include "base/os/calls/transfers.h"
#include "umd/hccl/hccl_result.h"
#include "umd/hccl/network/ports.h"
#include "umd/hccl/proof/secret.h"

namespace umd {

using nlohmann::json;

static HcclResult refuse_table(const std::string &why)
{
	return refuse(HCCL_E_PARA, "the rank table " + why);
}

/* The member @key of @from as a string; "" if it is not a string. */
static std::string text_of(const json &from, const char *key)
{
	const auto found = from.is_object() ? from.find(key) : from.end();
	return from.is_object() && found != from.end() && found->is_string()
		       ? found->get<std::string>()
		       : std::string();
}

/* struct TableRank - a rank in the table. */
struct TableRank {
	const json *server = nullptr;
	const json *device = nullptr;
};

/* struct TableRanks - the ranks that the parser has found so far. */
struct TableRanks {
	std::map<uint32_t, TableRank> ranks;
	/* The rank of each device. A server is named by its id, or by its number if it has no id. */
	std::map<std::pair<std::string, uint32_t>, uint32_t> devices;
};

/* @place: the index of the server in the list */
static HcclResult read_devices(const json &server, size_t place, TableRanks &found)
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
		if (!found.ranks.emplace(rank, TableRank{&server, &device}).second)
			return refuse_table(fmt::format("has rank_id {} twice", rank));
		const std::string id = text_of(server, "server_id");
		const std::string name = id.empty() ? fmt::format("number {}", place) : id;
		const auto [other, is_new] = found.devices.emplace(std::pair(name, number), rank);
		if (!is_new)
			return refuse_table(fmt::format("has device_id {} of server {} twice, for "
							"ranks {} and {}; each rank needs a device "
							"of its own",
							number, name, other->second, rank));
	}
	return HCCL_SUCCESS;
}

/* Determines where rank 0 opens the meeting. The address is the host_ip of its server, or the server_id if
 * that is an address. The port is its host_port, or the port that the environment sets. */
static HcclResult read_root(const TableRank &rank, RankTable &table)
{
	const std::string ip = text_of(*rank.server, "host_ip");
	const std::string id = text_of(*rank.server, "server_id");
	const std::string port = text_of(*rank.device, "host_port");
	if (!ip.empty() && !read_tcp_address(ip, table.root))
		return refuse_table(
			fmt::format("has the host_ip \"{}\" for the server of rank 0; it "
				    "must be an IPv4 or IPv6 address",
				    ip));
	if (ip.empty() && !read_tcp_address(id, table.root))
		return refuse_table(
			fmt::format("has several servers, and that of rank 0, \"{}\", has no "
				    "host_ip, and its server_id is no address",
				    id));
	if (port.empty()) {
		TRY(read_base_port(table.root.port));
		table.root_origin = fmt::format("rank 0 in the rank table (HCCL_IF_BASE_PORT, {})",
						table.root.port);
		return HCCL_SUCCESS;
	}
	if (!base::read_number(port, table.root.port) || table.root.port == 0)
		return refuse_table(fmt::format("has the host_port \"{}\" for rank 0; it must be a "
						"number from 1 to 65535, as text",
						port));
	table.root_origin = fmt::format("rank 0 in the rank table (host_port {})", port);
	return HCCL_SUCCESS;
}

/* The number of servers is optional in a table. */
static HcclResult check_count(const json &file, size_t servers)
{
	const auto found = file.find("server_count");
	uint64_t count = 0;
	if (found == file.end())
		return HCCL_SUCCESS;
	if (!base::read_number(text_of(file, "server_count"), count))
		return refuse_table(fmt::format(
			"has the server_count {}; it must be a number as text", found->dump()));
	if (count != servers)
		return refuse_table(fmt::format("has the server_count {}, and its server_list has "
						"{}; correct the one or the other",
						count, servers));
	return HCCL_SUCCESS;
}

static HcclResult read_servers(const json &file, RankTable &table)
{
	const std::string status = text_of(file, "status");
	if (file.is_object() && file.contains("group_list"))
		return refuse_table(
			"is of the old kind with group_list; write one with server_list");
	if (status != "completed")
		return refuse_table(
			fmt::format("has the status \"{}\"; it must be \"completed\"", status));
	const auto servers = file.find("server_list");
	if (servers == file.end() || !servers->is_array() || servers->empty())
		return refuse_table("has no server_list");
	TRY(check_count(file, servers->size()));
	TableRanks found;
	for (size_t place = 0; place < servers->size(); place++)
		TRY(read_devices((*servers)[place], place, found));
	auto &ranks = found.ranks;
	if (ranks.empty() || ranks.rbegin()->first != ranks.size() - 1)
		return refuse_table(
			fmt::format("has {} ranks, whose numbers are not 0 and those that follow",
				    ranks.size()));
	table.ranks = static_cast<uint32_t>(ranks.size());
	return servers->size() == 1 ? HCCL_SUCCESS : read_root(ranks[0], table);
}

HcclResult read_rank_table(const char *path, RankTable &table)
{
	std::string text;
	if (!base::calls::read_file(path, text))
		return refuse(
			HCCL_E_OPEN_FILE_FAILURE,
			fmt::format("the rank table {} can't be read: {}", path, strerror(errno)));
	const json parsed = base::read_json<json>(text);
	if (parsed.is_discarded() || !parsed.is_object())
		return refuse_table(fmt::format("{} is no JSON object", path));
	TRY(read_servers(parsed, table));
	/* One user may have different user ids on different machines, so they count only on one machine. */
	const uid_t user = table.root.family == 0 ? getuid() : 0;
	table.secret = derive(Topic::TABLE, bytes_of(user),
			      {reinterpret_cast<const uint8_t *>(text.data()), text.size()});
	return HCCL_SUCCESS;
}

} // namespace umd

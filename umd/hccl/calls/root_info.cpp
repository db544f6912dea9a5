// SPDX-License-Identifier: MIT
/**
 * DOC: Root information
 *
 * The program itself carries these bytes from rank 0 to the other ranks. They contain the secret of the
 * meeting, the machine, and the address at which the process of rank 0 listens.
 */
#include "root_info.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "umd/hccl/hccl_result.h"
#include "umd/hccl/network/interfaces.h"

namespace umd {

struct RootWords {
	char magic[8];
	uint32_t version;
	uint32_t reserved;
	Nonce secret;
	char machine[40]; /* result of this_machine() */
	TcpPlace tcp;
};
static_assert(sizeof(RootWords) <= sizeof(HcclRootInfo));

static constexpr char MAGIC[8] = {'u', 'n', 'p', 'u', 'h', 'c', 'c', 'l'};

void write_root_info(const Nonce &secret, const TcpPlace &tcp, HcclRootInfo &info)
{
	RootWords words{};
	memcpy(words.magic, MAGIC, sizeof(MAGIC));
	words.version = MEETING_VERSION;
	words.secret = secret;
	words.tcp = tcp;
	const std::string machine = this_machine();
	memcpy(words.machine, machine.data(), std::min(machine.size(), sizeof(words.machine) - 1));
	memset(info.internal, 0, sizeof(info.internal));
	memcpy(info.internal, &words, sizeof(words));
}

HcclResult read_root_info(const HcclRootInfo &info, MeetingPlace &place)
{
	RootWords words;
	memcpy(&words, info.internal, sizeof(words));
	if (memcmp(words.magic, MAGIC, sizeof(MAGIC)) != 0 || words.version != MEETING_VERSION)
		return refuse(HCCL_E_PARA, "rootInfo is not what HcclGetRootInfo of this library's "
					   "version wrote; pass that to all ranks, unchanged");
	words.machine[sizeof(words.machine) - 1] = '\0';
	place.secret = words.secret;
	place.tcp = words.tcp;
	place.is_local = this_machine() == words.machine;
	if (!place.is_local && words.tcp.at[0].family == 0)
		return refuse(HCCL_E_TCP_CONNECT,
			      "rootInfo was made on another machine, which had no network address "
			      "then; name one by HCCL_IF_IP or HCCL_SOCKET_IFNAME there");
	return HCCL_SUCCESS;
}

} // namespace umd

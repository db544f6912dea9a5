// SPDX-License-Identifier: MIT
/**
 * DOC: Root information
 *
 * Programs carry these bytes from rank 0 to the others by means of their own. They name the meeting and the machine.
 */
#include "root_info.h"

#include <cstring>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "result.h"

namespace umd {

struct RootWords {
	char magic[8];
	uint32_t version;
	uint32_t reserved;
	Nonce nonce;
	char machine[40]; /* the kernel's name for its present run */
};
static_assert(sizeof(RootWords) <= sizeof(HcclRootInfo));

static constexpr char MAGIC[8] = {'u', 'n', 'p', 'u', 'h', 'c', 'c', 'l'};

static std::string this_machine()
{
	std::string line;
	std::ifstream("/proc/sys/kernel/random/boot_id") >> line;
	return line.substr(0, sizeof(RootWords::machine) - 1);
}

void write_root_info(const Nonce &nonce, HcclRootInfo &info)
{
	RootWords words{};
	memcpy(words.magic, MAGIC, sizeof(MAGIC));
	words.version = MEETING_VERSION;
	words.nonce = nonce;
	const std::string machine = this_machine();
	memcpy(words.machine, machine.data(), machine.size());
	memset(info.internal, 0, sizeof(info.internal));
	memcpy(info.internal, &words, sizeof(words));
}

HcclResult read_root_info(const HcclRootInfo &info, Nonce &nonce)
{
	RootWords words;
	memcpy(&words, info.internal, sizeof(words));
	if (memcmp(words.magic, MAGIC, sizeof(MAGIC)) != 0 || words.version != MEETING_VERSION)
		return refuse(
			HCCL_E_PARA,
			"rootInfo is not what HcclGetRootInfo of this library's version wrote");
	words.machine[sizeof(words.machine) - 1] = '\0';
	if (this_machine() != words.machine)
		return refuse(HCCL_E_NOT_SUPPORT, "rootInfo was made on another machine; all ranks "
						  "of a communicator have to be on "
						  "one");
	nonce = words.nonce;
	return HCCL_SUCCESS;
}

} // namespace umd

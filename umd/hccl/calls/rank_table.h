// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "hccl/hccl_types.h"
#include "umd/hccl/meeting/words.h"

namespace umd {

/** struct RankTable - what all who have the same table find in it. */
struct RankTable {
	Nonce secret{}; /* of their meeting */
	uint32_t ranks = 0;
	TcpAddress root{};	 /* of several servers: where rank 0 opens the meeting */
	std::string root_origin; /* of its port, for sentences */
};

/** read_rank_table() - reads a table of ranks, a JSON file. Return: HCCL_E_OPEN_FILE_FAILURE, HCCL_E_PARA. */
HcclResult read_rank_table(const char *path, RankTable &table);

} // namespace umd

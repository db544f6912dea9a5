// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "hccl/hccl_types.h"
#include "umd/hccl/meeting/words.h"

namespace umd {

/** struct RankTable - what every rank reads from the table. */
struct RankTable {
	Nonce secret{}; /* secret of the meeting */
	uint32_t ranks = 0;
	TcpAddress root{};	 /* if there are several servers: where rank 0 opens the meeting */
	std::string root_origin; /* where the port comes from, for error messages */
};

/** read_rank_table() - reads a table of ranks, a JSON file. Return: HCCL_E_OPEN_FILE_FAILURE, HCCL_E_PARA. */
HcclResult read_rank_table(const char *path, RankTable &table);

} // namespace umd

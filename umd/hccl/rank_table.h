// SPDX-License-Identifier: MIT
#pragma once

#include "hccl/hccl_types.h"
#include "umd/hccl/meeting/words.h"

namespace umd {

/** read_rank_table() - reads a table of ranks, a JSON file.
 * @nonce: receives the name of the meeting of all who have the same table
 * @ranks: receives their number
 * Return: HCCL_E_OPEN_FILE_FAILURE, HCCL_E_PARA, HCCL_E_NOT_SUPPORT for several machines. */
HcclResult read_rank_table(const char *path, Nonce &nonce, uint32_t &ranks);

} // namespace umd

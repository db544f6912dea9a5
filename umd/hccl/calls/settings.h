// SPDX-License-Identifier: MIT
#pragma once

#include "hccl/hccl_types.h"
#include "umd/hccl/comm/comm.h"

namespace umd {

/** read_settings() - reads the settings of a communicator. A field of @config overrides the environment.
 * @config: NULL for none; its own size says which fields it has
 * Return: HCCL_E_PARA. */
HcclResult read_settings(const HcclCommConfig *config, CommSettings &settings);

} // namespace umd

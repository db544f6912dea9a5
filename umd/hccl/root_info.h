// SPDX-License-Identifier: MIT
#pragma once

#include "hccl/hccl_types.h"
#include "umd/hccl/meeting/words.h"

namespace umd {

/** write_root_info() - the bytes that lead other ranks to the meeting of @nonce. */
void write_root_info(const Nonce &nonce, HcclRootInfo &info);

/** read_root_info() - Return: HCCL_E_PARA for other bytes, HCCL_E_NOT_SUPPORT for those of another machine. */
HcclResult read_root_info(const HcclRootInfo &info, Nonce &nonce);

} // namespace umd

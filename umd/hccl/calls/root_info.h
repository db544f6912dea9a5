// SPDX-License-Identifier: MIT
#pragma once

#include "hccl/hccl_types.h"
#include "umd/hccl/meeting/guest.h"

namespace umd {

/** write_root_info() - the bytes that lead other ranks to a meeting, whose process listens at @tcp. */
void write_root_info(const Nonce &secret, const TcpPlace &tcp, HcclRootInfo &info);

/** read_root_info() - Return: HCCL_E_PARA for other bytes; HCCL_E_TCP_CONNECT for those of another machine that has
 * no address. */
HcclResult read_root_info(const HcclRootInfo &info, MeetingPlace &place);

} // namespace umd

// SPDX-License-Identifier: MIT
#pragma once

#include "hccl/hccl_types.h"
#include "umd/hccl/meeting/meeting_joiner.h"

namespace umd {

/** write_root_info() - writes the bytes by which other ranks find a meeting. The process of the meeting
 * listens at @tcp. */
void write_root_info(const Nonce &secret, const TcpPlace &tcp, HcclRootInfo &info);

/** read_root_info() - reads these bytes. Return: HCCL_E_PARA if write_root_info() did not write them;
 * HCCL_E_TCP_CONNECT if another machine wrote them and they contain no address. */
HcclResult read_root_info(const HcclRootInfo &info, MeetingPlace &place);

} // namespace umd

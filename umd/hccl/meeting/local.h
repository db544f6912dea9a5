// SPDX-License-Identifier: MIT
#pragma once

#include "base/os/shm.h"
#include "base/result.h"
#include "hccl/hccl_types.h"
#include "words.h"

namespace umd {

/** listen_for() - a socket that listens at the place of the meeting with this secret. Return: IN_USE if
 * another socket listens there. */
base::Result<base::Fd> listen_for(const Nonce &secret);

/** connect_to() - connects to the place of the meeting. @is_awaited: the caller tries again later
 * Return: NOT_READY when nobody listens there. */
base::Result<base::Fd> connect_to(const Nonce &secret, bool is_awaited);

/** read_group() - reads UNPU_HCCL_GROUP: a group of this machine, by number or by name.
 * @group: keeps its value if the variable is not set
 * Return: HCCL_E_PARA, sets the error message. */
HcclResult read_group(uint32_t &group);

/** may_meet() - whether the other side of a Unix socket is a process of this user, or of a member of @group.
 * The kernel tells that. Both sides check. @group: NO_GROUP: only this user */
bool may_meet(const base::Fd &socket, uint32_t group);

} // namespace umd

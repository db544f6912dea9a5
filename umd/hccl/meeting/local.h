// SPDX-License-Identifier: MIT
#pragma once

#include "base/os/shm.h"
#include "base/result.h"
#include "words.h"

namespace umd {

/** listen_for() - a socket that listens at the place of @nonce. Return: IN_USE when another one does. */
base::Result<base::Fd> listen_for(const Nonce &nonce);

/** connect_to() - @is_awaited: the caller tries again later
 * Return: NOT_READY when nobody listens there. */
base::Result<base::Fd> connect_to(const Nonce &nonce, bool is_awaited);

/** is_same_user() - whether the other side of a socket is a process of this user. */
bool is_same_user(const base::Fd &socket);

} // namespace umd

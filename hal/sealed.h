// SPDX-License-Identifier: MIT
#pragma once

#include "base/shm.h"

namespace hal {

/** check_sealed() - whether @fd is memory of at least @bytes that nobody can take away: a firmware
 * that could shrink it could end this process. Return: BAD_MESSAGE when it is not. */
base::Status check_sealed(const base::Fd &fd, uint64_t bytes);

} // namespace hal

// SPDX-License-Identifier: MIT
#pragma once

#include "base/os/shm.h"

namespace hal {

/** check_sealed() - whether @fd is a memfd of at least @bytes that is sealed against shrinking. A firmware
 * that could shrink it could kill this process with SIGBUS. Return: BAD_MESSAGE if not. */
base::Status check_sealed(const base::Fd &fd, uint64_t bytes);

} // namespace hal

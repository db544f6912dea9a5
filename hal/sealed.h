// SPDX-License-Identifier: MIT
#pragma once

#include "base/os/shm.h"

namespace hal {

/** check_sealed() - whether @fd is a memfd of at least @bytes that is sealed against shrinking. A firmware that could
 * shrink it could kill this process with SIGBUS, and so could one whose file has pages of the kernel's pool.
 * @pages: HUGETLB: it may have those. Return: BAD_MESSAGE if not. */
base::Status check_sealed(const base::Fd &fd, uint64_t bytes, unpu_page_kind pages);

} // namespace hal

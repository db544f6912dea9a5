// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "umd/core/process/owned.h"

namespace umd::check {

/** made() - adds an object of the calling thread's device, if checks are on. */
void made(const void *object, const char *kind, uint64_t bytes, const void *site);

/** taken() - the same for an object that may be there already, as memory that is imported again: one reference more.
 * @device: -1: the calling thread's */
void taken(const void *object, const char *kind, uint64_t bytes, const void *site,
	   int32_t device = -1);

} // namespace umd::check

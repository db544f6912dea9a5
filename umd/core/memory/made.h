// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "umd/core/process/owned.h"

namespace umd::check {

/** made() - with strict mode, lists an object that the program has made.
 * @device: number of the device; -1: the calling thread's device */
void made(const void *object, const char *kind, uint64_t bytes, const void *site,
	  int32_t device = -1);

/** taken() - the same for an object that may be in the list already, such as memory that is imported again.
 * Then it adds a reference. */
void taken(const void *object, const char *kind, uint64_t bytes, const void *site,
	   int32_t device = -1);

} // namespace umd::check

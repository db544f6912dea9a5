// SPDX-License-Identifier: MIT
#pragma once

#include "umd/core/object/context_object.h"

namespace umd {

/** enum class Side - the kind of memory at an address, which gives the direction of a copy. */
enum class Side {
	HOST,	 /* the program's memory, pinned or not */
	DEVICE,	 /* device memory */
	MANAGED, /* memory that both sides access */
};

/** side_of() - the kind of memory at @address.
 * @here: a held context, whose device is searched first. Context: any thread. */
Side side_of(const void *address, const Context *here = nullptr);

} // namespace umd

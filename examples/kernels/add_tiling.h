// SPDX-License-Identifier: MIT
#ifndef ADD_TILING_H
#define ADD_TILING_H

#include <cstdint>

// How the work of one launch is cut: all elements, and tiles of one block.
struct AddTiling {
	uint32_t elements;
	uint32_t tiles;
};

#endif // ADD_TILING_H

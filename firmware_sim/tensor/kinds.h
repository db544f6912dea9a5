// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "uapi/tensor.h"

namespace fw {

/** struct TensorKind - slots and attributes of a kind, in the letters of uapi/tensor.h. */
struct TensorKind {
	uint32_t kind;
	const char *name;
	const char *slots;
	const char *attributes;
};

/** tensor_kind() - the row of a kind; nullptr if there is no such kind. The kind may have no kernel. */
const TensorKind *tensor_kind(uint32_t kind);

/** slot_access() - UNPU_ACCESS_* and UNPU_ACCESS_PARTIAL of a slot's letter. */
constexpr uint8_t slot_access(char letter)
{
	switch (letter) {
	case 'w':
	case 'v':
	case 'm':
		return UNPU_ACCESS_WRITE;
	case 'q':
		return UNPU_ACCESS_WRITE | UNPU_ACCESS_PARTIAL;
	case 'p':
		return UNPU_ACCESS_READ | UNPU_ACCESS_PARTIAL;
	default:
		return UNPU_ACCESS_READ;
	}
}

} // namespace fw

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace base {

/** struct Chip - a chip that a device can simulate. Each cube core has two vector cores. */
struct Chip {
	std::string_view name;
	uint32_t cube_cores;

	constexpr uint32_t vector_cores() const { return 2 * cube_cores; }
};

/** chip_named() - the numbers of cores are those of the chip's data sheet. Return: an empty Chip if the name
 * is not known. */
constexpr Chip chip_named(std::string_view name)
{
	constexpr Chip CHIPS[] = {
		{"Ascend910B1", 24},
		{"Ascend910B2", 24},
		{"Ascend910B3", 20},
		{"Ascend910B4", 20},
	};
	for (const Chip &chip : CHIPS) {
		if (chip.name == name)
			return chip;
	}
	return {};
}

} // namespace base

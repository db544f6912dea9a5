// SPDX-License-Identifier: MIT
/*
 * DOC: Pass: dead launches
 *
 * Removes launches whose results nobody reads, or only the computation of shapes, which is done already.
 */
#include "lower.h"

namespace models {

void drop_dead(Program &program)
{
	std::vector<bool> is_read(program.buffers.size()), is_live(program.launches.size());
	for (size_t k = program.launches.size(); k-- > 0;) {
		const Launch &launch = program.launches[k];
		for (const Relocation &address : launch.addresses)
			if (address.is_written &&
			    (is_read[address.buffer] ||
			     program.buffers[address.buffer].space == Space::OUTPUT))
				is_live[k] = true;
		if (!is_live[k])
			continue;
		for (const Relocation &address : launch.addresses)
			if (!address.is_written)
				is_read[address.buffer] = true;
	}
	size_t kept = 0;
	for (size_t k = 0; k < program.launches.size(); k++) {
		if (!is_live[k])
			continue;
		if (kept != k)
			program.launches[kept] = std::move(program.launches[k]);
		kept++;
	}
	program.launches.resize(kept);
}

} // namespace models

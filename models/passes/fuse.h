// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "shapes.h"

namespace models {

/*
 * struct Fusion - what a pass did with a place where it looked.
 * @pass: its name
 * @node: description of the node that made it look
 * @why: why it changed nothing; "" if the nodes are one now
 */
struct Fusion {
	const char *pass;
	std::string node, why;
};

/* fusion_names() - the names of the passes, in the order in which they run. */
std::vector<std::string> fusion_names();

/*
 * fuse() - makes one node of several that exporters write for one function. The last one of them becomes the new
 * node; the others go where nobody else reads them. Passes that Model::unfused names do not run.
 * @report: receives what they did
 */
void fuse(Fixed &fixed, std::vector<Fusion> &report);

} // namespace models

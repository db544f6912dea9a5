// SPDX-License-Identifier: MIT
#pragma once

#include "base/status.h"

namespace umd {

struct Model;
struct Stream;

/** check_graph_memory() - with UNPU_CHECK: whether the memory that the copies, fills and operators of a captured model
 * use is still there. Tasks that may be left out or changed by the time they run are not looked at. Context: is_on()
 * Return: OK; with `error` INVALID_ARGUMENT if not. */
base::Status check_graph_memory(const char *call, Model &model, const Stream &stream);

} // namespace umd

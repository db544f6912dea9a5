// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine.h"
#include "hccl/hccl_types.h"

namespace umd {

/** enum class WireKind - the engines: over sockets, over UCX. */
enum class WireKind : uint32_t { SOCKETS = 0, UCX };

/** struct EngineChoice - the engine of a process. */
struct EngineChoice {
	const WireEngine *engine = nullptr;
	WireKind kind = WireKind::SOCKETS;
};

/** choose_engine() - as UNPU_HCCL_WIRE says. That of UCX is loaded once.
 * Return: HCCL_E_PARA for wrong settings; HCCL_E_NOT_SUPPORT without UCX; with the sentence set. */
HcclResult choose_engine(EngineChoice &choice);

/** engine_settings() - pairs of a name and a value: what the engine needs and the environment does not say. */
std::vector<std::string> engine_settings();

} // namespace umd

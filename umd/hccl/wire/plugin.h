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

/** choose_engine() - chooses the engine that UNPU_HCCL_WIRE names. The UCX engine is loaded only once.
 * Return: HCCL_E_PARA for wrong settings; HCCL_E_NOT_SUPPORT without UCX; sets the error message. */
HcclResult choose_engine(EngineChoice &choice);

/** engine_settings() - pairs of a name and a value: settings that the engine needs and that the environment
 * does not set. */
std::vector<std::string> engine_settings();

} // namespace umd

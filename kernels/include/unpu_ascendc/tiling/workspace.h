/* SPDX-License-Identifier: MIT */
/*
 * DOC: Workspaces
 *
 * The system's part of a workspace comes first; kernels compute behind it.
 */
#ifndef UNPU_ASCENDC_TILING_WORKSPACE_H
#define UNPU_ASCENDC_TILING_WORKSPACE_H

#include "unpu_ascendc/core/qualifiers.h"
#include "unpu_ascendc/core/state.h"

namespace unpu::lang {

inline constexpr uint64_t SYSTEM_WORKSPACE_BYTES = 16ull << 20;

} // namespace unpu::lang

namespace AscendC {

inline __gm__ uint8_t *GetSysWorkSpacePtr()
{
	unsigned char *own = unpu::lang::state().workspace;

	return own ? own : reinterpret_cast<uint8_t *>(unpu::lang::block().workspace);
}
inline void SetSysWorkspace(GM_ADDR workspace)
{
	unpu::lang::state().workspace = workspace;
}
inline void SetSysWorkspaceForce(GM_ADDR workspace)
{
	unpu::lang::state().workspace = workspace;
}
/* With HAVE_WORKSPACE the kernel has got the user's part already, and kernels that call this are right, too. */
inline __gm__ uint8_t *GetUserWorkspace(GM_ADDR workspace)
{
	__gm__ uint8_t *system = GetSysWorkSpacePtr();

	if (system && workspace == system + unpu::lang::SYSTEM_WORKSPACE_BYTES)
		return workspace;
	return workspace + unpu::lang::SYSTEM_WORKSPACE_BYTES;
}

} // namespace AscendC

using AscendC::GetSysWorkSpacePtr;
using AscendC::GetUserWorkspace;
using AscendC::SetSysWorkspace;

#endif /* UNPU_ASCENDC_TILING_WORKSPACE_H */

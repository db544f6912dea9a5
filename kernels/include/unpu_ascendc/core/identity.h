/* SPDX-License-Identifier: MIT */
/*
 * DOC: Identity
 *
 * Which block a kernel runs as, and on which kind of core.
 */
#ifndef UNPU_ASCENDC_CORE_IDENTITY_H
#define UNPU_ASCENDC_CORE_IDENTITY_H

#include "unpu_ascendc/core/constants.h"
#include "unpu_ascendc/core/marks.h"
#include "unpu_ascendc/core/services.h"

namespace unpu::lang {

inline int core_kind()
{
	return block().core == UNPU_KERNEL_CORE_AIC ? AscendC::AIC : AscendC::AIV;
}

/* Objects that kernels read like variables. */
struct CoreKind {
	operator int() const { return core_kind(); }
};
struct BlockIndex {
	operator int64_t() const { return static_cast<int64_t>(block().index); }
};
struct BlockNumber {
	operator int64_t() const { return static_cast<int64_t>(block().count); }
};

} // namespace unpu::lang

namespace AscendC {

inline int64_t GetBlockIdx()
{
	return static_cast<int64_t>(unpu::lang::block().index);
}
inline int64_t GetBlockNum()
{
	return static_cast<int64_t>(unpu::lang::block().count);
}
inline int64_t GetSubBlockIdx()
{
	return unpu::lang::block().sub_index;
}
inline int64_t GetSubBlockNum()
{
	return unpu::lang::block().sub_count;
}
/* Instances of the kind of the block for each cube instance: on a cube core it is 1. */
inline int64_t GetTaskRatio()
{
	const unpu_kernel_block &own = unpu::lang::block();

	UNPU_MARK_RATIO();
	return own.type == 5 && own.core == UNPU_KERNEL_CORE_AIV ? 2 : 1;
}
inline int64_t GetTaskRation()
{
	return GetTaskRatio();
}
constexpr int64_t GetDataBlockSizeInBytes()
{
	return 32;
}
/* Counts at 50 MHz. */
inline int64_t GetSystemCycle()
{
	return static_cast<int64_t>(unpu::lang::services->now_ns() / 20);
}
inline void Trap(UNPU_WHERE)
{
	unpu::lang::trap(where);
}

} // namespace AscendC

static const unpu::lang::CoreKind g_coreType __attribute__((unused)) = {};
static const unpu::lang::BlockIndex block_idx __attribute__((unused)) = {};
static const unpu::lang::BlockNumber block_num __attribute__((unused)) = {};

#define ASCEND_IS_AIV (::unpu::lang::core_kind() == ::AscendC::AIV)
#define ASCEND_IS_AIC (::unpu::lang::core_kind() == ::AscendC::AIC)
#define ASCEND_IS_NOT_AIV (::unpu::lang::core_kind() != ::AscendC::AIV)
#define ASCEND_IS_NOT_AIC (::unpu::lang::core_kind() != ::AscendC::AIC)

namespace AscendC {
using ::g_coreType;
}

#endif /* UNPU_ASCENDC_CORE_IDENTITY_H */

/* SPDX-License-Identifier: MIT */
/*
 * DOC: lib/hccl/hccl.h
 *
 * Collective communication from inside of a kernel. This implementation has none: the compiler says so.
 */
#ifndef UNPU_LIB_HCCL_HCCL_H
#define UNPU_LIB_HCCL_HCCL_H

#include "kernel_operator.h"

namespace AscendC {

enum class HcclServerType { HCCL_SERVER_TYPE_AICPU = 0, HCCL_SERVER_TYPE_END };

template <HcclServerType type = HcclServerType::HCCL_SERVER_TYPE_AICPU> class Hccl {
	static_assert(unpu::lang::never<std::integral_constant<HcclServerType, type>>,
		      "unpu has no Hccl yet (see kernel-names): kernels cannot communicate between "
		      "devices; "
		      "use the host's API");
};

} // namespace AscendC

#endif /* UNPU_LIB_HCCL_HCCL_H */

/* SPDX-License-Identifier: MIT */
/*
 * DOC: Types of a matrix product
 *
 * Where the operands lie, their layout and type, and the settings, which this implementation ignores.
 */
#ifndef UNPU_ASCENDC_MATMUL_TYPES_H
#define UNPU_ASCENDC_MATMUL_TYPES_H

#include "kernel_tiling/kernel_tiling.h"
#include "unpu_ascendc/core/constants.h"
#include "unpu_ascendc/types/traits.h"

enum class CubeFormat { ND = 0, NZ, ZN, ZZ, NN, ND_ALIGN, SCALAR, VECTOR };
enum class LayoutMode { NONE = 0, BSNGD, SBNGD, BNGS1S2, NORMAL };

namespace AscendC {

using ::CubeFormat;
using ::LayoutMode;

template <TPosition position, CubeFormat layout, typename Element, bool is_transposed = false,
	  LayoutMode = LayoutMode::NONE, bool = false>
struct MatmulType {
	static constexpr TPosition pos = position;
	static constexpr CubeFormat format = layout;
	static constexpr bool isTrans = is_transposed;
	using T = Element;
};

struct MatmulConfig {
	bool doNorm = true;
	bool doMultiDataLoad = false;
	bool enUnitFlag = false;
	bool intrinsicsCheck = false;
	bool enVecND2NZ = false;
};

constexpr MatmulConfig CFG_NORM = {};
constexpr MatmulConfig CFG_MDL = {false, true};
constexpr MatmulConfig CFG_IBSHARE_NORM = {};
constexpr MatmulConfig MM_CFG_BB = {};

template <class... T> constexpr MatmulConfig GetNormalConfig(T...)
{
	return CFG_NORM;
}
template <class... T> constexpr MatmulConfig GetMDLConfig(T...)
{
	return CFG_MDL;
}
template <class... T> constexpr MatmulConfig GetIBShareNormConfig(T...)
{
	return CFG_NORM;
}

} // namespace AscendC

namespace matmul {
using AscendC::CFG_MDL;
using AscendC::CFG_NORM;
using AscendC::GetMDLConfig;
using AscendC::GetNormalConfig;
using AscendC::MatmulConfig;
using AscendC::MatmulType;
} // namespace matmul

/* The device's headers declare them in all three namespaces. */
using AscendC::CFG_MDL;
using AscendC::CFG_NORM;

#endif /* UNPU_ASCENDC_MATMUL_TYPES_H */

/* SPDX-License-Identifier: MIT */
/*
 * DOC: Tiling of matrix products
 *
 * matmul_tiling::MultiCoreMatmulTiling splits C = A * B over cores and into tiles that fit the memories of a core. A
 * kernel computes the same result with any valid split. The tilings of functions of rows have few fields that mean
 * anything here, so programs fill them in; a call of the functions that do it elsewhere does not compile.
 */
#ifndef UNPU_TILING_TILING_API_H
#define UNPU_TILING_TILING_API_H

#include <algorithm>
#include <cstdint>

#include "kernel_tiling/kernel_tiling.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(TCubeTiling)
#define UNPU_TCUBE_FIELD(name) TILING_DATA_FIELD_DEF(int32_t, name)
UNPU_TCUBE_FIELDS(UNPU_TCUBE_FIELD)
#undef UNPU_TCUBE_FIELD
END_TILING_DATA_DEF;

} /* namespace optiling */

namespace matmul_tiling {

enum class TPosition : int32_t {
	GM,
	A1,
	A2,
	B1,
	B2,
	C1,
	C2,
	CO1,
	CO2,
	VECIN,
	VECOUT,
	VECCALC,
	LCM = VECCALC,
	SPM,
	SHM = SPM,
	TSCM,
	MAX
};

enum class CubeFormat : int32_t { ND = 0, NZ, ZN, ZZ, NN, ND_ALIGN, SCALAR, VECTOR };

enum class DataType : int32_t {
	DT_FLOAT = 0,
	DT_FLOAT16 = 1,
	DT_INT8 = 2,
	DT_INT32 = 3,
	DT_UINT8 = 4,
	DT_INT16 = 6,
	DT_UINT16 = 7,
	DT_UINT32 = 8,
	DT_INT64 = 9,
	DT_BF16 = 27,
	DT_BFLOAT16 = DT_BF16,
	DT_INT4 = 29,
};

enum class MatrixTraverse : int32_t { NOSET = 0, FIRSTM = 1, FIRSTN = 2 };

class MatmulApiTiling {
public:
	MatmulApiTiling() = default;
	explicit MatmulApiTiling(const platform_ascendc::PlatformAscendC &) {}
	virtual ~MatmulApiTiling() = default;

	int32_t SetAType(TPosition, CubeFormat, DataType type, bool is_transposed = false)
	{
		a_bytes_ = bytes_of(type);
		(void)is_transposed;
		return 0;
	}

	int32_t SetBType(TPosition, CubeFormat, DataType type, bool is_transposed = false)
	{
		b_bytes_ = bytes_of(type);
		(void)is_transposed;
		return 0;
	}

	int32_t SetCType(TPosition, CubeFormat, DataType) { return 0; }
	int32_t SetBiasType(TPosition, CubeFormat, DataType) { return 0; }

	int32_t SetShape(int32_t m, int32_t n, int32_t k)
	{
		m_ = m;
		n_ = n;
		k_ = k;
		return 0;
	}

	int32_t SetOrgShape(int32_t m, int32_t n, int32_t k) { return SetOrgShape(m, n, k, k); }

	int32_t SetOrgShape(int32_t m, int32_t n, int32_t ka, int32_t kb)
	{
		org_m_ = m;
		org_n_ = n;
		org_ka_ = ka;
		org_kb_ = kb;
		return 0;
	}

	int32_t SetFixSplit(int32_t base_m = -1, int32_t base_n = -1, int32_t base_k = -1)
	{
		base_m_ = base_m;
		base_n_ = base_n;
		base_k_ = base_k;
		return 0;
	}

	int32_t SetBufferSpace(int32_t = -1, int32_t = -1, int32_t = -1, int32_t = -1) { return 0; }
	int32_t SetTraverse(MatrixTraverse order)
	{
		order_ = order == MatrixTraverse::FIRSTN ? 1 : 0;
		return 0;
	}
	int32_t EnableBias(bool has_bias = false) { return SetBias(has_bias); }
	int32_t SetBias(bool has_bias = false)
	{
		has_bias_ = has_bias;
		return 0;
	}
	int32_t GetBaseM() const { return base_m_; }
	int32_t GetBaseN() const { return base_n_; }
	int32_t GetBaseK() const { return base_k_; }

	/* 0, or -1 if there is no valid split of the shape. */
	virtual int64_t GetTiling(optiling::TCubeTiling &tiling)
	{
		::TCubeTiling plain;
		if (GetTiling(plain) != 0)
			return -1;
#define UNPU_TCUBE_FIELD(name) tiling.set_##name(plain.name);
		UNPU_TCUBE_FIELDS(UNPU_TCUBE_FIELD)
#undef UNPU_TCUBE_FIELD
		return 0;
	}

	virtual int64_t GetTiling(::TCubeTiling &tiling)
	{
		if (m_ <= 0 || n_ <= 0 || k_ <= 0 || cores_ <= 0 || !set_base())
			return -1;
		split(&tiling);
		tiling.M = org_m_ > 0 ? org_m_ : m_;
		tiling.N = org_n_ > 0 ? org_n_ : n_;
		tiling.Ka = org_ka_ > 0 ? org_ka_ : k_;
		tiling.Kb = org_kb_ > 0 ? org_kb_ : k_;
		tiling.singleCoreK = k_;
		tiling.baseM = base_m_;
		tiling.baseN = base_n_;
		tiling.baseK = base_k_;
		tiling.depthA1 = tiling.depthB1 = 1;
		tiling.stepM = tiling.stepN = tiling.stepKa = tiling.stepKb = 1;
		tiling.isBias = has_bias_;
		tiling.iterateOrder = order_;
		tiling.shareL1Size = base_k_ * (base_m_ * a_bytes_ + base_n_ * b_bytes_);
		tiling.shareL0CSize = base_m_ * base_n_ * 4;
		tiling.dbL0A = tiling.dbL0B = tiling.dbL0C = 1;
		tiling.batchM = tiling.batchN = tiling.singleBatchM = tiling.singleBatchN = 1;
		return 0;
	}

protected:
	static constexpr int32_t CUBE = 16;
	static constexpr int32_t L0_BYTES = 65536;
	static constexpr int32_t L0C_BYTES = 131072;

	static int32_t round_up(int32_t value, int32_t to)
	{
		return (value + to - 1) / to * to;
	}

	static int32_t bytes_of(DataType type)
	{
		switch (type) {
		case DataType::DT_FLOAT:
		case DataType::DT_INT32:
		case DataType::DT_UINT32:
			return 4;
		case DataType::DT_INT8:
		case DataType::DT_UINT8:
		case DataType::DT_INT4:
			return 1;
		case DataType::DT_INT64:
			return 8;
		default:
			return 2;
		}
	}

	/* Chooses tiles that fit into L0A, L0B and L0C. Values that the caller has fixed are checked. */
	bool set_base()
	{
		if (base_m_ <= 0)
			base_m_ = std::min(128, round_up(m_, CUBE));
		if (base_n_ <= 0)
			base_n_ = std::min(L0C_BYTES / 4 / base_m_ / CUBE * CUBE,
					   std::min(256, round_up(n_, CUBE)));
		const int32_t fits =
			L0_BYTES / std::max(base_m_ * a_bytes_, base_n_ * b_bytes_) / CUBE * CUBE;
		if (base_k_ <= 0)
			base_k_ = std::min(fits, round_up(k_, CUBE));
		return base_n_ > 0 && base_k_ > 0 && base_m_ * base_n_ * 4 <= L0C_BYTES &&
		       base_k_ <= std::max(fits, CUBE);
	}

	/* Rows and columns of cores: the split with the smallest share of a core, in whole tiles. */
	void split(::TCubeTiling *tiling) const
	{
		int64_t best = -1;
		for (int32_t rows = 1; rows <= cores_; rows++) {
			const int32_t columns = cores_ / rows;
			const int32_t share_m = round_up((m_ + rows - 1) / rows, base_m_);
			const int32_t share_n = round_up((n_ + columns - 1) / columns, base_n_);
			const int64_t share = int64_t(share_m) * share_n;
			if (best >= 0 && share >= best)
				continue;
			best = share;
			tiling->singleCoreM = std::min(share_m, m_);
			tiling->singleCoreN = std::min(share_n, n_);
		}
		const int32_t rows = (m_ + tiling->singleCoreM - 1) / tiling->singleCoreM;
		const int32_t columns = (n_ + tiling->singleCoreN - 1) / tiling->singleCoreN;
		tiling->usedCoreNum = rows * columns;
	}

	int32_t a_bytes_ = 2;
	int32_t b_bytes_ = 2;
	int32_t m_ = 0;
	int32_t n_ = 0;
	int32_t k_ = 0;
	int32_t org_m_ = 0;
	int32_t org_n_ = 0;
	int32_t org_ka_ = 0;
	int32_t org_kb_ = 0;
	int32_t base_m_ = -1;
	int32_t base_n_ = -1;
	int32_t base_k_ = -1;
	int32_t order_ = 0;
	int32_t cores_ = 1;
	bool has_bias_ = false;
};

class MultiCoreMatmulTiling : public MatmulApiTiling {
public:
	using MatmulApiTiling::MatmulApiTiling;

	int32_t SetDim(int32_t cores)
	{
		cores_ = cores;
		return 0;
	}

	int32_t SetSingleShape(int32_t = -1, int32_t = -1, int32_t = -1) { return 0; }

	int32_t GetCoreNum(int32_t &cores, int32_t &rows, int32_t &columns)
	{
		::TCubeTiling tiling;
		if (GetTiling(tiling) != 0)
			return -1;
		cores = tiling.usedCoreNum;
		rows = (m_ + tiling.singleCoreM - 1) / tiling.singleCoreM;
		columns = (n_ + tiling.singleCoreN - 1) / tiling.singleCoreN;
		return 0;
	}
};

} /* namespace matmul_tiling */

#define UNPU_MISSING_TILING(Name, instead) \
	template <class... A> void Name(const A &...) \
	{ \
		static_assert(sizeof...(A) == ~0u, \
			      "unpu has no " #Name " yet (see kernel-names): " instead); \
	}

namespace AscendC {

#define UNPU_ROWS_OF_NORM "set bLength, sLength, hLength and originalHLength of the tiling"
#define UNPU_ROWS_OF_PAD "set srcHeight, srcWidth and srcOriWidth of the tiling"
#define UNPU_ROWS_OF_SOFTMAX "leave the tiling empty; the kernel gives the rows in SoftMaxShapeInfo"
UNPU_MISSING_TILING(GetLayerNormNDTilingInfo, UNPU_ROWS_OF_NORM)
UNPU_MISSING_TILING(GetRmsNormTilingInfo, UNPU_ROWS_OF_NORM)
UNPU_MISSING_TILING(PadTilingFunc, UNPU_ROWS_OF_PAD)
UNPU_MISSING_TILING(UnPadTilingFunc, "set srcHeight and srcWidth of the tiling")
UNPU_MISSING_TILING(SoftMaxTilingFunc, UNPU_ROWS_OF_SOFTMAX)
UNPU_MISSING_TILING(SoftMaxFlashTilingFunc, UNPU_ROWS_OF_SOFTMAX)
UNPU_MISSING_TILING(SoftMaxFlashV2TilingFunc, UNPU_ROWS_OF_SOFTMAX)
#undef UNPU_ROWS_OF_NORM
#undef UNPU_ROWS_OF_PAD
#undef UNPU_ROWS_OF_SOFTMAX

} /* namespace AscendC */

#undef UNPU_MISSING_TILING

#endif /* UNPU_TILING_TILING_API_H */

/* SPDX-License-Identifier: MIT */
/*
 * DOC: Matmul
 *
 * The object that kernels multiply matrices with: C = A * B (+ bias). The instance that calls it computes. On the cube
 * instance of a mixed kernel REGIST_MATMUL_OBJ ends the kernel, because there its work is that of the vector instances;
 * with ASCENDC_CUBE_ONLY the cube instances call it themselves.
 */
#ifndef UNPU_ASCENDC_MATMUL_MATMUL_H
#define UNPU_ASCENDC_MATMUL_MATMUL_H

#include "unpu_ascendc/copy/atomic.h"
#include "unpu_ascendc/copy/move.h"
#include "unpu_ascendc/matmul/product.h"
#include "unpu_ascendc/matmul/types.h"
#include "unpu_ascendc/pipe/tpipe.h"
#include "unpu_ascendc/tiling/workspace.h"

namespace unpu::lang {

/* A matrix that a kernel gave: in global memory, or in local memory. */
template <class T> struct MatrixOperand {
	T *elements = nullptr;
	bool is_global = false;
	bool is_transposed = false;
	Origin origin;
	TBuffAddr local = {};
};

struct MatmulShape {
	int64_t m = 0, n = 0, ka = 0, kb = 0, nc = 0; /* of the whole matrices */
	int64_t single_m = 0, single_n = 0, single_k = 0;
	int64_t base_m = 0, base_n = 0;
};

} // namespace unpu::lang

namespace AscendC {

template <class AType, class BType, class CType, class BiasType = CType,
	  UNPU_CONFIG(auto) CFG = CFG_NORM, class... Rest>
class MatmulImpl {
	using A = typename AType::T;
	using B = typename BType::T;
	using C = typename CType::T;
	using Bias = typename BiasType::T;
	using Sum = unpu::lang::Summed<A>;
	static_assert(unpu::lang::is_one_of<A, half, float, bfloat16_t, int8_t>,
		      "Matmul: A is half, float, bfloat16_t or int8_t here");
	static_assert(std::is_same_v<A, B>, "Matmul: A and B have the same type here");
	static_assert(unpu::lang::is_one_of<C, half, float, bfloat16_t, int32_t>,
		      "Matmul: C is half, float, bfloat16_t or int32_t here");
	static_assert(AType::format == CubeFormat::ND || AType::format == CubeFormat::VECTOR ||
			      AType::format == CubeFormat::ND_ALIGN,
		      "unpu: Matmul supports A in the layouts ND and VECTOR only");
	static_assert(BType::format == CubeFormat::ND || BType::format == CubeFormat::ND_ALIGN,
		      "unpu: Matmul supports B in the layout ND only");
	static_assert(CType::format == CubeFormat::ND || CType::format == CubeFormat::ND_ALIGN,
		      "unpu: Matmul supports C in the layout ND only");

public:
	MatmulImpl() = default;

	void Init(const TCubeTiling *tiling, TPipe * = nullptr)
	{
		UNPU_MARK_CUBE_UNIT();
		shape_ = {};
		SetOrgShape(tiling->M, tiling->N, tiling->Ka, tiling->Kb);
		shape_.single_m = tiling->singleCoreM;
		shape_.single_n = tiling->singleCoreN;
		shape_.single_k = tiling->singleCoreK;
		shape_.base_m = tiling->baseM;
		shape_.base_n = tiling->baseN;
		is_by_rows_ = tiling->iterateOrder == 1;
		is_ready_ = true;
	}
	void SetSubBlockIdx(uint8_t) {}
	void SetOrgShape(int m, int n, int k) { SetOrgShape(m, n, k, k); }
	void SetOrgShape(int m, int n, int ka, int kb, int nc = 0)
	{
		shape_.m = m;
		shape_.n = n;
		shape_.ka = ka;
		shape_.kb = kb;
		shape_.nc = nc > 0 ? nc : n;
	}
	void SetSingleShape(int m, int n, int k) { SetTail(m, n, k); }
	void SetTail(int m = -1, int n = -1, int k = -1)
	{
		shape_.single_m = m < 0 ? shape_.single_m : m;
		shape_.single_n = n < 0 ? shape_.single_n : n;
		shape_.single_k = k < 0 ? shape_.single_k : k;
		next_ = 0;
	}

	void SetTensorA(const GlobalTensor<A> &tensor, bool is_transposed = AType::isTrans)
	{
		set(a_, tensor, is_transposed);
	}
	void SetTensorA(const LocalTensor<A> &tensor, bool is_transposed = AType::isTrans)
	{
		set(a_, tensor, is_transposed);
	}
	void SetTensorB(const GlobalTensor<B> &tensor, bool is_transposed = BType::isTrans)
	{
		set(b_, tensor, is_transposed);
	}
	void SetTensorB(const LocalTensor<B> &tensor, bool is_transposed = BType::isTrans)
	{
		set(b_, tensor, is_transposed);
	}
	void SetBias(const GlobalTensor<Bias> &tensor) { set(bias_, tensor, false); }
	void SetBias(const LocalTensor<Bias> &tensor) { set(bias_, tensor, false); }
	void ClearBias() { bias_ = {}; }
	void DisableBias() { bias_ = {}; }
	void SetLocalWorkspace(const LocalTensor<uint8_t> &) {}
	template <class T> void SetWorkspace(const T &) {}
	template <class T> void SetWorkspace(const T *, int) {}
	void SetHF32(bool, int32_t = 0) {}
	void End() {}
	void WaitIterateAll() {}
	template <bool sync = true> void WaitGetTensorC() {}

	template <bool sync = true>
	void IterateAll(const GlobalTensor<C> &c, uint8_t enAtomic = 0, bool = false, bool = false,
			bool = false, UNPU_WHERE)
	{
		for (next_ = 0; has_tile();)
			write(c, tile(next_++), enAtomic, where);
	}
	template <bool sync = true>
	void IterateAll(const LocalTensor<C> &c, uint8_t enAtomic = 0, UNPU_WHERE)
	{
		const Tile whole = {0, 0, shape_.single_m, shape_.single_n};

		write_local(c, whole, shape_.single_n, enAtomic, where);
	}

	/* The next tile of baseM x baseN: down the columns, or along the rows if iterateOrder of the tiling is 1. */
	template <bool sync = true> bool Iterate(bool = false)
	{
		if (!has_tile())
			return false;
		now_ = tile(next_++);
		return true;
	}
	template <bool sync = true>
	void GetTensorC(const GlobalTensor<C> &c, uint8_t enAtomic = 0,
			bool enSequentialWrite = false, UNPU_WHERE)
	{
		if (enSequentialWrite)
			write_rows(c, 0, now_, now_.columns, enAtomic, where);
		else
			write(c, now_, enAtomic, where);
	}
	template <bool sync = true>
	void GetTensorC(const LocalTensor<C> &c, uint8_t enAtomic = 0, bool = false, UNPU_WHERE)
	{
		/* In local memory a row of a tile takes the space of baseN elements. */
		write_local(c, now_, shape_.base_n, enAtomic, where);
	}

	template <class... T> void SetQuantScalar(const T &...)
	{
		static_assert(unpu::lang::never<T...>, "unpu has no Matmul::SetQuantScalar yet "
						       "(see kernel-names): compute in int32_t "
						       "and dequantise C");
	}
	template <class... T> void SetQuantVector(const T &...)
	{
		static_assert(unpu::lang::never<T...>, "unpu has no Matmul::SetQuantVector yet "
						       "(see kernel-names): compute in int32_t "
						       "and dequantise C");
	}
	template <class... T> void IterateBatch(const T &...)
	{
		static_assert(unpu::lang::never<T...>, "unpu has no Matmul::IterateBatch yet (see "
						       "kernel-names): call IterateAll for "
						       "each matrix");
	}

private:
	struct Tile {
		int64_t row, column, rows, columns;
	};

	template <class T>
	static void set(unpu::lang::MatrixOperand<T> &operand, const GlobalTensor<T> &tensor,
			bool is_transposed)
	{
		operand = {tensor.GetPhyAddr(), true, is_transposed, tensor.origin(), {}};
	}
	template <class T>
	static void set(unpu::lang::MatrixOperand<T> &operand, const LocalTensor<T> &tensor,
			bool is_transposed)
	{
		operand = {tensor.data(), false, is_transposed, {}, tensor.address_};
	}

	int64_t tiles_of_row() const
	{
		return (shape_.single_n + shape_.base_n - 1) / shape_.base_n;
	}
	int64_t tiles_of_column() const
	{
		return (shape_.single_m + shape_.base_m - 1) / shape_.base_m;
	}
	bool has_tile() const
	{
		return shape_.base_m > 0 && shape_.base_n > 0 &&
		       next_ < tiles_of_row() * tiles_of_column();
	}
	Tile tile(int64_t index) const
	{
		const int64_t down =
			is_by_rows_ ? index / tiles_of_row() : index % tiles_of_column();
		const int64_t along =
			is_by_rows_ ? index % tiles_of_row() : index / tiles_of_column();
		const int64_t row = down * shape_.base_m;
		const int64_t column = along * shape_.base_n;
		const int64_t rows = shape_.single_m - row;
		const int64_t columns = shape_.single_n - column;

		return {row, column, rows < shape_.base_m ? rows : shape_.base_m,
			columns < shape_.base_n ? columns : shape_.base_n};
	}

	/* The distance between the starts of two rows of a matrix in memory, in elements. */
	template <class T>
	static uint64_t pitch_of(const unpu::lang::MatrixOperand<T> &operand, int64_t whole,
				 int64_t single)
	{
		return static_cast<uint64_t>(operand.is_global ? whole : single);
	}
	unpu::lang::Matrix<A> matrix_a() const
	{
		const uint64_t pitch = a_.is_transposed ? pitch_of(a_, shape_.m, shape_.single_m)
							: pitch_of(a_, shape_.ka, shape_.single_k);

		return a_.is_transposed ? unpu::lang::Matrix<A>{a_.elements, 1, pitch}
					: unpu::lang::Matrix<A>{a_.elements, pitch, 1};
	}
	unpu::lang::Matrix<B> matrix_b() const
	{
		const uint64_t pitch = b_.is_transposed ? pitch_of(b_, shape_.kb, shape_.single_k)
							: pitch_of(b_, shape_.n, shape_.single_n);

		return b_.is_transposed ? unpu::lang::Matrix<B>{b_.elements, 1, pitch}
					: unpu::lang::Matrix<B>{b_.elements, pitch, 1};
	}

	/* Checks the rows @first to @end of an operand of which each row has @width elements. */
	template <class T>
	void require(const char *name, const unpu::lang::MatrixOperand<T> &operand,
		     const unpu::lang::Matrix<T> &matrix, int64_t rows, int64_t columns,
		     unpu::lang::Where where) const
	{
		const uint64_t bytes = (static_cast<uint64_t>(rows - 1) * matrix.row +
					static_cast<uint64_t>(columns - 1) * matrix.column + 1) *
				       sizeof(T);

		if (!operand.elements)
			unpu::lang::fail(where, "Matmul: SetTensor%s has not been called", name);
		if (!operand.is_global) {
			unpu::lang::require_local("Matmul", name, operand.local, bytes, 32, where);
			return;
		}
		const uint64_t address = reinterpret_cast<uint64_t>(operand.elements);

		unpu::lang::note_global_copy(address, bytes, unpu::lang::Access::READ, "Matmul",
					     operand.origin, where);
		unpu::lang::note_global_read(address, bytes, "Matmul", where);
	}

	/* Computes a tile; the result has as many elements in a row as the tile. */
	void compute(const Tile &of, Sum *sums, unpu::lang::Where where) const
	{
		unpu::lang::Matrix<A> a = matrix_a();
		unpu::lang::Matrix<B> b = matrix_b();

		if (!is_ready_ || shape_.single_k <= 0)
			unpu::lang::fail(where, "Matmul: Init has not been called with a tiling");
		require("A", a_, a, shape_.single_m, shape_.single_k, where);
		require("B", b_, b, shape_.single_k, shape_.single_n, where);
		a.elements += static_cast<uint64_t>(of.row) * a.row;
		b.elements += static_cast<uint64_t>(of.column) * b.column;
		for (int64_t i = 0; i < of.rows; i++)
			for (int64_t j = 0; j < of.columns; j++)
				sums[i * of.columns + j] =
					bias_.elements
						? static_cast<Sum>(bias_.elements[of.column + j])
						: Sum(0);
		unpu::lang::add_product(a, b, static_cast<uint64_t>(of.rows),
					static_cast<uint64_t>(of.columns),
					static_cast<uint64_t>(shape_.single_k), sums,
					static_cast<uint64_t>(of.columns));
	}

	static void convert(const Sum *sums, C *row, int64_t columns)
	{
		for (int64_t j = 0; j < columns; j++)
			row[j] = static_cast<C>(sums[j]);
	}

	void write(const GlobalTensor<C> &c, const Tile &of, uint8_t how, unpu::lang::Where where)
	{
		const int64_t pitch = shape_.nc > 0 ? shape_.nc : shape_.n;

		write_rows(c, static_cast<uint64_t>(of.row * pitch + of.column), of, pitch, how,
			   where);
	}
	void write_rows(const GlobalTensor<C> &c, uint64_t first, const Tile &of, int64_t pitch,
			uint8_t how, unpu::lang::Where where)
	{
		Sum *sums = static_cast<Sum *>(
			malloc(static_cast<uint64_t>(of.rows * of.columns) * sizeof(Sum)));
		C row[2048];

		compute(of, sums, where);
		for (int64_t i = 0; i < of.rows; i++) {
			for (int64_t j = 0; j < of.columns; j += 2048) {
				const int64_t now = of.columns - j < 2048 ? of.columns - j : 2048;

				convert(sums + i * of.columns + j, row, now);
				put(c.GetPhyAddr(first + static_cast<uint64_t>(i * pitch + j)), row,
				    static_cast<uint64_t>(now), how, c.origin(), where);
			}
		}
		free(sums);
	}
	/* @how: 0 writes, 1 adds, 2 maximum, 3 minimum. */
	static void put(C *to, const C *from, uint64_t count, uint8_t how,
			const unpu::lang::Origin &origin, unpu::lang::Where where)
	{
		unpu::lang::store_global("Matmul", to, from, count,
					 how ? static_cast<unpu::lang::Atomic>(how)
					     : unpu::lang::state().atomic,
					 origin, where);
	}
	void write_local(const LocalTensor<C> &c, const Tile &of, int64_t pitch, uint8_t how,
			 unpu::lang::Where where)
	{
		Sum *sums = static_cast<Sum *>(
			malloc(static_cast<uint64_t>(of.rows * of.columns) * sizeof(Sum)));

		unpu::lang::require_local(
			"Matmul", "C", c.address_,
			static_cast<uint64_t>((of.rows - 1) * pitch + of.columns) * sizeof(C), 32,
			where);
		compute(of, sums, where);
		for (int64_t i = 0; i < of.rows; i++) {
			C *row = c.data() + i * pitch;

			for (int64_t j = 0; j < of.columns; j++) {
				const C value = static_cast<C>(sums[i * of.columns + j]);

				row[j] = how == 1 ? unpu::lang::combine(unpu::lang::Atomic::ADD,
									row[j], value)
						  : value;
			}
			if (__builtin_expect(unpu::lang::deepest > 1, 0))
				unpu::lang::note_result(
					{"Matmul", unpu::lang::Pipe::V, where}, "C", row,
					static_cast<uint64_t>(of.columns) * sizeof(C));
		}
		free(sums);
	}

	unpu::lang::MatmulShape shape_;
	unpu::lang::MatrixOperand<A> a_;
	unpu::lang::MatrixOperand<B> b_;
	unpu::lang::MatrixOperand<Bias> bias_;
	bool is_ready_ = false;
	bool is_by_rows_ = false; /* the order of tiles */
	int64_t next_ = 0;
	Tile now_ = {};
};

template <class AType, class BType, class CType, class BiasType = CType,
	  UNPU_CONFIG(auto) CFG = CFG_NORM, class... Rest>
using Matmul = MatmulImpl<AType, BType, CType, BiasType, CFG, Rest...>;

} // namespace AscendC

namespace matmul {
using AscendC::Matmul;
using AscendC::MatmulImpl;
} // namespace matmul

namespace unpu::lang {

/* REGIST_MATMUL_OBJ takes pairs of an object and its tiling. */
inline void init_matmuls() {}
template <class Object, class... Rest>
inline void init_matmuls(Object &object, const TCubeTiling *tiling, Rest &&...rest)
{
	if (tiling)
		object.Init(tiling);
	init_matmuls(static_cast<Rest &&>(rest)...);
}

/* Whether this is the cube instance of a kernel whose vector instances compute. */
inline bool is_cube_server()
{
	const unpu_kernel_block &of = block();

	return of.core == UNPU_KERNEL_CORE_AIC && (of.type == AscendC::KERNEL_TYPE_MIX_AIC_1_1 ||
						   of.type == AscendC::KERNEL_TYPE_MIX_AIC_1_2);
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_MATMUL_MATMUL_H */

/* SPDX-License-Identifier: MIT */
/*
 * DOC: Forms of instructions
 *
 * Instructions of one shape have the same forms: with a count, with a number of elements as mask, and with bits as
 * mask. The macros here define all forms of an instruction of an operation.
 */
#ifndef UNPU_ASCENDC_VECTOR_FORMS_H
#define UNPU_ASCENDC_VECTOR_FORMS_H

#include "unpu_ascendc/vector/engine.h"

namespace unpu::lang {

using AscendC::BinaryRepeatParams;
using AscendC::UnaryRepeatParams;

template <bool isSetMask, class T, class Op, class Mask>
inline void binary_masked(const char *call, Op op, const LocalTensor<T> &dst,
			  const LocalTensor<T> &src0, const LocalTensor<T> &src1, Mask mask,
			  uint64_t repeat, const BinaryRepeatParams &params, Where where)
{
	require_fitting(call, params, where);
	run_pattern(call, op, make_pattern<isSetMask>(call, mask, per_repeat<T>, repeat, where),
		    where, Arg<T>{"dst", dst, params.dstBlkStride, params.dstRepStride},
		    Arg<T>{"src0", src0, params.src0BlkStride, params.src0RepStride},
		    Arg<T>{"src1", src1, params.src1BlkStride, params.src1RepStride});
}

template <bool isSetMask, class D, class S, class Op, class Mask>
inline void unary_masked(const char *call, Op op, const LocalTensor<D> &dst,
			 const LocalTensor<S> &src, Mask mask, uint64_t repeat,
			 const UnaryRepeatParams &params, Where where)
{
	require_fitting(call, params, where);
	run_pattern(call, op,
		    make_pattern<isSetMask>(call, mask, repeat_elements<D, S>(), repeat, where),
		    where, Arg<D>{"dst", dst, params.dstBlkStride, params.dstRepStride},
		    Arg<S>{"src", src, params.srcBlkStride, params.srcRepStride});
}

} // namespace unpu::lang

/* The error message for a type that an instruction does not have. */
#define UNPU_ONLY(Name, T, list, ...) \
	static_assert(unpu::lang::is_one_of<T, __VA_ARGS__>, \
		      #Name ": the vector unit of this chip has it for " list \
			    " only; Cast or ReinterpretCast the tensors first")

/* Name(dst, src0, src1, count) and its masked forms. @list: the types in words; then the types. */
#define UNPU_BINARY_FORMS(Name, Op, list, ...) \
	UNPU_BINARY_COUNT(Name, Op, list, __VA_ARGS__) \
	UNPU_BINARY_MASKED(Name, Op, list, __VA_ARGS__)
#define UNPU_BINARY_COUNT(Name, Op, list, ...) \
	template <typename T, bool isSetMask = true> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, \
		  const LocalTensor<T> &src1, int32_t count, UNPU_WHERE) \
	{ \
		UNPU_ONLY(Name, T, list, __VA_ARGS__); \
		unpu::lang::run_count(#Name, Op{}, count, where, unpu::lang::Arg<T>{"dst", dst}, \
				      unpu::lang::Arg<T>{"src0", src0}, \
				      unpu::lang::Arg<T>{"src1", src1}); \
	}
#define UNPU_BINARY_MASKED(Name, Op, list, ...) \
	template <typename T, bool isSetMask = true> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, \
		  const LocalTensor<T> &src1, uint64_t mask, uint32_t repeat, \
		  const BinaryRepeatParams &params, UNPU_WHERE) \
	{ \
		UNPU_ONLY(Name, T, list, __VA_ARGS__); \
		unpu::lang::binary_masked<isSetMask>(#Name, Op{}, dst, src0, src1, mask, repeat, \
						     params, where); \
	} \
	template <typename T, bool isSetMask = true> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, \
		  const LocalTensor<T> &src1, const uint64_t mask[], uint32_t repeat, \
		  const BinaryRepeatParams &params, UNPU_WHERE) \
	{ \
		UNPU_ONLY(Name, T, list, __VA_ARGS__); \
		unpu::lang::binary_masked<isSetMask>(#Name, Op{}, dst, src0, src1, mask, repeat, \
						     params, where); \
	}

/* Name(dst, src, count) and its masked forms. */
#define UNPU_UNARY_FORMS(Name, Op, list, ...) \
	UNPU_UNARY_COUNT(Name, Op, list, __VA_ARGS__) \
	UNPU_UNARY_MASKED(Name, Op, list, __VA_ARGS__)
#define UNPU_UNARY_COUNT(Name, Op, list, ...) \
	template <typename T, bool isSetMask = true> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, int32_t count, UNPU_WHERE) \
	{ \
		UNPU_ONLY(Name, T, list, __VA_ARGS__); \
		unpu::lang::run_count(#Name, Op{}, count, where, unpu::lang::Arg<T>{"dst", dst}, \
				      unpu::lang::Arg<T>{"src", src}); \
	}
#define UNPU_UNARY_MASKED(Name, Op, list, ...) \
	template <typename T, bool isSetMask = true> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, \
		  uint32_t repeat, const UnaryRepeatParams &params, UNPU_WHERE) \
	{ \
		UNPU_ONLY(Name, T, list, __VA_ARGS__); \
		unpu::lang::unary_masked<isSetMask>(#Name, Op{}, dst, src, mask, repeat, params, \
						    where); \
	} \
	template <typename T, bool isSetMask = true> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask[], \
		  uint32_t repeat, const UnaryRepeatParams &params, UNPU_WHERE) \
	{ \
		UNPU_ONLY(Name, T, list, __VA_ARGS__); \
		unpu::lang::unary_masked<isSetMask>(#Name, Op{}, dst, src, mask, repeat, params, \
						    where); \
	}

/* Name(dst, src, scalar, count) and its masked forms. Op is constructed of the scalar. */
#define UNPU_SCALAR_FORMS(Name, Op, list, ...) \
	template <typename T, bool isSetMask = true> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, \
		  unpu::lang::Same<T> scalar, int32_t count, UNPU_WHERE) \
	{ \
		UNPU_ONLY(Name, T, list, __VA_ARGS__); \
		unpu::lang::run_count( \
			#Name, Op<unpu::lang::Computed<T>>{unpu::lang::Computed<T>(scalar)}, \
			count, where, unpu::lang::Arg<T>{"dst", dst}, \
			unpu::lang::Arg<T>{"src", src}); \
	} \
	template <typename T, bool isSetMask = true> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, \
		  unpu::lang::Same<T> scalar, uint64_t mask, uint32_t repeat, \
		  const UnaryRepeatParams &params, UNPU_WHERE) \
	{ \
		UNPU_ONLY(Name, T, list, __VA_ARGS__); \
		unpu::lang::unary_masked<isSetMask>( \
			#Name, Op<unpu::lang::Computed<T>>{unpu::lang::Computed<T>(scalar)}, dst, \
			src, mask, repeat, params, where); \
	} \
	template <typename T, bool isSetMask = true> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, \
		  unpu::lang::Same<T> scalar, const uint64_t mask[], uint32_t repeat, \
		  const UnaryRepeatParams &params, UNPU_WHERE) \
	{ \
		UNPU_ONLY(Name, T, list, __VA_ARGS__); \
		unpu::lang::unary_masked<isSetMask>( \
			#Name, Op<unpu::lang::Computed<T>>{unpu::lang::Computed<T>(scalar)}, dst, \
			src, mask, repeat, params, where); \
	}

#endif /* UNPU_ASCENDC_VECTOR_FORMS_H */

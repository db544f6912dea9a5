/* SPDX-License-Identifier: MIT */
/*
 * DOC: Expressions of tensors
 *
 * dst = a + b for whole tensors: an operator makes an expression, and the assignment runs the instruction on all
 * elements of dst.
 */
#ifndef UNPU_ASCENDC_TENSOR_EXPRESSION_H
#define UNPU_ASCENDC_TENSOR_EXPRESSION_H

#include "unpu_ascendc/vector/binary.h"
#include "unpu_ascendc/vector/compare.h"

#define UNPU_EXPRESSION(Struct, op, Name) \
	namespace unpu::lang { \
	template <class T> struct Struct { \
		using IsTensorExpression = void; \
		const LocalTensor<T> &a, &b; \
		Where where; \
		void assign(const LocalTensor<T> &dst) const \
		{ \
			AscendC::Name(dst, a, b, static_cast<int32_t>(dst.GetSize()), where); \
		} \
	}; \
	} \
	namespace AscendC { \
	template <class T> \
	inline unpu::lang::Struct<T> operator op(const LocalTensor<T> &a, const LocalTensor<T> &b) \
	{ \
		return {a, b, {nullptr, 0}}; \
	} \
	}

#define UNPU_COMPARISON(Struct, op, mode) \
	namespace unpu::lang { \
	template <class T> struct Struct { \
		using IsTensorExpression = void; \
		const LocalTensor<T> &a, &b; \
		template <class D> void assign(const LocalTensor<D> &dst) const \
		{ \
			AscendC::Compare(dst, a, b, CMPMODE::mode, a.GetSize(), \
					 Where{nullptr, 0}); \
		} \
	}; \
	} \
	namespace AscendC { \
	template <class T> \
	inline unpu::lang::Struct<T> operator op(const LocalTensor<T> &a, const LocalTensor<T> &b) \
	{ \
		return {a, b}; \
	} \
	}

UNPU_EXPRESSION(TensorSum, +, Add)
UNPU_EXPRESSION(TensorDifference, -, Sub)
UNPU_EXPRESSION(TensorProduct, *, Mul)
UNPU_EXPRESSION(TensorQuotient, /, Div)
UNPU_EXPRESSION(TensorAnd, &, And)
UNPU_EXPRESSION(TensorOr, |, Or)
UNPU_COMPARISON(TensorLess, <, LT)
UNPU_COMPARISON(TensorGreater, >, GT)
UNPU_COMPARISON(TensorLessEqual, <=, LE)
UNPU_COMPARISON(TensorGreaterEqual, >=, GE)
UNPU_COMPARISON(TensorEqual, ==, EQ)
UNPU_COMPARISON(TensorNotEqual, !=, NE)

#endif /* UNPU_ASCENDC_TENSOR_EXPRESSION_H */

/* SPDX-License-Identifier: MIT */
/*
 * DOC: Functions of elements
 *
 * The high-level functions of one and two tensors. Each has four overloads: with and without a tensor of scratch
 * memory, which nothing uses here, and with and without a count. They compute in float.
 */
#ifndef UNPU_ASCENDC_MATH_ELEMENTWISE_H
#define UNPU_ASCENDC_MATH_ELEMENTWISE_H

#include "unpu_ascendc/core/math_library.h"
#include "unpu_ascendc/types/rounding.h"
#include "unpu_ascendc/vector/scalar.h"
#include "unpu_ascendc/vector/unary.h"

namespace unpu::lang {

#define UNPU_FUNCTION(Name, expression) \
	struct Name##Op { \
		float operator()(float x) const { return expression; } \
	}
UNPU_FUNCTION(Sin, sinf(x));
UNPU_FUNCTION(Cos, cosf(x));
UNPU_FUNCTION(Tan, tanf(x));
UNPU_FUNCTION(Asin, asinf(x));
UNPU_FUNCTION(Acos, acosf(x));
UNPU_FUNCTION(Atan, atanf(x));
UNPU_FUNCTION(Sinh, sinhf(x));
UNPU_FUNCTION(Cosh, coshf(x));
UNPU_FUNCTION(Tanh, tanhf(x));
UNPU_FUNCTION(Asinh, asinhf(x));
UNPU_FUNCTION(Acosh, acoshf(x));
UNPU_FUNCTION(Atanh, atanhf(x));
UNPU_FUNCTION(Erf, erff(x));
UNPU_FUNCTION(Erfc, erfcf(x));
UNPU_FUNCTION(Sigmoid, 1.0f / (1.0f + expf(-x)));
UNPU_FUNCTION(Log, logf(x));
UNPU_FUNCTION(Log2, log2f(x));
UNPU_FUNCTION(Log10, log10f(x));
UNPU_FUNCTION(Floor, round_whole<RoundMode::CAST_FLOOR>(x));
UNPU_FUNCTION(Ceil, round_whole<RoundMode::CAST_CEIL>(x));
UNPU_FUNCTION(Round, round_whole<RoundMode::CAST_RINT>(x));
UNPU_FUNCTION(Trunc, round_whole<RoundMode::CAST_TRUNC>(x));
UNPU_FUNCTION(Frac, x - round_whole<RoundMode::CAST_TRUNC>(x));
UNPU_FUNCTION(Sign, x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : 0.0f);
/* Uses the approximation with tanh. */
UNPU_FUNCTION(Gelu, 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x))));
UNPU_FUNCTION(FasterGelu, x / (1.0f + expf(-1.702f * x)));
UNPU_FUNCTION(Silu, x / (1.0f + expf(-x)));
#undef UNPU_FUNCTION

struct PowerOp {
	template <class T> T operator()(T base, T exponent) const
	{
		return static_cast<T>(std::is_integral_v<T>
					      ? pow(double(base), double(exponent))
					      : double(powf(float(base), float(exponent))));
	}
};
struct FmodOp {
	float operator()(float a, float b) const { return fmodf(a, b); }
};
struct XorOp {
	template <class T> T operator()(T a, T b) const { return static_cast<T>(a ^ b); }
};

/* An operation on two elements, of which one is a scalar. */
template <class Op, class T> struct WithSecond {
	T scalar;

	T operator()(T value) const { return Op{}(value, scalar); }
};
template <class Op, class T> struct WithFirst {
	T scalar;

	T operator()(T value) const { return Op{}(scalar, value); }
};

struct SwiGluOp {
	float beta;

	float operator()(float a, float b) const { return a * b / (1.0f + expf(-beta * b)); }
};
template <class T> struct SwishOp {
	T beta;

	float operator()(float x) const { return x / (1.0f + expf(-float(beta) * x)); }
};

/* The length of the shorter tensor, if the call has no count. */
template <class T> inline uint32_t size_of(const LocalTensor<T> &tensor)
{
	return tensor.GetSize();
}

} // namespace unpu::lang

/* Name(dst, src[, tmp][, count]) */
#define UNPU_HIGH_UNARY(Name) \
	template <typename T, bool isReuseSource = false, bool isFast = false> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t count, \
		  UNPU_WHERE) \
	{ \
		UNPU_ONLY(Name, T, "half and float", half, float); \
		unpu::lang::run_count(#Name, unpu::lang::Name##Op{}, count, where, \
				      unpu::lang::Arg<T>{"dst", dst}, \
				      unpu::lang::Arg<T>{"src", src}); \
	} \
	template <typename T, bool isReuseSource = false, bool isFast = false> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, UNPU_WHERE) \
	{ \
		Name<T>(dst, src, unpu::lang::size_of(src), where); \
	} \
	template <typename T, bool isReuseSource = false, bool isFast = false> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, \
		  const LocalTensor<uint8_t> &, uint32_t count, UNPU_WHERE) \
	{ \
		Name<T>(dst, src, count, where); \
	} \
	template <typename T, bool isReuseSource = false, bool isFast = false> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, \
		  const LocalTensor<uint8_t> &, UNPU_WHERE) \
	{ \
		Name<T>(dst, src, unpu::lang::size_of(src), where); \
	}

/* Name(dst, src0, src1[, tmp][, count]) */
#define UNPU_HIGH_BINARY(Name, list, ...) \
	template <typename T, bool isReuseSource = false> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, \
		  const LocalTensor<T> &src1, uint32_t count, UNPU_WHERE) \
	{ \
		UNPU_ONLY(Name, T, list, __VA_ARGS__); \
		unpu::lang::run_count(#Name, unpu::lang::Name##Op{}, count, where, \
				      unpu::lang::Arg<T>{"dst", dst}, \
				      unpu::lang::Arg<T>{"src0", src0}, \
				      unpu::lang::Arg<T>{"src1", src1}); \
	} \
	template <typename T, bool isReuseSource = false> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, \
		  const LocalTensor<T> &src1, UNPU_WHERE) \
	{ \
		Name<T>(dst, src0, src1, unpu::lang::size_of(src0), where); \
	} \
	template <typename T, bool isReuseSource = false> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, \
		  const LocalTensor<T> &src1, const LocalTensor<uint8_t> &, uint32_t count, \
		  UNPU_WHERE) \
	{ \
		Name<T>(dst, src0, src1, count, where); \
	} \
	template <typename T, bool isReuseSource = false> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, \
		  const LocalTensor<T> &src1, const LocalTensor<uint8_t> &, UNPU_WHERE) \
	{ \
		Name<T>(dst, src0, src1, unpu::lang::size_of(src0), where); \
	}

namespace AscendC {

UNPU_HIGH_UNARY(Sin)
UNPU_HIGH_UNARY(Cos)
UNPU_HIGH_UNARY(Tan)
UNPU_HIGH_UNARY(Asin)
UNPU_HIGH_UNARY(Acos)
UNPU_HIGH_UNARY(Atan)
UNPU_HIGH_UNARY(Sinh)
UNPU_HIGH_UNARY(Cosh)
UNPU_HIGH_UNARY(Tanh)
UNPU_HIGH_UNARY(Asinh)
UNPU_HIGH_UNARY(Acosh)
UNPU_HIGH_UNARY(Atanh)
UNPU_HIGH_UNARY(Erf)
UNPU_HIGH_UNARY(Erfc)
UNPU_HIGH_UNARY(Sigmoid)
UNPU_HIGH_UNARY(Log)
UNPU_HIGH_UNARY(Log2)
UNPU_HIGH_UNARY(Log10)
UNPU_HIGH_UNARY(Floor)
UNPU_HIGH_UNARY(Ceil)
UNPU_HIGH_UNARY(Round)
UNPU_HIGH_UNARY(Trunc)
UNPU_HIGH_UNARY(Frac)
UNPU_HIGH_UNARY(Sign)
UNPU_HIGH_UNARY(Gelu)
UNPU_HIGH_UNARY(FasterGelu)
UNPU_HIGH_UNARY(Silu)
UNPU_HIGH_BINARY(Power, "half, float and int32_t", half, float, int32_t)
UNPU_HIGH_BINARY(Fmod, "half and float", half, float)
UNPU_HIGH_BINARY(Xor, "int16_t and uint16_t", int16_t, uint16_t)

/* Power with a scalar as exponent, or as base. */
template <typename T, bool isReuseSource = false>
void Power(const LocalTensor<T> &dst, const LocalTensor<T> &src,
	   const unpu::lang::Same<T> &exponent, uint32_t count, UNPU_WHERE)
{
	using Computed = unpu::lang::Computed<T>;

	unpu::lang::run_count(
		"Power", unpu::lang::WithSecond<unpu::lang::PowerOp, Computed>{Computed(exponent)},
		count, where, unpu::lang::Arg<T>{"dst", dst}, unpu::lang::Arg<T>{"src", src});
}
template <typename T, bool isReuseSource = false>
void Power(const LocalTensor<T> &dst, const LocalTensor<T> &src,
	   const unpu::lang::Same<T> &exponent, const LocalTensor<uint8_t> &, uint32_t count,
	   UNPU_WHERE)
{
	Power<T>(dst, src, exponent, count, where);
}
template <typename T, bool isReuseSource = false>
void Power(const LocalTensor<T> &dst, const LocalTensor<T> &src,
	   const unpu::lang::Same<T> &exponent, const LocalTensor<uint8_t> &, UNPU_WHERE)
{
	Power<T>(dst, src, exponent, unpu::lang::size_of(src), where);
}
template <typename T, bool isReuseSource = false>
void Power(const LocalTensor<T> &dst, const unpu::lang::Same<T> &base, const LocalTensor<T> &src,
	   uint32_t count, UNPU_WHERE)
{
	using Computed = unpu::lang::Computed<T>;

	unpu::lang::run_count(
		"Power", unpu::lang::WithFirst<unpu::lang::PowerOp, Computed>{Computed(base)},
		count, where, unpu::lang::Arg<T>{"dst", dst}, unpu::lang::Arg<T>{"src", src});
}
template <typename T, bool isReuseSource = false>
void Power(const LocalTensor<T> &dst, const unpu::lang::Same<T> &base, const LocalTensor<T> &src,
	   const LocalTensor<uint8_t> &, uint32_t count, UNPU_WHERE)
{
	Power<T>(dst, base, src, count, where);
}
template <typename T, bool isReuseSource = false>
void Power(const LocalTensor<T> &dst, const unpu::lang::Same<T> &base, const LocalTensor<T> &src,
	   const LocalTensor<uint8_t> &, UNPU_WHERE)
{
	Power<T>(dst, base, src, unpu::lang::size_of(src), where);
}

/* The number of terms of a series, and a buffer for them. Unused, because the C library computes the function. */
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
void Exp(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &,
	 uint32_t count, UNPU_WHERE)
{
	Exp<T>(dst, src, static_cast<int32_t>(count), where);
}
/* 0 and 1 terms would be isSetMask of the instruction. */
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false,
	  std::enable_if_t<(taylorExpandLevel > 1), int> = 0>
void Exp(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t count, UNPU_WHERE)
{
	Exp<T>(dst, src, static_cast<int32_t>(count), where);
}
template <typename D, typename S, bool isReuseSource = false>
void Axpy(const LocalTensor<D> &dst, const LocalTensor<S> &src, unpu::lang::Same<S> scalar,
	  const LocalTensor<uint8_t> &, uint32_t count, UNPU_WHERE)
{
	Axpy<D, S>(dst, src, scalar, static_cast<int32_t>(count), where);
}

template <typename T, bool isReuseSource = false>
void ClampMin(const LocalTensor<T> &dst, const LocalTensor<T> &src, unpu::lang::Same<T> scalar,
	      uint32_t count, UNPU_WHERE)
{
	UNPU_ONLY(ClampMin, T, "half and float", half, float);
	Maxs<T>(dst, src, scalar, static_cast<int32_t>(count), where);
}
template <typename T, bool isReuseSource = false>
void ClampMin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &,
	      unpu::lang::Same<T> scalar, uint32_t count, UNPU_WHERE)
{
	ClampMin<T>(dst, src, scalar, count, where);
}
template <typename T, bool isReuseSource = false>
void ClampMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, unpu::lang::Same<T> scalar,
	      uint32_t count, UNPU_WHERE)
{
	UNPU_ONLY(ClampMax, T, "half and float", half, float);
	Mins<T>(dst, src, scalar, static_cast<int32_t>(count), where);
}
template <typename T, bool isReuseSource = false>
void ClampMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &,
	      unpu::lang::Same<T> scalar, uint32_t count, UNPU_WHERE)
{
	ClampMax<T>(dst, src, scalar, count, where);
}

template <typename T, bool isReuseSource = false>
void Swish(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t count,
	   unpu::lang::Same<T> beta, UNPU_WHERE)
{
	UNPU_ONLY(Swish, T, "half and float", half, float);
	unpu::lang::run_count("Swish", unpu::lang::SwishOp<T>{beta}, count, where,
			      unpu::lang::Arg<T>{"dst", dst}, unpu::lang::Arg<T>{"src", src});
}

/* src0 * src1 * sigmoid(beta * src1) */
template <typename T, bool isReuseSource = false>
void SwiGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
	    const float &beta, uint32_t count, UNPU_WHERE)
{
	UNPU_ONLY(SwiGLU, T, "half and float", half, float);
	unpu::lang::run_count("SwiGLU", unpu::lang::SwiGluOp{beta}, count, where,
			      unpu::lang::Arg<T>{"dst", dst}, unpu::lang::Arg<T>{"src0", src0},
			      unpu::lang::Arg<T>{"src1", src1});
}
template <typename T, bool isReuseSource = false>
void SwiGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
	    const float &beta, UNPU_WHERE)
{
	SwiGLU<T>(dst, src0, src1, beta, unpu::lang::size_of(src0), where);
}
template <typename T, bool isReuseSource = false>
void SwiGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
	    const float &beta, const LocalTensor<uint8_t> &, uint32_t count, UNPU_WHERE)
{
	SwiGLU<T>(dst, src0, src1, beta, count, where);
}
template <typename T, bool isReuseSource = false>
void SwiGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
	    const float &beta, const LocalTensor<uint8_t> &, UNPU_WHERE)
{
	SwiGLU<T>(dst, src0, src1, beta, unpu::lang::size_of(src0), where);
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_MATH_ELEMENTWISE_H */

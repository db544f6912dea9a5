/* SPDX-License-Identifier: MIT */
/*
 * DOC: Products of matrices
 *
 * y = alpha * A * x + beta * y and C = alpha * A * B + beta * C, each by the single operator GEMM. The operands are
 * dense and lie row by row. Products of FLOAT16 into FLOAT, and of INT8 into INT32, compute in the type of the result.
 */
#ifndef ACL_OPS_ACL_CBLAS_H
#define ACL_OPS_ACL_CBLAS_H

#include <stdint.h>

#include "acl/acl_base.h"
#include "acl/acl_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum aclTransType - how a matrix lies in memory. */
typedef enum aclTransType {
	ACL_TRANS_N = 0,
	ACL_TRANS_T = 1,
	ACL_TRANS_NZ = 2,
	ACL_TRANS_NZ_T = 3,
} aclTransType;

/** enum aclComputeType - the precision of a product. */
typedef enum aclComputeType {
	ACL_COMPUTE_HIGH_PRECISION = 0,
	ACL_COMPUTE_LOW_PRECISION = 1,
} aclComputeType;

/**
 * aclblasGemvEx() - y = alpha * A * x + beta * y, with the types of the call
 * @transA: whether A is transposed
 * @m: rows of A
 * @n: columns of A
 * @alpha: factor of the product, of the type of the result, in memory of the device or the host
 * @a: the matrix
 * @lda: -1
 * @dataTypeA: type of A
 * @x: the vector
 * @incx: -1
 * @dataTypeX: type of x
 * @beta: factor of what the result held, of its type, in memory of the device or the host
 * @y: in and out, the result
 * @incy: -1
 * @dataTypeY: type of y
 * @type: ACL_COMPUTE_HIGH_PRECISION
 * @stream: where the operator runs
 *
 * Context: the function returns when the run is queued; factors in host memory are read before.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL or a value that is not allowed, or ACL_ERROR_OP_NOT_FOUND for types
 * that no product has.
 */
ACL_FUNC_VISIBILITY aclError aclblasGemvEx(aclTransType transA, int m, int n, const void *alpha,
					   const void *a, int lda, aclDataType dataTypeA,
					   const void *x, int incx, aclDataType dataTypeX,
					   const void *beta, void *y, int incy,
					   aclDataType dataTypeY, aclComputeType type,
					   aclrtStream stream);

/**
 * aclblasCreateHandleForGemvEx() - makes a handle of aclblasGemvEx()
 * @transA: whether A is transposed
 * @m: rows of A
 * @n: columns of A
 * @dataTypeA: type of A
 * @dataTypeX: type of x
 * @dataTypeY: type of y
 * @type: ACL_COMPUTE_HIGH_PRECISION
 * @handle: out, the operator, for aclopExecWithHandle() with the matrices, what the result held, alpha and beta
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_OP_NOT_FOUND for types that no product has.
 */
ACL_FUNC_VISIBILITY aclError aclblasCreateHandleForGemvEx(
	aclTransType transA, int m, int n, aclDataType dataTypeA, aclDataType dataTypeX,
	aclDataType dataTypeY, aclComputeType type, aclopHandle **handle);

/**
 * aclblasHgemv() - y = alpha * A * x + beta * y, of aclFloat16
 * @transA: whether A is transposed
 * @m: rows of A
 * @n: columns of A
 * @alpha: factor of the product, of the type of the result, in memory of the device or the host
 * @a: the matrix
 * @lda: -1
 * @x: the vector
 * @incx: -1
 * @beta: factor of what the result held, of its type, in memory of the device or the host
 * @y: in and out, the result
 * @incy: -1
 * @type: ACL_COMPUTE_HIGH_PRECISION
 * @stream: where the operator runs
 *
 * Context: the function returns when the run is queued; factors in host memory are read before.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL or a value that is not allowed, or ACL_ERROR_OP_NOT_FOUND for types
 * that no product has.
 */
ACL_FUNC_VISIBILITY aclError aclblasHgemv(aclTransType transA, int m, int n,
					  const aclFloat16 *alpha, const aclFloat16 *a, int lda,
					  const aclFloat16 *x, int incx, const aclFloat16 *beta,
					  aclFloat16 *y, int incy, aclComputeType type,
					  aclrtStream stream);

/**
 * aclblasCreateHandleForHgemv() - makes a handle of aclblasHgemv()
 * @transA: whether A is transposed
 * @m: rows of A
 * @n: columns of A
 * @type: ACL_COMPUTE_HIGH_PRECISION
 * @handle: out, the operator, for aclopExecWithHandle() with the matrices, what the result held, alpha and beta
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_OP_NOT_FOUND for types that no product has.
 */
ACL_FUNC_VISIBILITY aclError aclblasCreateHandleForHgemv(aclTransType transA, int m, int n,
							 aclComputeType type, aclopHandle **handle);

/**
 * aclblasS8gemv() - y = alpha * A * x + beta * y, of int8_t, into int32_t
 * @transA: whether A is transposed
 * @m: rows of A
 * @n: columns of A
 * @alpha: factor of the product, of the type of the result, in memory of the device or the host
 * @a: the matrix
 * @lda: -1
 * @x: the vector
 * @incx: -1
 * @beta: factor of what the result held, of its type, in memory of the device or the host
 * @y: in and out, the result
 * @incy: -1
 * @type: ACL_COMPUTE_HIGH_PRECISION
 * @stream: where the operator runs
 *
 * Context: the function returns when the run is queued; factors in host memory are read before.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL or a value that is not allowed, or ACL_ERROR_OP_NOT_FOUND for types
 * that no product has.
 */
ACL_FUNC_VISIBILITY aclError aclblasS8gemv(aclTransType transA, int m, int n, const int32_t *alpha,
					   const int8_t *a, int lda, const int8_t *x, int incx,
					   const int32_t *beta, int32_t *y, int incy,
					   aclComputeType type, aclrtStream stream);

/**
 * aclblasCreateHandleForS8gemv() - makes a handle of aclblasS8gemv()
 * @transA: whether A is transposed
 * @m: rows of A
 * @n: columns of A
 * @type: ACL_COMPUTE_HIGH_PRECISION
 * @handle: out, the operator, for aclopExecWithHandle() with the matrices, what the result held, alpha and beta
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_OP_NOT_FOUND for types that no product has.
 */
ACL_FUNC_VISIBILITY aclError aclblasCreateHandleForS8gemv(aclTransType transA, int m, int n,
							  aclComputeType type,
							  aclopHandle **handle);

/**
 * aclblasGemmEx() - C = alpha * A * B + beta * C, with the types of the call
 * @transA: whether A is transposed
 * @transB: whether B is transposed
 * @transC: ACL_TRANS_N
 * @m: rows of A
 * @n: columns of B
 * @k: columns of A, rows of B
 * @alpha: factor of the product, of the type of the result, in memory of the device or the host
 * @matrixA: the matrix
 * @lda: -1
 * @dataTypeA: type of A
 * @matrixB: the other matrix
 * @ldb: -1
 * @dataTypeB: type of B
 * @beta: factor of what the result held, of its type, in memory of the device or the host
 * @matrixC: in and out, the result
 * @ldc: -1
 * @dataTypeC: type of C
 * @type: ACL_COMPUTE_HIGH_PRECISION
 * @stream: where the operator runs
 *
 * Context: the function returns when the run is queued; factors in host memory are read before.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL or a value that is not allowed, or ACL_ERROR_OP_NOT_FOUND for types
 * that no product has.
 */
ACL_FUNC_VISIBILITY aclError aclblasGemmEx(aclTransType transA, aclTransType transB,
					   aclTransType transC, int m, int n, int k,
					   const void *alpha, const void *matrixA, int lda,
					   aclDataType dataTypeA, const void *matrixB, int ldb,
					   aclDataType dataTypeB, const void *beta, void *matrixC,
					   int ldc, aclDataType dataTypeC, aclComputeType type,
					   aclrtStream stream);

/**
 * aclblasCreateHandleForGemmEx() - makes a handle of aclblasGemmEx()
 * @transA: whether A is transposed
 * @transB: whether B is transposed
 * @transC: ACL_TRANS_N
 * @m: rows of A
 * @n: columns of B
 * @k: columns of A, rows of B
 * @dataTypeA: type of A
 * @dataTypeB: type of B
 * @dataTypeC: type of C
 * @type: ACL_COMPUTE_HIGH_PRECISION
 * @handle: out, the operator, for aclopExecWithHandle() with the matrices, what the result held, alpha and beta
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_OP_NOT_FOUND for types that no product has.
 */
ACL_FUNC_VISIBILITY aclError
aclblasCreateHandleForGemmEx(aclTransType transA, aclTransType transB, aclTransType transC, int m,
			     int n, int k, aclDataType dataTypeA, aclDataType dataTypeB,
			     aclDataType dataTypeC, aclComputeType type, aclopHandle **handle);

/**
 * aclblasHgemm() - C = alpha * A * B + beta * C, of aclFloat16
 * @transA: whether A is transposed
 * @transB: whether B is transposed
 * @transC: ACL_TRANS_N
 * @m: rows of A
 * @n: columns of B
 * @k: columns of A, rows of B
 * @alpha: factor of the product, of the type of the result, in memory of the device or the host
 * @matrixA: the matrix
 * @lda: -1
 * @matrixB: the other matrix
 * @ldb: -1
 * @beta: factor of what the result held, of its type, in memory of the device or the host
 * @matrixC: in and out, the result
 * @ldc: -1
 * @type: ACL_COMPUTE_HIGH_PRECISION
 * @stream: where the operator runs
 *
 * Context: the function returns when the run is queued; factors in host memory are read before.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL or a value that is not allowed, or ACL_ERROR_OP_NOT_FOUND for types
 * that no product has.
 */
ACL_FUNC_VISIBILITY aclError aclblasHgemm(aclTransType transA, aclTransType transB,
					  aclTransType transC, int m, int n, int k,
					  const aclFloat16 *alpha, const aclFloat16 *matrixA,
					  int lda, const aclFloat16 *matrixB, int ldb,
					  const aclFloat16 *beta, aclFloat16 *matrixC, int ldc,
					  aclComputeType type, aclrtStream stream);

/**
 * aclblasCreateHandleForHgemm() - makes a handle of aclblasHgemm()
 * @transA: whether A is transposed
 * @transB: whether B is transposed
 * @transC: ACL_TRANS_N
 * @m: rows of A
 * @n: columns of B
 * @k: columns of A, rows of B
 * @type: ACL_COMPUTE_HIGH_PRECISION
 * @handle: out, the operator, for aclopExecWithHandle() with the matrices, what the result held, alpha and beta
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_OP_NOT_FOUND for types that no product has.
 */
ACL_FUNC_VISIBILITY aclError aclblasCreateHandleForHgemm(aclTransType transA, aclTransType transB,
							 aclTransType transC, int m, int n, int k,
							 aclComputeType type, aclopHandle **handle);

/**
 * aclblasS8gemm() - C = alpha * A * B + beta * C, of int8_t, into int32_t
 * @transA: whether A is transposed
 * @transB: whether B is transposed
 * @transC: ACL_TRANS_N
 * @m: rows of A
 * @n: columns of B
 * @k: columns of A, rows of B
 * @alpha: factor of the product, of the type of the result, in memory of the device or the host
 * @matrixA: the matrix
 * @lda: -1
 * @matrixB: the other matrix
 * @ldb: -1
 * @beta: factor of what the result held, of its type, in memory of the device or the host
 * @matrixC: in and out, the result
 * @ldc: -1
 * @type: ACL_COMPUTE_HIGH_PRECISION
 * @stream: where the operator runs
 *
 * Context: the function returns when the run is queued; factors in host memory are read before.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL or a value that is not allowed, or ACL_ERROR_OP_NOT_FOUND for types
 * that no product has.
 */
ACL_FUNC_VISIBILITY aclError aclblasS8gemm(aclTransType transA, aclTransType transB,
					   aclTransType transC, int m, int n, int k,
					   const int32_t *alpha, const int8_t *matrixA, int lda,
					   const int8_t *matrixB, int ldb, const int32_t *beta,
					   int32_t *matrixC, int ldc, aclComputeType type,
					   aclrtStream stream);

/**
 * aclblasCreateHandleForS8gemm() - makes a handle of aclblasS8gemm()
 * @transA: whether A is transposed
 * @transB: whether B is transposed
 * @transC: ACL_TRANS_N
 * @m: rows of A
 * @n: columns of B
 * @k: columns of A, rows of B
 * @type: ACL_COMPUTE_HIGH_PRECISION
 * @handle: out, the operator, for aclopExecWithHandle() with the matrices, what the result held, alpha and beta
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_OP_NOT_FOUND for types that no product has.
 */
ACL_FUNC_VISIBILITY aclError aclblasCreateHandleForS8gemm(aclTransType transA, aclTransType transB,
							  aclTransType transC, int m, int n, int k,
							  aclComputeType type,
							  aclopHandle **handle);

#ifdef __cplusplus
}
#endif

#endif

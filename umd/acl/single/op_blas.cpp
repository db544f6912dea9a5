// SPDX-License-Identifier: MIT
/**
 * DOC: Products of matrices
 *
 * Each of these functions is the operator GEMM: C = alpha * A * B + beta * C. A vector is a matrix of one column.
 */
#include "acl/ops/acl_cblas.h"

#include <fmt/format.h>

#include "acl/acl.h"
#include "op_run.h"
#include "umd/acl/front.h"
#include "umd/acl/offline/failure.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"

using base::Status;
using umd::acl_return;
using umd::null_argument;
using umd::set_error;

namespace {

/* struct Product - @rows, @columns: of the result @inner: columns of A
 * @names: of rows, columns and inner in the call */
struct Product {
	const char *call;
	aclTransType turn_a, turn_b, turn_c;
	int rows, columns, inner;
	aclDataType a, b, c;
	aclComputeType precision;
};

/* struct Memory - of the operands. */
struct Memory {
	const void *alpha, *a, *b, *beta;
	void *c;
};

constexpr size_t OPERANDS = 5; /* A, B, C, alpha, beta */
constexpr size_t FACTORS = 3;  /* alpha and beta are from here on */

Status check(const Product &product)
{
	for (const aclTransType turn : {product.turn_a, product.turn_b})
		if (turn != ACL_TRANS_N && turn != ACL_TRANS_T)
			return set_error(Status::INVALID_ENUM,
					 fmt::format("{}: a transposition is {}; it must be "
						     "ACL_TRANS_N (0) or ACL_TRANS_T (1)",
						     product.call, static_cast<int>(turn)));
	if (product.turn_c != ACL_TRANS_N)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("{}: transC is {}; it must be ACL_TRANS_N (0)",
					     product.call, static_cast<int>(product.turn_c)));
	if (product.precision != ACL_COMPUTE_HIGH_PRECISION)
		return set_error(
			Status::INVALID_ENUM,
			fmt::format("{}: type is {}; it must be ACL_COMPUTE_HIGH_PRECISION (0)",
				    product.call, static_cast<int>(product.precision)));
	if (product.rows > 0 && product.columns > 0 && product.inner > 0)
		return Status::OK;
	return set_error(Status::NULL_POINTER,
			 fmt::format("{}: a matrix of {} x {} is multiplied by one of {} x {}; "
				     "each size must be 1 or more",
				     product.call, product.rows, product.inner, product.inner,
				     product.columns));
}

Status check_strides(const char *call, int a, int b, int c)
{
	if (a == -1 && b == -1 && c == -1)
		return Status::OK;
	return set_error(Status::NULL_POINTER,
			 fmt::format("{}: the distances between rows or elements are {}, {} and "
				     "{}; each must be -1, for dense operands",
				     call, a, b, c));
}

/* class Descs - descriptions of the operands. */
class Descs {
public:
	~Descs()
	{
		for (const aclTensorDesc *desc : all_)
			aclDestroyTensorDesc(desc);
	}

	bool make(const Product &of)
	{
		return add(of.a, of.turn_a, of.rows, of.inner) &&
		       add(of.b, of.turn_b, of.inner, of.columns) &&
		       add(of.c, ACL_TRANS_N, of.rows, of.columns) && add(of.c, {1}) &&
		       add(of.c, {1});
	}
	const aclTensorDesc *const *data() const { return all_.data(); }
	size_t bytes(size_t i) const { return aclGetTensorDescSize(all_[i]); }

private:
	bool add(aclDataType type, aclTransType turn, int rows, int columns)
	{
		return turn == ACL_TRANS_T ? add(type, {columns, rows})
					   : add(type, {rows, columns});
	}
	bool add(aclDataType type, const std::vector<int64_t> &dims)
	{
		all_.push_back(aclCreateTensorDesc(type, static_cast<int>(dims.size()), dims.data(),
						   ACL_FORMAT_ND));
		return all_.back() != nullptr;
	}

	std::vector<const aclTensorDesc *> all_;
};

/* class Buffers - data buffers for one run. */
class Buffers {
public:
	~Buffers()
	{
		for (const aclDataBuffer *buffer : all_)
			if (buffer)
				(void)aclDestroyDataBuffer(buffer);
	}

	bool add(const void *address, size_t bytes)
	{
		all_.push_back(aclCreateDataBuffer(const_cast<void *>(address), bytes));
		return all_.back() != nullptr;
	}
	aclDataBuffer **data() { return all_.data(); }

private:
	std::vector<aclDataBuffer *> all_;
};

aclError describe(const Product &product, Descs &descs, umd::OpCall &call)
{
	TRY(umd::check_begun(product.call));
	TRY(check(product));
	if (!descs.make(product))
		return acl_return(Status::NO_MEMORY);
	TRY_CODE(umd::read_call({"GEMM", OPERANDS, descs.data(), 1, descs.data() + 2, nullptr},
				call));
	for (const auto &[name, turn] :
	     {std::pair("transpose_a", product.turn_a), std::pair("transpose_b", product.turn_b)}) {
		models::ir::Attribute made;
		made.name = name;
		made.integers = {turn == ACL_TRANS_T ? 1 : 0};
		call.op.attributes.push_back(std::move(made));
	}
	return ACL_SUCCESS;
}

/* The factors may be in memory of the device or of the host. */
bool is_on_host(const void *address)
{
	drv::Place place;
	return !umd::Devices::get().locate(address, place);
}

aclError multiply(const Product &product, const Memory &memory, aclrtStream stream)
{
	Descs descs;
	umd::OpCall call;
	TRY_CODE(describe(product, descs, call));
	const void *const operands[OPERANDS] = {memory.a, memory.b, memory.c, memory.alpha,
						memory.beta};
	static constexpr const char *NAMES[OPERANDS] = {"the first factor", "the second factor",
							"the result", "alpha", "beta"};
	Buffers buffers;
	for (size_t i = 0; i < OPERANDS; i++) {
		if (!operands[i])
			return acl_return(null_argument(NAMES[i]));
		if (!buffers.add(operands[i], descs.bytes(i)))
			return acl_return(Status::NO_MEMORY);
		call.on_host[i] = i >= FACTORS && is_on_host(operands[i]);
	}
	return umd::run_op(product.call, std::move(call), buffers.data(), buffers.data() + 2,
			   stream, nullptr);
}

aclError make(const Product &product, aclopHandle **handle)
{
	Descs descs;
	umd::OpCall call;
	TRY_CODE(describe(product, descs, call));
	return umd::make_handle(product.call, std::move(call), handle);
}

} // namespace

aclError aclblasGemmEx(aclTransType transA, aclTransType transB, aclTransType transC, int m, int n,
		       int k, const void *alpha, const void *matrixA, int lda,
		       aclDataType dataTypeA, const void *matrixB, int ldb, aclDataType dataTypeB,
		       const void *beta, void *matrixC, int ldc, aclDataType dataTypeC,
		       aclComputeType type, aclrtStream stream)
{
	TRY(check_strides("aclblasGemmEx", lda, ldb, ldc));
	return multiply({"aclblasGemmEx", transA, transB, transC, m, n, k, dataTypeA, dataTypeB,
			 dataTypeC, type},
			{alpha, matrixA, matrixB, beta, matrixC}, stream);
}

aclError aclblasCreateHandleForGemmEx(aclTransType transA, aclTransType transB, aclTransType transC,
				      int m, int n, int k, aclDataType dataTypeA,
				      aclDataType dataTypeB, aclDataType dataTypeC,
				      aclComputeType type, aclopHandle **handle)
{
	return make({"aclblasCreateHandleForGemmEx", transA, transB, transC, m, n, k, dataTypeA,
		     dataTypeB, dataTypeC, type},
		    handle);
}

aclError aclblasHgemm(aclTransType transA, aclTransType transB, aclTransType transC, int m, int n,
		      int k, const aclFloat16 *alpha, const aclFloat16 *matrixA, int lda,
		      const aclFloat16 *matrixB, int ldb, const aclFloat16 *beta,
		      aclFloat16 *matrixC, int ldc, aclComputeType type, aclrtStream stream)
{
	TRY(check_strides("aclblasHgemm", lda, ldb, ldc));
	return multiply({"aclblasHgemm", transA, transB, transC, m, n, k, ACL_FLOAT16, ACL_FLOAT16,
			 ACL_FLOAT16, type},
			{alpha, matrixA, matrixB, beta, matrixC}, stream);
}

aclError aclblasCreateHandleForHgemm(aclTransType transA, aclTransType transB, aclTransType transC,
				     int m, int n, int k, aclComputeType type, aclopHandle **handle)
{
	return make({"aclblasCreateHandleForHgemm", transA, transB, transC, m, n, k, ACL_FLOAT16,
		     ACL_FLOAT16, ACL_FLOAT16, type},
		    handle);
}

aclError aclblasS8gemm(aclTransType transA, aclTransType transB, aclTransType transC, int m, int n,
		       int k, const int32_t *alpha, const int8_t *matrixA, int lda,
		       const int8_t *matrixB, int ldb, const int32_t *beta, int32_t *matrixC,
		       int ldc, aclComputeType type, aclrtStream stream)
{
	TRY(check_strides("aclblasS8gemm", lda, ldb, ldc));
	return multiply({"aclblasS8gemm", transA, transB, transC, m, n, k, ACL_INT8, ACL_INT8,
			 ACL_INT32, type},
			{alpha, matrixA, matrixB, beta, matrixC}, stream);
}

aclError aclblasCreateHandleForS8gemm(aclTransType transA, aclTransType transB, aclTransType transC,
				      int m, int n, int k, aclComputeType type,
				      aclopHandle **handle)
{
	return make({"aclblasCreateHandleForS8gemm", transA, transB, transC, m, n, k, ACL_INT8,
		     ACL_INT8, ACL_INT32, type},
		    handle);
}

aclError aclblasGemvEx(aclTransType transA, int m, int n, const void *alpha, const void *a, int lda,
		       aclDataType dataTypeA, const void *x, int incx, aclDataType dataTypeX,
		       const void *beta, void *y, int incy, aclDataType dataTypeY,
		       aclComputeType type, aclrtStream stream)
{
	TRY(check_strides("aclblasGemvEx", lda, incx, incy));
	return multiply({"aclblasGemvEx", transA, ACL_TRANS_N, ACL_TRANS_N, m, 1, n, dataTypeA,
			 dataTypeX, dataTypeY, type},
			{alpha, a, x, beta, y}, stream);
}

aclError aclblasCreateHandleForGemvEx(aclTransType transA, int m, int n, aclDataType dataTypeA,
				      aclDataType dataTypeX, aclDataType dataTypeY,
				      aclComputeType type, aclopHandle **handle)
{
	return make({"aclblasCreateHandleForGemvEx", transA, ACL_TRANS_N, ACL_TRANS_N, m, 1, n,
		     dataTypeA, dataTypeX, dataTypeY, type},
		    handle);
}

aclError aclblasHgemv(aclTransType transA, int m, int n, const aclFloat16 *alpha,
		      const aclFloat16 *a, int lda, const aclFloat16 *x, int incx,
		      const aclFloat16 *beta, aclFloat16 *y, int incy, aclComputeType type,
		      aclrtStream stream)
{
	TRY(check_strides("aclblasHgemv", lda, incx, incy));
	return multiply({"aclblasHgemv", transA, ACL_TRANS_N, ACL_TRANS_N, m, 1, n, ACL_FLOAT16,
			 ACL_FLOAT16, ACL_FLOAT16, type},
			{alpha, a, x, beta, y}, stream);
}

aclError aclblasCreateHandleForHgemv(aclTransType transA, int m, int n, aclComputeType type,
				     aclopHandle **handle)
{
	return make({"aclblasCreateHandleForHgemv", transA, ACL_TRANS_N, ACL_TRANS_N, m, 1, n,
		     ACL_FLOAT16, ACL_FLOAT16, ACL_FLOAT16, type},
		    handle);
}

aclError aclblasS8gemv(aclTransType transA, int m, int n, const int32_t *alpha, const int8_t *a,
		       int lda, const int8_t *x, int incx, const int32_t *beta, int32_t *y,
		       int incy, aclComputeType type, aclrtStream stream)
{
	TRY(check_strides("aclblasS8gemv", lda, incx, incy));
	return multiply({"aclblasS8gemv", transA, ACL_TRANS_N, ACL_TRANS_N, m, 1, n, ACL_INT8,
			 ACL_INT8, ACL_INT32, type},
			{alpha, a, x, beta, y}, stream);
}

aclError aclblasCreateHandleForS8gemv(aclTransType transA, int m, int n, aclComputeType type,
				      aclopHandle **handle)
{
	return make({"aclblasCreateHandleForS8gemv", transA, ACL_TRANS_N, ACL_TRANS_N, m, 1, n,
		     ACL_INT8, ACL_INT8, ACL_INT32, type},
		    handle);
}

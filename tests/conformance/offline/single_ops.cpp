// SPDX-License-Identifier: MIT
/*
 * DOC: Single operators, and products by acl_cblas.h
 */
#include <cstring>
#include <thread>
#include <utility>

#include "acl/acl_op_compiler.h"
#include "acl/ops/acl_cblas.h"
#include "offline/test_models.h"

namespace conformance {

namespace {

using Floats = std::vector<float>;
using Dims = std::vector<int64_t>;

class SingleOps : public DeviceTest {};

const Floats A = {1, 2, 3, 4, 5, 6};
const Floats B = {10, 20, 30, 40, 50, 60};
const Floats SUM = {11, 22, 33, 44, 55, 66};

DeviceBuffer holding(const Floats &values)
{
	DeviceBuffer buffer(values.size() * sizeof(float));
	buffer.store(values);
	return buffer;
}

/* The operands of one call. It destroys what describes them. */
class Operands {
public:
	Operands() = default;
	~Operands()
	{
		for (const aclTensorDesc *desc : descs_)
			aclDestroyTensorDesc(desc);
		for (const aclDataBuffer *buffer : buffers_)
			EXPECT_OK(aclDestroyDataBuffer(buffer));
	}
	Operands(const Operands &) = delete;
	Operands &operator=(const Operands &) = delete;

	Operands &add(const Dims &dims, void *address, size_t bytes, aclDataType type = ACL_FLOAT)
	{
		descs_.push_back(aclCreateTensorDesc(type, static_cast<int>(dims.size()),
						     dims.data(), ACL_FORMAT_ND));
		buffers_.push_back(aclCreateDataBuffer(address, bytes));
		return *this;
	}
	Operands &add(const Dims &dims, const DeviceBuffer &buffer, aclDataType type = ACL_FLOAT)
	{
		return add(dims, buffer.data(), buffer.size(), type);
	}

	int count() const { return static_cast<int>(descs_.size()); }
	aclTensorDesc **descs() { return descs_.data(); }
	aclDataBuffer **buffers() { return buffers_.data(); }

private:
	std::vector<aclTensorDesc *> descs_;
	std::vector<aclDataBuffer *> buffers_;
};

class Attributes {
public:
	~Attributes() { aclopDestroyAttr(handle_); }
	operator aclopAttr *() const { return handle_; }

private:
	aclopAttr *handle_ = aclopCreateAttr();
};

aclError execute(const char *type, Operands &in, Operands &out, aclopAttr *attr, aclrtStream stream)
{
	return aclopExecuteV2(type, in.count(), in.descs(), in.buffers(), out.count(), out.descs(),
			      out.buffers(), attr, stream);
}

aclError compile(const char *type, Operands &in, Operands &out, aclopAttr *attr)
{
	return aclopCompile(type, in.count(), in.descs(), out.count(), out.descs(), attr,
			    ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr);
}

TEST_F(SingleOps, RunsFollowOneAnotherInTheirStreams)
{
	const Stream streams[2];
	const DeviceBuffer a = holding(A), b = holding(B);
	std::vector<DeviceBuffer> results;
	for (int i = 0; i < 6; i++)
		results.emplace_back(24);
	Operands in;
	in.add({2, 3}, a).add({2, 3}, b);
	for (size_t i = 0; i < results.size(); i++) {
		Operands out;
		out.add({2, 3}, results[i]);
		EXPECT_OK(execute("Add", in, out, nullptr, streams[i % 2]));
	}
	for (const Stream &stream : streams)
		EXPECT_OK(aclrtSynchronizeStream(stream));
	for (const DeviceBuffer &result : results)
		EXPECT_EQ(result.load<float>(), SUM);
}

TEST_F(SingleOps, AResultIsTheNextOperand)
{
	const Stream stream;
	const DeviceBuffer a = holding(A), sum(24), twice(24);
	Operands in, middle, out;
	in.add({6}, a).add({6}, a);
	middle.add({6}, sum).add({6}, a);
	Operands first;
	first.add({6}, sum);
	out.add({6}, twice);
	EXPECT_OK(execute("Add", in, first, nullptr, stream));
	EXPECT_OK(execute("Mul", middle, out, nullptr, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(twice.load<float>(), (Floats{2, 8, 18, 32, 50, 72}));
}

TEST_F(SingleOps, AnOpenDimReceivesItsSize)
{
	const DeviceBuffer a = holding(A), product(16);
	Operands in, out;
	in.add({2, 3}, a).add({2, 3}, a);
	out.add({-1, -1}, product);
	const Attributes attr;
	EXPECT_OK(aclopSetAttrBool(attr, "transpose_x2", 1));
	EXPECT_OK(execute("MatMul", in, out, attr, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(product.load<float>(), (Floats{14, 32, 32, 77}));
	EXPECT_EQ(aclGetTensorDescDim(out.descs()[0], 0), 2);
	EXPECT_EQ(aclGetTensorDescSize(out.descs()[0]), 16u);
}

TEST_F(SingleOps, ConstantsComeFromTheDescriptionOrFromTheHost)
{
	const DeviceBuffer a = holding(A), turned(24);
	int32_t order[] = {1, 0};
	for (const bool is_const : {true, false}) {
		Operands in, out;
		in.add({2, 3}, a).add({2}, is_const ? nullptr : order, is_const ? 0 : 8, ACL_INT32);
		out.add({3, 2}, turned);
		EXPECT_FAILS(ACL_ERROR_OP_NOT_FOUND, "constant integers",
			     compile("Transpose", in, out, nullptr));
		EXPECT_OK(is_const ? aclSetTensorConst(in.descs()[1], order, sizeof(order))
				   : aclSetTensorPlaceMent(in.descs()[1], ACL_MEMTYPE_HOST));
		EXPECT_OK(execute("Transpose", in, out, nullptr, nullptr));
		EXPECT_OK(aclrtSynchronizeStream(nullptr));
		EXPECT_EQ(turned.load<float>(), (Floats{1, 4, 2, 5, 3, 6}));
		EXPECT_OK(aclrtMemset(turned.data(), 24, 0, 24));
	}
}

TEST_F(SingleOps, AHandleRunsWhatItWasMadeFor)
{
	const Stream stream;
	const DeviceBuffer a = holding(A), b = holding(B), sum(24);
	aclopHandle *handle = nullptr;
	Operands in, out;
	in.add({6}, a).add({6}, b);
	out.add({6}, sum);
	ASSERT_OK(aclopCreateHandle("Add", 2, in.descs(), 1, out.descs(), nullptr, &handle));
	EXPECT_OK(aclopExecWithHandle(handle, 2, in.buffers(), 1, out.buffers(), stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(sum.load<float>(), SUM);
	EXPECT_FAILS(ACL_ERROR_OP_INPUT_NOT_MATCH, "numInputs is 1",
		     aclopExecWithHandle(handle, 1, in.buffers(), 1, out.buffers(), stream));
	EXPECT_FAILS(ACL_ERROR_OP_OUTPUT_NOT_MATCH, "numOutputs is 0",
		     aclopExecWithHandle(handle, 2, in.buffers(), 0, out.buffers(), stream));
	aclopDestroyHandle(handle);
	take_message();
	EXPECT_NE(aclopExecWithHandle(handle, 2, in.buffers(), 1, out.buffers(), stream),
		  ACL_SUCCESS);
	aclopDestroyHandle(nullptr);
}

TEST_F(SingleOps, CastConverts)
{
	const DeviceBuffer a = holding({1.5f, -2, 1e9f}), halves(6), whole(12);
	Operands in, out, back;
	in.add({3}, a);
	out.add({3}, halves, ACL_FLOAT16);
	back.add({3}, whole);
	EXPECT_OK(aclopCast(in.descs()[0], in.buffers()[0], out.descs()[0], out.buffers()[0], 0,
			    nullptr));
	EXPECT_OK(aclopCast(out.descs()[0], out.buffers()[0], back.descs()[0], back.buffers()[0], 0,
			    nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(whole.load<float>()[0], 1.5f);
	EXPECT_EQ(whole.load<float>()[1], -2.0f);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "truncate is 1",
		     aclopCast(in.descs()[0], in.buffers()[0], out.descs()[0], out.buffers()[0], 1,
			       nullptr));
}

TEST_F(SingleOps, ACapturedRunIsReplayedBesideOthers)
{
	const Stream stream, other;
	const DeviceBuffer a = holding(A), b = holding(B), sum(24), beside(24);
	Operands in, out, out2;
	in.add({6}, a).add({6}, b);
	out.add({6}, sum);
	out2.add({6}, beside);
	aclmdlRI graph = nullptr;
	ASSERT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	EXPECT_OK(execute("Add", in, out, nullptr, stream));
	ASSERT_OK(aclmdlRICaptureEnd(stream, &graph));
	for (int i = 0; i < 3; i++) {
		EXPECT_OK(aclrtMemset(sum.data(), 24, 0, 24));
		EXPECT_OK(aclmdlRIExecuteAsync(graph, stream));
		EXPECT_OK(execute("Add", in, out2, nullptr, other));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_OK(aclrtSynchronizeStream(other));
		EXPECT_EQ(sum.load<float>(), SUM);
		EXPECT_EQ(beside.load<float>(), SUM);
	}
	EXPECT_OK(aclmdlRIDestroy(graph));
}

TEST_F(SingleOps, FewAreKept)
{
	const Stream stream;
	const DeviceBuffer a = holding(A), sum(24);
	EXPECT_OK(aclopSetMaxOpQueueNum(2));
	for (int64_t round = 0; round < 3; round++)
		for (int64_t size = 1; size <= 6; size++) {
			Operands in, out;
			in.add({size}, a).add({size}, a);
			out.add({size}, sum);
			EXPECT_OK(execute("Add", in, out, nullptr, stream));
		}
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(sum.load<float>(), (Floats{2, 4, 6, 8, 10, 12}));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "maxOpNum is 0", aclopSetMaxOpQueueNum(0));
	EXPECT_OK(aclopSetMaxOpQueueNum(256));
}

TEST_F(SingleOps, ThreadsCallOneOperator)
{
	const Stream stream;
	const DeviceBuffer a = holding(A), b = holding(B);
	std::vector<std::thread> threads;
	aclrtContext context = nullptr;
	ASSERT_OK(aclrtGetCurrentContext(&context));
	for (int t = 0; t < 4; t++)
		threads.emplace_back([&] {
			EXPECT_OK(aclrtSetCurrentContext(context));
			const DeviceBuffer sum(24);
			Operands in, out;
			in.add({3, 2}, a).add({3, 2}, b);
			out.add({3, 2}, sum);
			for (int i = 0; i < 8; i++)
				EXPECT_OK(execute("Add", in, out, nullptr, stream));
			EXPECT_OK(aclrtSynchronizeStream(stream));
			EXPECT_EQ(sum.load<float>(), SUM);
		});
	for (std::thread &thread : threads)
		thread.join();
}

TEST_F(SingleOps, MistakesAreNamed)
{
	const DeviceBuffer a = holding(A), sum(24);
	Operands in, out, one, open, odd, small;
	in.add({6}, a).add({6}, a);
	out.add({6}, sum);
	one.add({6}, a);
	open.add({-1}, a).add({6}, a);
	odd.add({6}, a, ACL_STRING).add({6}, a);
	small.add({6}, sum.data(), 20);
	EXPECT_FAILS(ACL_ERROR_OP_NOT_FOUND,
		     "there is no operator AddBlockCust here; there are Add",
		     execute("AddBlockCust", in, out, nullptr, nullptr));
	EXPECT_FAILS(ACL_ERROR_OP_NOT_FOUND, "it has 1 inputs",
		     execute("Add", one, out, nullptr, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "inputDesc[0] has the dim -1",
		     execute("Add", open, out, nullptr, nullptr));
	EXPECT_FAILS(ACL_ERROR_UNSUPPORTED_DATA_TYPE, "inputDesc[0] has the type 13",
		     execute("Add", odd, out, nullptr, nullptr));
	EXPECT_FAILS(ACL_ERROR_OP_OUTPUT_NOT_MATCH,
		     "output 0 has 20 bytes; its description needs 24",
		     execute("Add", in, small, nullptr, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "opType is NULL",
		     execute(nullptr, in, out, nullptr, nullptr));
	const Attributes attr;
	EXPECT_OK(aclopSetAttrFloat(attr, "alpha", 2));
	EXPECT_FAILS(ACL_ERROR_OP_NOT_FOUND, "there is no attribute alpha",
		     execute("Add", in, out, attr, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "attrName is NULL",
		     aclopSetAttrInt(attr, nullptr, 1));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "numValues is -1",
		     aclopSetAttrListInt(attr, "axes", -1, nullptr));
	EXPECT_OK(aclSetTensorFormat(in.descs()[0], ACL_FORMAT_FRACTAL_NZ));
	EXPECT_FAILS(ACL_ERROR_FORMAT_NOT_MATCH, "inputDesc[0] has the format 29",
		     execute("Add", in, out, nullptr, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "compileFlag is 1",
		     aclopCompile("Add", 2, in.descs(), 1, out.descs(), nullptr, ACL_ENGINE_SYS,
				  ACL_COMPILE_UNREGISTERED, "x"));
}

TEST_F(SingleOps, AProductAddsToItsResult)
{
	const Stream stream;
	const DeviceBuffer a = holding(A), c(16), alpha = holding({0.5f});
	const float beta = 2;
	c.store(Floats{1, 2, 3, 4});
	for (const void *half :
	     {static_cast<const void *>(alpha.data()), static_cast<const void *>(&beta)}) {
		c.store(Floats{1, 2, 3, 4});
		EXPECT_OK(aclblasGemmEx(ACL_TRANS_N, ACL_TRANS_T, ACL_TRANS_N, 2, 2, 3, half,
					a.data(), -1, ACL_FLOAT, a.data(), -1, ACL_FLOAT, &beta,
					c.data(), -1, ACL_FLOAT, ACL_COMPUTE_HIGH_PRECISION,
					stream));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_EQ(c.load<float>(),
			  half == &beta ? (Floats{30, 68, 70, 162}) : (Floats{9, 20, 22, 46.5f}));
	}
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "must be -1",
		     aclblasGemmEx(ACL_TRANS_N, ACL_TRANS_T, ACL_TRANS_N, 2, 2, 3, &beta, a.data(),
				   3, ACL_FLOAT, a.data(), -1, ACL_FLOAT, &beta, c.data(), -1,
				   ACL_FLOAT, ACL_COMPUTE_HIGH_PRECISION, stream));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "alpha is NULL",
		     aclblasGemmEx(ACL_TRANS_N, ACL_TRANS_T, ACL_TRANS_N, 2, 2, 3, nullptr,
				   a.data(), -1, ACL_FLOAT, a.data(), -1, ACL_FLOAT, &beta,
				   c.data(), -1, ACL_FLOAT, ACL_COMPUTE_HIGH_PRECISION, stream));
}

TEST_F(SingleOps, NumbersOfOneByteDoNotWrap)
{
	const DeviceBuffer a(4), x(2), y(8);
	a.store(std::vector<int8_t>{100, 100, -100, 100});
	x.store(std::vector<int8_t>{100, 27});
	y.store(std::vector<int32_t>{1, 1});
	const int32_t alpha = 1, beta = 3;
	EXPECT_OK(aclblasS8gemv(ACL_TRANS_N, 2, 2, &alpha, static_cast<const int8_t *>(a.data()),
				-1, static_cast<const int8_t *>(x.data()), -1, &beta,
				static_cast<int32_t *>(y.data()), -1, ACL_COMPUTE_HIGH_PRECISION,
				nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(y.load<int32_t>(), (std::vector<int32_t>{12703, -7297}));
	aclopHandle *handle = nullptr;
	ASSERT_OK(aclblasCreateHandleForS8gemm(ACL_TRANS_N, ACL_TRANS_N, ACL_TRANS_N, 2, 1, 2,
					       ACL_COMPUTE_HIGH_PRECISION, &handle));
	const DeviceBuffer factors(4);
	factors.store(std::vector<int32_t>{2});
	Operands in, out;
	in.add({2, 2}, a).add({2}, x).add({2}, y).add({1}, factors).add({1}, factors);
	out.add({2}, y);
	EXPECT_OK(aclopExecWithHandle(handle, 5, in.buffers(), 1, out.buffers(), nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(y.load<int32_t>(), (std::vector<int32_t>{50806, -29194}));
	aclopDestroyHandle(handle);
}

} // namespace

} // namespace conformance

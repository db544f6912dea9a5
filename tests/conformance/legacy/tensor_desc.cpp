// SPDX-License-Identifier: MIT
/*
 * DOC: Descriptions of tensors, and the legacy operator path
 */
#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include "acl/acl.h"
#include "acl/acl_op_compiler.h"

namespace {

constexpr int64_t SHAPE[] = {2, 3, 5};

struct TensorDesc : testing::Test {
	~TensorDesc() override { aclDestroyTensorDesc(desc); }

	aclTensorDesc *desc = aclCreateTensorDesc(ACL_FLOAT16, 3, SHAPE, ACL_FORMAT_ND);
};

TEST_F(TensorDesc, GivesWhatItWasMadeOf)
{
	ASSERT_NE(desc, nullptr);
	EXPECT_EQ(aclGetTensorDescType(desc), ACL_FLOAT16);
	EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_ND);
	EXPECT_EQ(aclGetTensorDescNumDims(desc), 3u);
	EXPECT_EQ(aclGetTensorDescElementCount(desc), 30u);
	EXPECT_EQ(aclGetTensorDescSize(desc), 60u);
	for (size_t i = 0; i < 3; i++) {
		int64_t length = 0;
		EXPECT_EQ(aclGetTensorDescDimV2(desc, i, &length), ACL_SUCCESS);
		EXPECT_EQ(length, SHAPE[i]);
		EXPECT_EQ(aclGetTensorDescDim(desc, i), SHAPE[i]);
	}
}

TEST_F(TensorDesc, KeepsACopyOfTheShape)
{
	int64_t shape[] = {7};
	aclTensorDesc *made = aclCreateTensorDesc(ACL_INT32, 1, shape, ACL_FORMAT_ND);
	shape[0] = 1;
	EXPECT_EQ(aclGetTensorDescDim(made, 0), 7);
	aclDestroyTensorDesc(made);
}

TEST_F(TensorDesc, WithoutDimensionsHasOneElement)
{
	aclTensorDesc *made = aclCreateTensorDesc(ACL_DOUBLE, 0, nullptr, ACL_FORMAT_ND);
	ASSERT_NE(made, nullptr);
	EXPECT_EQ(aclGetTensorDescNumDims(made), 0u);
	EXPECT_EQ(aclGetTensorDescElementCount(made), 1u);
	EXPECT_EQ(aclGetTensorDescSize(made), 8u);
	aclDestroyTensorDesc(made);
}

TEST_F(TensorDesc, OfUnknownLengthsHasNoSize)
{
	const int64_t unknown[] = {4, -1};
	aclTensorDesc *made = aclCreateTensorDesc(ACL_FLOAT, 2, unknown, ACL_FORMAT_ND);
	ASSERT_NE(made, nullptr);
	EXPECT_EQ(aclGetTensorDescSize(made), 0u);
	int64_t length = 0;
	EXPECT_EQ(aclGetTensorDescDimV2(made, 1, &length), ACL_SUCCESS);
	EXPECT_EQ(length, -1);
	int64_t ranges[][ACL_TENSOR_SHAPE_RANGE_NUM] = {{4, 4}, {1, -1}};
	EXPECT_EQ(aclSetTensorShapeRange(made, 2, ranges), ACL_SUCCESS);
	int64_t range[2] = {};
	EXPECT_EQ(aclGetTensorDescDimRange(made, 1, 2, range), ACL_SUCCESS);
	EXPECT_EQ(range[0], 1);
	EXPECT_EQ(range[1], -1);
	aclDestroyTensorDesc(made);

	const int64_t rank[] = {static_cast<int64_t>(ACL_UNKNOWN_RANK)};
	made = aclCreateTensorDesc(ACL_FLOAT, 1, rank, ACL_FORMAT_ND);
	ASSERT_NE(made, nullptr);
	EXPECT_EQ(aclGetTensorDescNumDims(made), ACL_UNKNOWN_RANK);
	aclDestroyTensorDesc(made);
}

TEST_F(TensorDesc, TooLargeForASizeHasNone)
{
	const int64_t huge[] = {INT64_MAX, 8};
	aclTensorDesc *made = aclCreateTensorDesc(ACL_FLOAT, 2, huge, ACL_FORMAT_ND);
	ASSERT_NE(made, nullptr);
	EXPECT_EQ(aclGetTensorDescElementCount(made), 0u);
	EXPECT_EQ(aclGetTensorDescSize(made), 0u);
	aclDestroyTensorDesc(made);
}

TEST_F(TensorDesc, RefusesWrongShapes)
{
	const int64_t negative[] = {2, -3};
	EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, -1, SHAPE, ACL_FORMAT_ND), nullptr);
	EXPECT_NE(std::string(aclGetRecentErrMsg()).find("numDims is -1"), std::string::npos);
	EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, 2, nullptr, ACL_FORMAT_ND), nullptr);
	EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, 2, negative, ACL_FORMAT_ND), nullptr);
	EXPECT_NE(std::string(aclGetRecentErrMsg()).find("dims[1] is -3"), std::string::npos);
}

TEST_F(TensorDesc, RefusesWrongIndicesAndNull)
{
	int64_t length = 0;
	EXPECT_EQ(aclGetTensorDescDimV2(desc, 3, &length), ACL_ERROR_RT_PARAM_INVALID);
	EXPECT_NE(std::string(aclGetRecentErrMsg()).find("3 dimensions"), std::string::npos);
	EXPECT_EQ(aclGetTensorDescDimV2(desc, 0, nullptr), ACL_ERROR_INVALID_PARAM);
	EXPECT_EQ(aclGetTensorDescDimV2(nullptr, 0, &length), ACL_ERROR_INVALID_PARAM);
	EXPECT_EQ(aclGetTensorDescDim(desc, 3), -1);
	EXPECT_EQ(aclGetTensorDescType(nullptr), ACL_DT_UNDEFINED);
	EXPECT_EQ(aclGetTensorDescFormat(nullptr), ACL_FORMAT_UNDEFINED);
	EXPECT_EQ(aclGetTensorDescNumDims(nullptr), 0u);
	EXPECT_EQ(aclGetTensorDescName(nullptr), nullptr);
	aclDestroyTensorDesc(nullptr);
}

TEST_F(TensorDesc, RefusesWrongRanges)
{
	int64_t ranges[][ACL_TENSOR_SHAPE_RANGE_NUM] = {{1, 2}, {3, 3}, {6, 5}};
	EXPECT_EQ(aclSetTensorShapeRange(desc, 2, ranges), ACL_ERROR_RT_PARAM_INVALID);
	EXPECT_EQ(aclSetTensorShapeRange(desc, 3, ranges), ACL_ERROR_RT_PARAM_INVALID);
	EXPECT_NE(std::string(aclGetRecentErrMsg()).find("dimsRange[2] is 6 to 5"),
		  std::string::npos);
	int64_t range[2] = {};
	EXPECT_EQ(aclGetTensorDescDimRange(desc, 1, 1, range), ACL_ERROR_RT_PARAM_INVALID);
	EXPECT_EQ(aclGetTensorDescDimRange(desc, 1, 2, range), ACL_SUCCESS);
	EXPECT_EQ(range[0], 3);
	EXPECT_EQ(range[1], 3);
}

TEST_F(TensorDesc, HasAName)
{
	EXPECT_STREQ(aclGetTensorDescName(desc), "");
	aclSetTensorDescName(desc, "weights");
	EXPECT_STREQ(aclGetTensorDescName(desc), "weights");
	aclSetTensorDescName(desc, nullptr);
	EXPECT_STREQ(aclGetTensorDescName(desc), "");
}

TEST_F(TensorDesc, HowItIsInMemoryDoesNotChangeWhatItIs)
{
	const int64_t stored[] = {1, 30};
	EXPECT_EQ(aclSetTensorFormat(desc, ACL_FORMAT_FRACTAL_NZ), ACL_SUCCESS);
	EXPECT_EQ(aclSetTensorShape(desc, 2, stored), ACL_SUCCESS);
	EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_ND);
	EXPECT_EQ(aclGetTensorDescNumDims(desc), 3u);
	EXPECT_EQ(aclSetTensorShape(desc, -2, stored), ACL_ERROR_RT_PARAM_INVALID);
	EXPECT_EQ(aclSetTensorPlaceMent(desc, ACL_MEMTYPE_HOST), ACL_SUCCESS);
	EXPECT_EQ(aclSetTensorPlaceMent(desc, static_cast<aclMemType>(7)), ACL_ERROR_INVALID_PARAM);
	char data[8] = {};
	EXPECT_EQ(aclSetTensorConst(desc, data, sizeof(data)), ACL_SUCCESS);
	EXPECT_EQ(aclSetTensorConst(desc, nullptr, 0), ACL_SUCCESS);
	EXPECT_EQ(aclSetTensorConst(desc, data, 0), ACL_ERROR_RT_PARAM_INVALID);
	EXPECT_EQ(aclSetTensorConst(desc, nullptr, 8), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(TensorDesc, TakesWhatFrameworksSay)
{
	const int64_t stored[] = {1, 30};
	int64_t ranges[][ACL_TENSOR_VALUE_RANGE_NUM] = {{1, 8}, {2, -1}, {6, 5}};
	EXPECT_EQ(aclSetTensorStorageFormat(desc, ACL_FORMAT_FRACTAL_NZ), ACL_SUCCESS);
	EXPECT_EQ(aclSetTensorStorageShape(desc, 2, stored), ACL_SUCCESS);
	EXPECT_EQ(aclSetTensorStorageShape(desc, -2, stored), ACL_ERROR_RT_PARAM_INVALID);
	EXPECT_EQ(aclSetTensorOriginFormat(desc, ACL_FORMAT_NCHW), ACL_SUCCESS);
	EXPECT_EQ(aclSetTensorOriginFormat(nullptr, ACL_FORMAT_NCHW), ACL_ERROR_INVALID_PARAM);
	EXPECT_EQ(aclSetTensorOriginShape(desc, 2, stored), ACL_SUCCESS);
	EXPECT_EQ(aclSetTensorOriginShape(desc, 2, nullptr), ACL_ERROR_INVALID_PARAM);
	EXPECT_EQ(aclSetTensorDynamicInput(desc, "x"), ACL_SUCCESS);
	EXPECT_EQ(aclSetTensorDynamicInput(nullptr, "x"), ACL_ERROR_INVALID_PARAM);
	EXPECT_EQ(aclSetTensorValueRange(desc, 2, ranges), ACL_SUCCESS);
	EXPECT_EQ(aclSetTensorValueRange(desc, 3, ranges), ACL_ERROR_RT_PARAM_INVALID);
	EXPECT_NE(std::string(aclGetRecentErrMsg()).find("valueRange[2] is 6 to 5"),
		  std::string::npos);
	EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_ND);
	EXPECT_EQ(aclGetTensorDescNumDims(desc), 3u);
}

TEST_F(TensorDesc, RefusesWhatCompilersNeed)
{
	aclTensorDesc *made = nullptr;
	EXPECT_EQ(aclTransTensorDescFormat(desc, ACL_FORMAT_NCHW, &made),
		  ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
	EXPECT_EQ(made, nullptr);
	EXPECT_NE(std::string(aclGetRecentErrMsg()).find("aclTransTensorDescFormat is not"),
		  std::string::npos);
}

/* Only aclmdlCreateAndGetOpDesc() makes lists, and descriptions with an address. */
TEST_F(TensorDesc, IsAListOfItself)
{
	EXPECT_EQ(aclGetTensorDescByIndex(desc, 0), desc);
	EXPECT_EQ(aclGetTensorDescAddress(desc), nullptr);
	EXPECT_EQ(aclGetTensorDescByIndex(desc, 1), nullptr);
	EXPECT_NE(std::string(aclGetRecentErrMsg()).find("index is 1"), std::string::npos);
	EXPECT_EQ(aclGetTensorDescByIndex(nullptr, 0), nullptr);
}

TEST(LegacyOperators, ChooseNoKernels)
{
	EXPECT_EQ(aclopRegisterCompileFunc("Add", nullptr), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
	EXPECT_EQ(aclopUnregisterCompileFunc("Add"), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
	EXPECT_EQ(aclopCreateKernel("Add", "id", "name", nullptr, 0, ACL_ENGINE_SYS, nullptr),
		  ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
	EXPECT_EQ(aclopSetKernelArgs(nullptr, "id", 1, nullptr, 0),
		  ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
	EXPECT_EQ(aclopSetKernelWorkspaceSizes(nullptr, 0, nullptr),
		  ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
	EXPECT_EQ(aclopUpdateParams("Add", 0, nullptr, 0, nullptr, nullptr),
		  ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
	EXPECT_EQ(aclopInferShape("Add", 0, nullptr, nullptr, 0, nullptr, nullptr),
		  ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
	EXPECT_NE(std::string(aclGetRecentErrMsg()).find("aclopInferShape is not supported"),
		  std::string::npos);
}

TEST(LegacyOperators, HaveShapesOfTheirCalls)
{
	EXPECT_EQ(aclopSetCompileFlag(ACL_OP_COMPILE_FUZZ), ACL_SUCCESS);
	EXPECT_EQ(aclopSetCompileFlag(ACL_OP_COMPILE_DEFAULT), ACL_SUCCESS);
	EXPECT_EQ(aclopSetAttrInt(nullptr, "axis", 1), ACL_ERROR_INVALID_PARAM);
	EXPECT_NE(aclopCompileAndExecute("Add", 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr,
					 ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, nullptr),
		  ACL_SUCCESS);
}

TEST(CompileOptions, AreStored)
{
	char value[32];
	EXPECT_EQ(aclGetCompileoptSize(ACL_PRECISION_MODE_V2), 1u);
	EXPECT_EQ(aclSetCompileopt(ACL_PRECISION_MODE_V2, "must_keep_origin"), ACL_SUCCESS);
	EXPECT_EQ(aclGetCompileoptSize(ACL_PRECISION_MODE_V2), 17u);
	EXPECT_EQ(aclGetCompileopt(ACL_PRECISION_MODE_V2, value, sizeof(value)), ACL_SUCCESS);
	EXPECT_STREQ(value, "must_keep_origin");
	EXPECT_EQ(aclGetCompileopt(ACL_PRECISION_MODE_V2, value, 16), ACL_ERROR_RT_PARAM_INVALID);
	EXPECT_NE(std::string(aclGetRecentErrMsg()).find("17 bytes"), std::string::npos);
	EXPECT_EQ(aclSetCompileopt(ACL_PRECISION_MODE_V2, ""), ACL_SUCCESS);
}

TEST(CompileOptions, RefuseWhatIsUnknown)
{
	char value[8];
	const auto unknown = static_cast<aclCompileOpt>(17);
	EXPECT_EQ(aclSetCompileopt(unknown, "x"), ACL_ERROR_INVALID_PARAM);
	EXPECT_EQ(aclSetCompileopt(ACL_DEBUG_DIR, nullptr), ACL_ERROR_INVALID_PARAM);
	EXPECT_EQ(aclGetCompileoptSize(unknown), 0u);
	EXPECT_EQ(aclGetCompileopt(unknown, value, sizeof(value)), ACL_ERROR_INVALID_PARAM);
	EXPECT_EQ(aclGetCompileopt(ACL_DEBUG_DIR, nullptr, 8), ACL_ERROR_INVALID_PARAM);
}

} // namespace

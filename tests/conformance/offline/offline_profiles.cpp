// SPDX-License-Identifier: MIT
/*
 * DOC: Models with several shapes
 */
#include "acl/error_codes/ge_error_codes.h"
#include "offline/test_models.h"

namespace conformance {

namespace {

using Floats = std::vector<float>;

class OfflineProfiles : public DeviceTest {};

/* A model, its description and the buffers that fit all of its shapes. */
struct Loaded {
	explicit Loaded(const std::string &name)
		: model(name), desc(aclmdlCreateDesc()),
		  x((EXPECT_OK(aclmdlGetDesc(desc, model.id())),
		     aclmdlGetInputSizeByIndex(desc, 0))),
		  y(aclmdlGetOutputSizeByIndex(desc, 0)), extra(aclmdlGetInputSizeByIndex(desc, 1)),
		  in({&x, &extra}), out({&y})
	{
		x.store(Floats(x.size() / sizeof(float), 3));
		EXPECT_EQ(aclmdlGetNumInputs(desc), 2u);
		EXPECT_OK(aclmdlGetInputIndexByName(desc, ACL_DYNAMIC_TENSOR_NAME, &index));
		EXPECT_EQ(index, 1u);
	}
	~Loaded() { EXPECT_OK(aclmdlDestroyDesc(desc)); }
	Loaded(const Loaded &) = delete;
	Loaded &operator=(const Loaded &) = delete;

	/* How many elements a run writes. */
	size_t run() const
	{
		y.store(Floats(y.size() / sizeof(float), -1));
		EXPECT_OK(aclmdlExecute(model.id(), in, out));
		size_t count = 0;
		for (const float value : y.load<float>())
			count += value == 3;
		return count;
	}

	int64_t current(size_t dim) const
	{
		aclmdlIODims dims{};
		EXPECT_OK(aclmdlGetCurOutputDims(desc, 0, &dims));
		return dims.dims[dim];
	}

	const LoadedModel model;
	aclmdlDesc *const desc;
	const DeviceBuffer x, y, extra;
	const Dataset in, out;
	size_t index = 9;
};

TEST_F(OfflineProfiles, ABatchIsChosen)
{
	const Loaded loaded("batch");
	const uint32_t id = loaded.model.id();
	aclmdlBatch batch{};
	EXPECT_OK(aclmdlGetDynamicBatch(loaded.desc, &batch));
	ASSERT_EQ(batch.batchCount, 3u);
	EXPECT_EQ(batch.batch[1], 4u);
	aclmdlIODims dims{};
	EXPECT_OK(aclmdlGetInputDims(loaded.desc, 0, &dims));
	EXPECT_EQ(dims.dims[0], -1);
	EXPECT_OK(aclmdlGetOutputDims(loaded.desc, 0, &dims));
	EXPECT_EQ(dims.dims[0], 4);
	EXPECT_EQ(loaded.x.size(), 64u);
	EXPECT_EQ(loaded.run(), 16u);
	EXPECT_EQ(loaded.current(0), 4);
	for (const uint64_t size : {1, 4, 2}) {
		EXPECT_OK(aclmdlSetDynamicBatchSize(id, loaded.in, 1, size));
		EXPECT_EQ(loaded.current(0), static_cast<int64_t>(size));
		EXPECT_EQ(loaded.run(), size * 4);
	}
	EXPECT_FAILS(ACL_ERROR_GE_PARAM_INVALID, "[4]",
		     aclmdlSetDynamicBatchSize(id, loaded.in, 1, 3));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "index is 0",
		     aclmdlSetDynamicBatchSize(id, loaded.in, 0, 2));
	EXPECT_FAILS(ACL_ERROR_MODEL_NOT_DYNAMIC, "not compiled",
		     aclmdlSetDynamicHWSize(id, loaded.in, 1, 2, 2));
	EXPECT_FAILS(ACL_ERROR_MODEL_INPUT_NOT_MATCH, "1 buffers",
		     aclmdlExecute(id, loaded.out, loaded.out));
	EXPECT_EQ(loaded.run(), 8u);
}

TEST_F(OfflineProfiles, ADescriptionHasToBeThatOfTheProfile)
{
	const Loaded loaded("batch");
	const uint32_t id = loaded.model.id();
	const int64_t dims[] = {2, 4};
	aclTensorDesc *shape = aclCreateTensorDesc(ACL_FLOAT, 2, dims, ACL_FORMAT_ND);
	EXPECT_OK(aclmdlSetDatasetTensorDesc(loaded.in, shape, 0));
	EXPECT_FAILS(ACL_ERROR_GE_PARAM_INVALID, "is described as [2, 4], and has [4, 4]",
		     aclmdlExecute(id, loaded.in, loaded.out));
	EXPECT_OK(aclmdlSetDynamicBatchSize(id, loaded.in, 1, 2));
	EXPECT_EQ(loaded.run(), 8u);
	aclDestroyTensorDesc(shape);
}

TEST_F(OfflineProfiles, TheSizeOfAnImageIsChosen)
{
	const Loaded loaded("image");
	aclmdlHW hw{};
	EXPECT_OK(aclmdlGetDynamicHW(loaded.desc, SIZE_MAX, &hw));
	ASSERT_EQ(hw.hwCount, 2u);
	EXPECT_EQ(hw.hw[1][1], 4u);
	EXPECT_OK(aclmdlSetDynamicHWSize(loaded.model.id(), loaded.in, 1, 2, 2));
	EXPECT_EQ(loaded.run(), 4u);
	EXPECT_OK(aclmdlSetDynamicHWSize(loaded.model.id(), loaded.in, 1, 2, 4));
	EXPECT_EQ(loaded.run(), 8u);
	EXPECT_EQ(loaded.current(3), 4);
}

TEST_F(OfflineProfiles, DimsAreChosen)
{
	const Loaded loaded("dims");
	const uint32_t id = loaded.model.id();
	size_t count = 0;
	EXPECT_OK(aclmdlGetInputDynamicGearCount(loaded.desc, SIZE_MAX, &count));
	ASSERT_EQ(count, 2u);
	aclmdlIODims dims[2];
	EXPECT_OK(aclmdlGetInputDynamicDims(loaded.desc, SIZE_MAX, dims, 2));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "tells 2",
		     aclmdlGetInputDynamicDims(loaded.desc, SIZE_MAX, dims, 1));
	for (const aclmdlIODims &each : dims) {
		EXPECT_OK(aclmdlSetInputDynamicDims(id, loaded.in, 1, &each));
		EXPECT_EQ(loaded.run(), static_cast<size_t>(each.dims[0] * each.dims[1]));
	}
	dims[0].dims[1] = 5;
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "do not fit",
		     aclmdlSetInputDynamicDims(id, loaded.in, 1, &dims[0]));
}

TEST_F(OfflineProfiles, ModelsOfOneShapeHaveNone)
{
	const LoadedModel model("dense");
	const DeviceBuffer x(32);
	const Dataset in({&x});
	EXPECT_FAILS(ACL_ERROR_MODEL_NOT_DYNAMIC, "not compiled",
		     aclmdlSetDynamicBatchSize(model.id(), in, 1, 2));
}

} // namespace

} // namespace conformance

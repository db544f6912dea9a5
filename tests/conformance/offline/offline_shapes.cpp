// SPDX-License-Identifier: MIT
/*
 * DOC: Models with free dims
 */
#include <fstream>

#include <unistd.h>

#include "acl/error_codes/ge_error_codes.h"
#include "offline/test_models.h"

namespace conformance {

namespace {

using Floats = std::vector<float>;

class OfflineShapes : public DeviceTest {};

/* Describes input 0 of @dataset. */
void describe(aclmdlDataset *dataset, const std::vector<int64_t> &shape)
{
	aclTensorDesc *desc = aclCreateTensorDesc(ACL_FLOAT, static_cast<int>(shape.size()),
						  shape.data(), ACL_FORMAT_ND);
	EXPECT_OK(aclmdlSetDatasetTensorDesc(dataset, desc, 0));
	aclDestroyTensorDesc(desc); /* It is copied. */
}

std::vector<int64_t> shape_of(const aclmdlDataset *dataset, size_t index)
{
	const aclTensorDesc *desc = aclmdlGetDatasetTensorDesc(dataset, index);
	std::vector<int64_t> shape;
	for (size_t d = 0; desc && d < aclGetTensorDescNumDims(desc); d++)
		shape.push_back(aclGetTensorDescDim(desc, d));
	return shape;
}

/* What "free" makes of @rows rows of @value. */
Floats free_of(float value, int64_t rows)
{
	Floats y;
	for (int64_t i = 0; i < rows * 4; i++)
		y.push_back(value * static_cast<float>(i % 4 + 1) - 1);
	return y;
}

/* A run of "free" at @rows rows. */
void expect_run(uint32_t id, int64_t rows, float value)
{
	const DeviceBuffer x(static_cast<size_t>(rows) * 16), y(static_cast<size_t>(rows) * 16);
	x.store(Floats(static_cast<size_t>(rows) * 4, value));
	const Dataset in({&x}), out({&y});
	describe(in, {rows, 4});
	EXPECT_OK(aclmdlExecute(id, in, out));
	EXPECT_EQ(y.load<float>(), free_of(value, rows)) << rows;
	EXPECT_EQ(shape_of(out, 0), (std::vector<int64_t>{rows, 4}));
	EXPECT_EQ(aclGetTensorDescSize(aclmdlGetDatasetTensorDesc(out, 0)), y.size());
}

TEST_F(OfflineShapes, TheDatasetGivesTheShape)
{
	const LoadedModel model("free");
	expect_run(model.id(), 2, 3);
	expect_run(model.id(), 7, 2);
	expect_run(model.id(), 2, 5);
}

TEST_F(OfflineShapes, ThereMayBeManyShapes)
{
	const LoadedModel model("free");
	for (int round = 0; round < 2; round++)
		for (int64_t rows = 1; rows <= 20; rows++)
			expect_run(model.id(), rows, static_cast<float>(rows));
}

TEST_F(OfflineShapes, RunsOfManyShapesMayBeUnderWay)
{
	constexpr int64_t SHAPES = 12;
	const LoadedModel model("free");
	const Stream stream;
	Gate gate;
	gate.block(stream);
	std::vector<std::unique_ptr<DeviceBuffer>> results;
	const DeviceBuffer x(SHAPES * 16);
	x.store(Floats(SHAPES * 4, 3));
	for (int64_t rows = 1; rows <= SHAPES; rows++) {
		results.push_back(std::make_unique<DeviceBuffer>(static_cast<size_t>(rows) * 16));
		const Dataset in({&x}), out({results.back().get()});
		describe(in, {rows, 4});
		EXPECT_OK(aclmdlExecuteAsync(model.id(), in, out, stream));
	}
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	for (int64_t rows = 1; rows <= SHAPES; rows++)
		EXPECT_EQ(results[static_cast<size_t>(rows) - 1]->load<float>(), free_of(3, rows));
}

TEST_F(OfflineShapes, AGraphKeepsTheShapeThatItCaptured)
{
	const LoadedModel model("free");
	const Stream stream;
	const DeviceBuffer x(32), y(32);
	x.store(Floats(8, 3));
	expect_run(model.id(), 2, 1);
	aclmdlRI graph = nullptr;
	{
		const Dataset in({&x}), out({&y});
		describe(in, {2, 4});
		EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
		EXPECT_OK(aclmdlExecuteAsync(model.id(), in, out, stream));
		EXPECT_OK(aclmdlRICaptureEnd(stream, &graph));
	}
	/* Shapes that are run least are dropped, but not this one. */
	for (int64_t rows = 3; rows <= 20; rows++)
		expect_run(model.id(), rows, 1);
	EXPECT_OK(aclmdlRIExecuteAsync(graph, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(y.load<float>(), free_of(3, 2));
	EXPECT_OK(aclmdlRIDestroy(graph));
}

/* The program that trains a model may write the file again while another one runs it. */
TEST_F(OfflineShapes, TheFileMayBeWrittenAgain)
{
	const std::string path = testing::TempDir() + "again" + std::to_string(getpid()) + ".om";
	uint32_t id = 0;
	std::ofstream(path, std::ios::binary) << read_file(model_path("free"));
	EXPECT_OK(aclmdlLoadFromFile(path.c_str(), &id));
	expect_run(id, 2, 3);
	std::ofstream(path, std::ios::binary | std::ios::trunc) << "";
	expect_run(id, 5, 3);
	EXPECT_OK(aclmdlUnload(id));
	EXPECT_EQ(unlink(path.c_str()), 0);
}

TEST_F(OfflineShapes, AnOutputWithoutMemoryGetsSome)
{
	const LoadedModel model("free");
	const DeviceBuffer x(48);
	x.store(Floats(12, 2));
	const Dataset in({&x});
	Dataset out({});
	out.add(nullptr, 0);
	describe(in, {3, 4});
	EXPECT_OK(aclmdlExecute(model.id(), in, out));
	const aclDataBuffer *buffer = aclmdlGetDatasetBuffer(out, 0);
	void *memory = aclGetDataBufferAddr(buffer);
	ASSERT_NE(memory, nullptr);
	EXPECT_EQ(aclGetDataBufferSizeV2(buffer), 48u);
	Floats y(12);
	EXPECT_OK(aclrtMemcpy(y.data(), 48, memory, 48, ACL_MEMCPY_DEVICE_TO_HOST));
	EXPECT_EQ(y, free_of(2, 3));
	EXPECT_OK(aclrtFree(memory));
}

TEST_F(OfflineShapes, ADescriptionTellsWhatIsFree)
{
	const LoadedModel free("free"), range("range");
	aclmdlDesc *desc = aclmdlCreateDesc();
	EXPECT_OK(aclmdlGetDesc(desc, range.id()));
	aclmdlIODimsRange dims{};
	EXPECT_OK(aclmdlGetInputDimsRange(desc, 0, &dims));
	ASSERT_EQ(dims.rangeCount, 2u);
	EXPECT_EQ(dims.range[0][0], 1);
	EXPECT_EQ(dims.range[0][1], 4);
	EXPECT_EQ(dims.range[1][0], 2);
	EXPECT_EQ(dims.range[1][1], 2);
	EXPECT_OK(aclmdlGetDesc(desc, free.id()));
	EXPECT_OK(aclmdlGetInputDimsRange(desc, 0, &dims));
	EXPECT_EQ(dims.range[0][0], 1);
	EXPECT_EQ(dims.range[0][1], -1);
	EXPECT_EQ(aclmdlGetNumInputs(desc), 1u);
	EXPECT_EQ(aclmdlGetInputSizeByIndex(desc, 0), 0u);
	EXPECT_EQ(aclmdlGetOutputSizeByIndex(desc, 0), 0u);
	aclmdlIODims shape{};
	EXPECT_OK(aclmdlGetInputDimsV2(desc, 0, &shape));
	EXPECT_EQ(shape.dims[0], -1);
	EXPECT_OK(aclmdlGetOutputDims(desc, 0, &shape));
	EXPECT_EQ(shape.dims[0], -1);
	EXPECT_FAILS(ACL_ERROR_GE_PARAM_INVALID, "aclmdlGetDatasetTensorDesc",
		     aclmdlGetCurOutputDims(desc, 0, &shape));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "index is 1",
		     aclmdlGetInputDimsRange(desc, 1, &dims));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "NULL", aclmdlGetInputDimsRange(desc, 0, nullptr));
	EXPECT_OK(aclmdlDestroyDesc(desc));
	size_t work = 0, weight = 0;
	EXPECT_FAILS(ACL_ERROR_GE_PARAM_INVALID, "free dims",
		     aclmdlQuerySize(model_path("free").c_str(), &work, &weight));
	const DeviceBuffer memory(4096);
	uint32_t id = 0;
	EXPECT_FAILS(ACL_ERROR_GE_PARAM_INVALID, "NULL for workPtr",
		     aclmdlLoadFromFileWithMem(model_path("free").c_str(), &id, memory.data(),
					       memory.size(), nullptr, 0));
	EXPECT_OK(aclmdlLoadFromFileWithMem(model_path("free").c_str(), &id, nullptr, 0,
					    memory.data(), memory.size()));
	expect_run(id, 3, 4);
	EXPECT_OK(aclmdlUnload(id));
}

TEST_F(OfflineShapes, ShapesHaveToFit)
{
	const LoadedModel model("range");
	const DeviceBuffer x(32), y(32);
	const Dataset in({&x}), out({&y});
	const uint32_t id = model.id();
	EXPECT_FAILS(ACL_ERROR_GE_PARAM_INVALID, "aclmdlSetDatasetTensorDesc",
		     aclmdlExecute(id, in, out));
	for (const auto &[shape, sentence] :
	     std::vector<std::pair<std::vector<int64_t>, const char *>>{
		     {{5, 2}, "dim 0 of input 0 (x) is 5"},
		     {{0, 2}, "1 to 4"},
		     {{-1, 2}, "dim 0"},
		     {{2, 3}, "dim 1"},
		     {{2}, "has 1 dims"},
		     {{2, 2, 1}, "has 3 dims"}}) {
		describe(in, shape);
		EXPECT_FAILS(ACL_ERROR_GE_PARAM_INVALID, sentence, aclmdlExecute(id, in, out));
	}
	describe(in, {4, 2});
	EXPECT_OK(aclmdlExecute(id, in, out));
	const DeviceBuffer small(24);
	const Dataset short_in({&small}), short_out({&small});
	describe(short_in, {4, 2});
	EXPECT_FAILS(ACL_ERROR_MODEL_INPUT_NOT_MATCH, "needs 32", aclmdlExecute(id, short_in, out));
	EXPECT_FAILS(ACL_ERROR_MODEL_OUTPUT_NOT_MATCH, "needs 32",
		     aclmdlExecute(id, in, short_out));
	EXPECT_OK(aclmdlSetDatasetTensorDesc(in, nullptr, 0));
	EXPECT_FAILS(ACL_ERROR_GE_PARAM_INVALID, "aclmdlSetDatasetTensorDesc",
		     aclmdlExecute(id, in, out));
}

/* Programs are there that count too few rows for a result, and have memory for all of them. */
TEST_F(OfflineShapes, AShortBufferInLargeMemoryGetsWhatFits)
{
	const LoadedModel model("range");
	const DeviceBuffer x(32), y(64);
	const Dataset in({&x});
	Dataset out({});
	out.add(y.data(), 24);
	for (int k = 1; k < 4; k++) {
		const auto start = static_cast<float>(k);
		x.store(std::vector<float>{start, 2, 3, 4, 5, 6, 7, 8});
		y.store(std::vector<float>(16, -1));
		describe(in, {4, 2});
		EXPECT_OK(aclmdlExecute(model.id(), in, out));
		std::vector<float> wanted(16, -1);
		for (size_t i = 0; i < 6; i++)
			wanted[i] = i == 0 ? start : static_cast<float>(i + 1);
		EXPECT_EQ(y.load<float>(), wanted);
	}
	const Stream stream;
	EXPECT_OK(aclmdlExecuteAsync(model.id(), in, out, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	Dataset behind({});
	behind.add(static_cast<char *>(y.data()) + 40, 24);
	EXPECT_FAILS(ACL_ERROR_MODEL_OUTPUT_NOT_MATCH, "needs 32",
		     aclmdlExecute(model.id(), in, behind));
}

TEST_F(OfflineShapes, ADatasetOwnsItsDescriptions)
{
	const DeviceBuffer x(32);
	const Dataset set({&x});
	EXPECT_EQ(aclmdlGetDatasetTensorDesc(set, 0), nullptr);
	describe(set, {2, 4});
	EXPECT_EQ(shape_of(set, 0), (std::vector<int64_t>{2, 4}));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "index is 1",
		     aclmdlSetDatasetTensorDesc(set, nullptr, 1));
	EXPECT_EQ(aclmdlGetDatasetTensorDesc(set, 1), nullptr);
	EXPECT_NE(take_message(), "");
	aclTensorDesc *mine = aclmdlGetDatasetTensorDesc(set, 0);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "dataset is NULL",
		     aclmdlSetDatasetTensorDesc(nullptr, mine, 0));
	/* Some programs destroy it. */
	aclDestroyTensorDesc(mine);
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "tensorDesc",
		     aclmdlSetDatasetTensorDesc(set, mine, 0));
	describe(set, {8});
	EXPECT_EQ(shape_of(set, 0), (std::vector<int64_t>{8}));
}

} // namespace

} // namespace conformance

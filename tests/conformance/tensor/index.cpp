// SPDX-License-Identifier: MIT
/*
 * DOC: operators with indices
 *
 * GatherV2, Embedding, IndexSelect, IndexCopy, IndexFillTensor, Scatter, MaskedFillScalar and
 * SoftmaxCrossEntropyWithLogits against plain loops, with views
 * on both sides. An index that is out of range fails the stream and changes nothing outside of the result.
 */
#include <cmath>

#include "tensor/calls.h"
#include "tensor/missing_arguments.h"

using namespace conformance;

namespace {

using IndexOperators = DeviceTest;

std::vector<float> count_up(size_t count)
{
	std::vector<float> values(count);
	for (size_t i = 0; i < count; ++i)
		values[i] = static_cast<float>(i) + 1;
	return values;
}

TEST_F(IndexOperators, GatherRowsIntoRowsWithGaps)
{
	const std::vector<float> values = count_up(24);
	const DeviceBuffer memory = device_copy(values), out(20 * sizeof(float));
	const DeviceBuffer index = device_copy(std::vector<int32_t>{9, 2, 99, 0, 99, -1, 99, 2});
	out.store(std::vector<float>(20, -1));
	/* Rows of 3, 6 apart; the indices 2, 0, -1 and 2, with an offset and a stride. */
	run<BOTH(GatherV2)>(Tensor(memory, ACL_FLOAT, {4, 3}, {6, 1}, 2), 0,
			    Tensor(index, ACL_INT32, {4}, {2}, 1),
			    Tensor(out, ACL_FLOAT, {4, 3}, {5, 1}, 1));
	std::vector<float> wanted(20, -1);
	const size_t rows[] = {2, 0, 3, 2};
	for (size_t i = 0; i < 12; ++i)
		wanted[i / 3 * 5 + i % 3 + 1] = values[rows[i / 3] * 6 + i % 3 + 2];
	EXPECT_EQ(out.load<float>(), wanted);
}

TEST_F(IndexOperators, GatherAlongEachDimByAMatrix)
{
	const std::vector<float> values = count_up(24);
	const DeviceBuffer memory = device_copy(values), out(48 * sizeof(float));
	const std::vector<int64_t> indices = {1, 0, -1, -2};
	const DeviceBuffer index = device_copy(indices);
	const size_t sizes[] = {2, 3, 4}, strides[] = {12, 4, 1};
	for (int64_t dim = -3; dim < 3; ++dim) {
		const size_t d = static_cast<size_t>((dim + 3) % 3);
		std::vector<float> wanted;
		for (size_t i = 0; i < (d == 0 ? 4 : sizes[0]); ++i)
			for (size_t j = 0; j < (d == 1 ? 4 : sizes[1]); ++j)
				for (size_t k = 0; k < (d == 2 ? 4 : sizes[2]); ++k) {
					size_t at[] = {i, j, k};
					const int64_t named = indices[at[d]];
					at[d] = static_cast<size_t>(
						named < 0 ? named + int64_t(sizes[d]) : named);
					wanted.push_back(values[at[0] * strides[0] +
								at[1] * strides[1] + at[2]]);
				}
		Dims dims = {2, 3, 4};
		dims[d] = 2;
		dims.insert(dims.begin() + int64_t(d), 2);
		out.store(std::vector<float>(48, -1));
		run<BOTH(GatherV2)>(Tensor(memory, ACL_FLOAT, {2, 3, 4}), dim,
				    Tensor(index, ACL_INT64, {2, 2}), Tensor(out, ACL_FLOAT, dims));
		wanted.resize(48, -1);
		EXPECT_EQ(out.load<float>(), wanted) << dim;
	}
}

/* Indices in columns, and a result whose dims of indices lie apart and behind the others. */
TEST_F(IndexOperators, GatherByViewsOfIndicesIntoViews)
{
	const DeviceBuffer memory = device_copy(count_up(6)), out(20 * sizeof(float));
	const DeviceBuffer index = device_copy(std::vector<int32_t>{2, 0, 1, -1});
	out.store(std::vector<float>(20, 0));
	run<BOTH(GatherV2)>(Tensor(memory, ACL_FLOAT, {3, 2}), 0,
			    Tensor(index, ACL_INT32, {2, 2}, {1, 2}, 0),
			    Tensor(out, ACL_FLOAT, {2, 2, 2}, {1, 3, 10}, 0));
	/* out[i, j, k] = self[index[i + 2 * j], k] */
	EXPECT_EQ(out.load<float>(),
		  (std::vector<float>{5, 1, 0, 3, 5, 0, 0, 0, 0, 0, 6, 2, 0, 4, 6, 0, 0, 0, 0, 0}));
}

TEST_F(IndexOperators, SelectMatricesOfBytes)
{
	std::vector<int8_t> values(24);
	for (size_t i = 0; i < 24; ++i)
		values[i] = static_cast<int8_t>(i);
	const DeviceBuffer memory = device_copy(values), out(12), one(2);
	const DeviceBuffer index = device_copy(std::vector<int32_t>{99, 99, 3, 1});
	run<BOTH(IndexSelect)>(Tensor(memory, ACL_INT8, {4, 2, 3}), 0,
			       Tensor(index, ACL_INT32, {2}, {1}, 2),
			       Tensor(out, ACL_INT8, {2, 2, 3}));
	EXPECT_EQ(out.load<int8_t>(),
		  (std::vector<int8_t>{18, 19, 20, 21, 22, 23, 6, 7, 8, 9, 10, 11}));
	run<BOTH(IndexSelect)>(Tensor(memory, ACL_INT8, {2, 12}), 1,
			       Tensor(index, ACL_INT32, {}, {}, 2), Tensor(one, ACL_INT8, {2, 1}));
	EXPECT_EQ(one.load<int8_t>(), (std::vector<int8_t>{3, 15}));
}

TEST_F(IndexOperators, CopyRowsOfWhichTheLastCounts)
{
	const DeviceBuffer self = device_copy(std::vector<float>(12));
	const DeviceBuffer source = device_copy(count_up(15));
	const DeviceBuffer index = device_copy(std::vector<int64_t>{3, 0, -1});
	run<BOTH(InplaceIndexCopy)>(Tensor(self, ACL_FLOAT, {4, 3}), 0,
				    Tensor(index, ACL_INT64, {3}),
				    Tensor(source, ACL_FLOAT, {3, 3}, {5, 1}, 0));
	EXPECT_EQ(self.load<float>(), (std::vector<float>{6, 7, 8, 0, 0, 0, 0, 0, 0, 11, 12, 13}));
	const DeviceBuffer column = device_copy(std::vector<int32_t>{1});
	run<BOTH(InplaceIndexCopy)>(Tensor(self, ACL_FLOAT, {4, 3}), -1,
				    Tensor(column, ACL_INT32, {1}),
				    Tensor(source, ACL_FLOAT, {4, 1}));
	EXPECT_EQ(self.load<float>(), (std::vector<float>{6, 1, 8, 0, 2, 0, 0, 3, 0, 11, 4, 13}));
}

TEST_F(IndexOperators, FillColumns)
{
	const DeviceBuffer self = device_copy(count_up(8));
	run<BOTH(InplaceIndexFillTensor)>(Tensor(self, ACL_FLOAT, {2, 4}), 1, IntArray({0, -2}),
					  Scalar(-1.5f, ACL_FLOAT));
	const std::vector<float> wanted = {-1.5f, 2, -1.5f, 4, -1.5f, 6, -1.5f, 8};
	EXPECT_EQ(self.load<float>(), wanted);
	run<BOTH(InplaceIndexFillTensor)>(Tensor(self, ACL_FLOAT, {2, 4}), 0, IntArray(Dims{}),
					  Scalar(9.0f, ACL_FLOAT));
	EXPECT_EQ(self.load<float>(), wanted);
	run<BOTH(InplaceIndexFillTensor)>(Tensor(self, ACL_FLOAT, {8}), 0, IntArray(Dims(126, 3)),
					  Scalar(9.0f, ACL_FLOAT));
	EXPECT_EQ(self.load<float>()[3], 9);
}

/* expect_bad_index() - the operator that was launched on @stream fails it. */
void expect_bad_index(aclrtStream stream)
{
	EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
	const std::string sentence = aclGetRecentErrMsg();
	EXPECT_NE(sentence.find("an index that an operator reads is outside of its tensor"),
		  std::string::npos)
		<< sentence;
}

TEST_F(IndexOperators, FailOnIndicesOutOfRange)
{
	const DeviceBuffer self = device_copy(count_up(12)), out(20 * sizeof(float));
	for (const int32_t bad : {4, -5, INT32_MAX, INT32_MIN}) {
		const DeviceBuffer index = device_copy(std::vector<int32_t>{1, bad, 0});
		const Tensor rows(index, ACL_INT32, {3}), matrix(self, ACL_FLOAT, {4, 3});
		const Tensor target(out, ACL_FLOAT, {3, 3}, {6, 1}, 1);
		out.store(std::vector<float>(20, -1));
		uint64_t bytes = 0;
		aclOpExecutor *executor = nullptr;
		{
			const Stream stream;
			ASSERT_OK(aclnnGatherV2GetWorkspaceSize(matrix, 0, rows, target, &bytes,
								&executor));
			EXPECT_OK(aclnnGatherV2(nullptr, 0, executor, stream));
			expect_bad_index(stream);
		}
		const std::vector<float> got = out.load<float>();
		for (size_t i = 0; i < got.size(); ++i) {
			const bool is_outside = i % 6 < 1 || i % 6 > 3 || i > 15;
			EXPECT_TRUE(!is_outside || got[i] == -1) << i;
		}
		/* A copy with a bad index changes nothing. */
		const Stream stream;
		ASSERT_OK(aclnnInplaceIndexCopyGetWorkspaceSize(matrix, 0, rows, target, &bytes,
								&executor));
		EXPECT_OK(aclnnInplaceIndexCopy(nullptr, 0, executor, stream));
		expect_bad_index(stream);
		EXPECT_EQ(self.load<float>(), count_up(12));
	}
}

/* launch_on() - both phases of an operator that the device must fail. */
template <auto FIRST, auto SECOND, class... Arguments>
void launch_on(aclrtStream stream, const Arguments &...arguments)
{
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;
	ASSERT_OK(FIRST(arguments..., &bytes, &executor));
	EXPECT_OK(SECOND(nullptr, 0, executor, stream));
}

TEST_F(IndexOperators, FailOnLongIndicesOutOfRangeAlongAnInnerDim)
{
	const DeviceBuffer self = device_copy(count_up(12)), out(20 * sizeof(float));
	const DeviceBuffer source = device_copy(std::vector<float>(8, 99));
	const Tensor matrix(self, ACL_FLOAT, {4, 3});
	/* Columns 0 and 2 of rows of 5. */
	const Tensor target(out, ACL_FLOAT, {4, 2}, {5, 2}, 0);
	for (const int64_t bad : {int64_t{3}, int64_t{-4}, INT64_MAX, INT64_MIN}) {
		const DeviceBuffer index = device_copy(std::vector<int64_t>{1, bad});
		const Tensor columns(index, ACL_INT64, {2});
		out.store(std::vector<float>(20, -1));
		{
			const Stream stream;
			launch_on<BOTH(IndexSelect)>(stream, matrix, int64_t{1}, columns, target);
			expect_bad_index(stream);
		}
		const std::vector<float> got = out.load<float>();
		for (size_t i = 0; i < got.size(); ++i) {
			const bool is_outside = i % 5 != 0 && i % 5 != 2;
			EXPECT_TRUE(!is_outside || got[i] == -1) << i;
		}
		const Stream stream;
		launch_on<BOTH(InplaceIndexCopy)>(stream, matrix, int64_t{1}, columns,
						  Tensor(source, ACL_FLOAT, {4, 2}));
		expect_bad_index(stream);
		EXPECT_EQ(self.load<float>(), count_up(12));
	}
}

TEST_F(IndexOperators, LossAndGradientOfLabels)
{
	const std::vector<float> features = {1, -2, 0.5f, 3, 3, -1},
				 labels = {0, 1, 0, 0.5f, 0.25f, 0.25f};
	const DeviceBuffer x = device_copy(features), y = device_copy(labels);
	const DeviceBuffer loss(2 * sizeof(float)), backprop(6 * sizeof(float));
	run<BOTH(SoftmaxCrossEntropyWithLogits)>(
		Tensor(x, ACL_FLOAT, {2, 3}), Tensor(y, ACL_FLOAT, {2, 3}),
		Tensor(loss, ACL_FLOAT, {2}), Tensor(backprop, ACL_FLOAT, {2, 3}));
	const std::vector<float> losses = loss.load<float>(), gradient = backprop.load<float>();
	for (size_t row = 0; row < 2; ++row) {
		double sum = 0, wanted = 0;
		for (size_t i = 3 * row; i < 3 * row + 3; ++i)
			sum += std::exp(double(features[i]));
		for (size_t i = 3 * row; i < 3 * row + 3; ++i) {
			const double probability = std::exp(double(features[i])) / sum;
			wanted -= double(labels[i]) * std::log(probability);
			EXPECT_NEAR(gradient[i], probability - double(labels[i]), 1e-6);
		}
		EXPECT_NEAR(losses[row], wanted, 1e-6);
	}
}

TEST_F(IndexOperators, RefuseShapesAndTypes)
{
	const DeviceBuffer memory(1024);
	const Tensor matrix(memory, ACL_FLOAT, {2, 3}), row(memory, ACL_FLOAT, {3});
	const Tensor index(memory, ACL_INT32, {2}), pairs(memory, ACL_INT32, {2, 2}, {1, 2}, 0);
	const Tensor halves(memory, ACL_FLOAT16, {2, 3}), cube(memory, ACL_FLOAT, {2, 2, 3});
	const Scalar zero(0.0f, ACL_FLOAT);
	refuse<aclnnGatherV2GetWorkspaceSize>("index is FLOAT [3]; allowed are INT32", matrix, 0,
					      row, matrix);
	refuse<aclnnGatherV2GetWorkspaceSize>("has shape [2, 3]", matrix, 0, index, row);
	refuse<aclnnGatherV2GetWorkspaceSize>("dim is -3", matrix, -3, index, matrix);
	refuse<aclnnGatherV2GetWorkspaceSize>("must have the type FLOAT", matrix, 0, index, halves);
	refuse<aclnnIndexSelectGetWorkspaceSize>("0 to 1 dim", matrix, 0, pairs, cube);
	refuse<aclnnIndexSelectGetWorkspaceSize>("has shape [2, 2]", matrix, 1, index, matrix);
	refuse<aclnnInplaceIndexCopyGetWorkspaceSize>("it must have shape [2, 3]", matrix, 0, index,
						      row);
	refuse<aclnnInplaceIndexCopyGetWorkspaceSize>("must have the type FLOAT", matrix, 0, index,
						      halves);
	refuse<aclnnInplaceIndexCopyGetWorkspaceSize>("0 to 1 dim", matrix, 0, pairs, matrix);
	refuse<aclnnInplaceIndexFillTensorGetWorkspaceSize>("index has the entry 2", matrix, 0,
							    IntArray({1, 2}), zero);
	refuse<aclnnInplaceIndexFillTensorGetWorkspaceSize>("has 127 entries", matrix, 0,
							    IntArray(Dims(127, 0)), zero);
	refuse<aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize>("must have 2 dims", row, row,
								   row, row);
	refuse<aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize>("loss is FLOAT [3]", matrix,
								   matrix, row, matrix);
	refuse<aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize>("labels is FLOAT [3]", matrix,
								   row, row, matrix);
}

/* expect_sentence() - the operator that was launched last fails its stream, with a sentence that has all of @parts. */
void expect_sentence(const std::vector<std::string> &parts)
{
	EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
	const std::string sentence = aclGetRecentErrMsg();
	for (const std::string &part : parts)
		EXPECT_NE(sentence.find(part), std::string::npos) << part << " in: " << sentence;
}

std::string print_address(const DeviceBuffer &memory, uint64_t offset)
{
	char text[32];
	snprintf(text, sizeof(text), "address %#llx",
		 static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(memory.data()) +
						 offset));
	return text;
}

/* Engines share such operators. Of two bad indices the first one is told, whichever engine finds its one first. */
TEST_F(IndexOperators, TellTheFirstBadIndexOfManyPieces)
{
	constexpr int64_t COLUMNS = 1024, ROWS = 64, COUNT = 4096, BEFORE = 256;
	std::vector<int64_t> indices(COUNT, 5);
	indices[3000] = 99999;
	indices[3500] = -7777777;
	const DeviceBuffer index = device_copy(indices);
	const DeviceBuffer self = device_copy(count_up(ROWS * COLUMNS));
	const DeviceBuffer out((COUNT * COLUMNS + 2 * BEFORE) * sizeof(float));
	out.store(std::vector<float>(COUNT * COLUMNS + 2 * BEFORE, -1));
	const std::vector<std::string> parts = {"aclnnGatherV2", "index 99999,",
						print_address(index, 3000 * sizeof(int64_t))};
	const Tensor result(out, ACL_FLOAT, {COUNT, COLUMNS}, {COLUMNS, 1}, BEFORE);
	for (int round = 0; round < 5; ++round) {
		launch<BOTH(GatherV2)>(Tensor(self, ACL_FLOAT, {ROWS, COLUMNS}), 0,
				       Tensor(index, ACL_INT64, {COUNT}), result);
		expect_sentence(parts);
	}
	const std::vector<float> got = out.load<float>();
	for (size_t i = 0; i < BEFORE; ++i)
		ASSERT_TRUE(got[i] == -1 && got[got.size() - 1 - i] == -1) << i;
	/* The stream goes on. */
	indices.assign(COUNT, -1);
	index.store(indices);
	run<BOTH(GatherV2)>(Tensor(self, ACL_FLOAT, {ROWS, COLUMNS}), 0,
			    Tensor(index, ACL_INT64, {COUNT}), result);
	EXPECT_EQ(out.load<float>()[BEFORE + 1], float((ROWS - 1) * COLUMNS + 2));
}

TEST_F(IndexOperators, ALargeCopyByABadIndexChangesNothing)
{
	constexpr int64_t COLUMNS = 65536, ROWS = 32, COUNT = 16;
	std::vector<int32_t> indices(COUNT, 3);
	indices[COUNT - 1] = -33;
	const DeviceBuffer index = device_copy(indices);
	const DeviceBuffer source = device_copy(count_up(COUNT * COLUMNS));
	const std::vector<float> before(ROWS * COLUMNS, -1);
	const DeviceBuffer self = device_copy(before);
	launch<BOTH(InplaceIndexCopy)>(Tensor(self, ACL_FLOAT, {ROWS, COLUMNS}), 0,
				       Tensor(index, ACL_INT32, {COUNT}),
				       Tensor(source, ACL_FLOAT, {COUNT, COLUMNS}));
	expect_sentence({"aclnnInplaceIndexCopy", "index -33,",
			 print_address(index, (COUNT - 1) * sizeof(int32_t))});
	EXPECT_EQ(self.load<float>(), before);
}

TEST_F(IndexOperators, ReplaceAddAndMultiplyAlongEachDim)
{
	const DeviceBuffer self = device_copy(std::vector<float>{1, 2, 3, 4, 5, 6}),
			   out(6 * sizeof(float));
	const DeviceBuffer index = device_copy(std::vector<int64_t>{2, 0, 2, -1});
	const DeviceBuffer src = device_copy(std::vector<float>{10, 20, 99, 30, 40, 99});
	const Tensor from(self, ACL_FLOAT, {2, 3}), to(out, ACL_FLOAT, {2, 3});
	const Tensor places(index, ACL_INT64, {2, 2}), values(src, ACL_FLOAT, {2, 3});
	run<BOTH(Scatter)>(from, 1, places, values, 0, to);
	EXPECT_EQ(out.load<float>(), (std::vector<float>{20, 2, 10, 4, 5, 40}));
	run<BOTH(Scatter)>(from, -1, places, values, 1, to);
	EXPECT_EQ(out.load<float>(), (std::vector<float>{21, 2, 13, 4, 5, 76}));
	run<BOTH(Scatter)>(from, 1, places, values, 2, to);
	EXPECT_EQ(out.load<float>(), (std::vector<float>{20, 2, 30, 4, 5, 7200}));
	EXPECT_EQ(self.load<float>(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
	const DeviceBuffer rows = device_copy(std::vector<int32_t>{1, 0, 1});
	run<BOTH(InplaceScatter)>(from, 0, Tensor(rows, ACL_INT32, {1, 3}),
				  Tensor(src, ACL_FLOAT, {1, 3}), 0);
	EXPECT_EQ(self.load<float>(), (std::vector<float>{1, 20, 3, 10, 5, 99}));
}

TEST_F(IndexOperators, OfEqualIndicesTheLastOneReplacesAndAllAreAdded)
{
	const DeviceBuffer self = device_copy(std::vector<float>(4, 1));
	const DeviceBuffer index = device_copy(std::vector<int64_t>{3, 3, 3});
	const DeviceBuffer src = device_copy(std::vector<float>{5, 6, 7});
	const Tensor to(self, ACL_FLOAT, {4});
	const Tensor places(index, ACL_INT64, {3}), values(src, ACL_FLOAT, {3});
	run<BOTH(InplaceScatter)>(to, 0, places, values, 0);
	EXPECT_EQ(self.load<float>(), (std::vector<float>{1, 1, 1, 7}));
	run<BOTH(InplaceScatter)>(to, 0, places, values, 1);
	EXPECT_EQ(self.load<float>(), (std::vector<float>{1, 1, 1, 25}));
	run<BOTH(InplaceScatterValue)>(to, 0, places, Scalar(2.0f, ACL_FLOAT), 2);
	EXPECT_EQ(self.load<float>(), (std::vector<float>{1, 1, 1, 200}));
}

TEST_F(IndexOperators, AnIndexOutOfRangeFailsAndArgumentsAreNamed)
{
	const DeviceBuffer self = device_copy(std::vector<int32_t>{1, 2, 3, 4});
	const DeviceBuffer index = device_copy(std::vector<int64_t>{0, 4});
	const Tensor to(self, ACL_INT32, {4}), places(index, ACL_INT64, {2});
	const Tensor wide(index, ACL_INT64, {1, 2});
	refuse<aclnnInplaceScatterValueGetWorkspaceSize>("reduce is 3; allowed are 0, 1 and 2", to,
							 0, places, Scalar(1, ACL_INT32), 3);
	refuse<aclnnInplaceScatterValueGetWorkspaceSize>("index is INT64 [1, 2]; it must have", to,
							 0, wide, Scalar(1, ACL_INT32), 0);
	refuse<aclnnInplaceScatterGetWorkspaceSize>("src is INT64 [2]; it must have the type INT32",
						    to, 0, places, places, 0);
	refuse<aclnnInplaceScatterValueGetWorkspaceSize>(
		"index is FLOAT [4]; allowed are INT32 and INT64", to, 0,
		Tensor(self, ACL_FLOAT, {4}), Scalar(1, ACL_INT32), 0);
	launch<BOTH(InplaceScatterValue)>(to, 0, places, Scalar(9, ACL_INT32), 0);
	EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
	EXPECT_NE(std::string(aclGetRecentErrMsg()).find("outside of its tensor"),
		  std::string::npos);
	EXPECT_EQ(self.load<int32_t>(), (std::vector<int32_t>{1, 2, 3, 4}));
}

TEST_F(IndexOperators, FillWhereAMaskIsTrue)
{
	const DeviceBuffer self = device_copy(std::vector<float>{1, 2, 3, 4, 5, 6});
	const DeviceBuffer mask = device_copy(std::vector<uint8_t>{1, 0, 7});
	const Tensor to(self, ACL_FLOAT, {2, 3});
	run<BOTH(InplaceMaskedFillScalar)>(to, Tensor(mask, ACL_BOOL, {3}),
					   Scalar(-1.5f, ACL_FLOAT));
	EXPECT_EQ(self.load<float>(), (std::vector<float>{-1.5f, 2, -1.5f, -1.5f, 5, -1.5f}));
	refuse<aclnnInplaceMaskedFillScalarGetWorkspaceSize>("mask is UINT8 [3]; allowed is BOOL",
							     to, Tensor(mask, ACL_UINT8, {3}),
							     Scalar(0.0f, ACL_FLOAT));
	refuse<aclnnInplaceMaskedFillScalarGetWorkspaceSize>(
		"mask is BOOL [2]; it can't be broadcast to the shape [2, 3]", to,
		Tensor(mask, ACL_BOOL, {2}), Scalar(0.0f, ACL_FLOAT));
}

TEST_F(IndexOperators, EmbedRowsByAMatrixOfIndices)
{
	const DeviceBuffer weight = device_copy(std::vector<float>{0, 1, 10, 11, 20, 21}), out(32);
	const DeviceBuffer indices = device_copy(std::vector<int32_t>{2, 0, 1, 2});
	run<BOTH(Embedding)>(Tensor(weight, ACL_FLOAT, {3, 2}), Tensor(indices, ACL_INT32, {2, 2}),
			     Tensor(out, ACL_FLOAT, {2, 2, 2}));
	EXPECT_EQ(out.load<float>(), (std::vector<float>{20, 21, 0, 1, 10, 11, 20, 21}));
	refuse<aclnnEmbeddingGetWorkspaceSize>(
		"weight is FLOAT [6]; it must have 2 dims", Tensor(weight, ACL_FLOAT, {6}),
		Tensor(indices, ACL_INT32, {4}), Tensor(out, ACL_FLOAT, {4}));
}

} // namespace

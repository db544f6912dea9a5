// SPDX-License-Identifier: MIT
/*
 * DOC: Loads of models from files, and what is asked of them
 */
#include <cstring>

#include "acl/error_codes/ge_error_codes.h"
#include "offline/test_models.h"

namespace conformance {

namespace {

class OfflineLoads : public DeviceTest {};

TEST_F(OfflineLoads, ADescriptionTellsTheFace)
{
	aclmdlDesc *desc = aclmdlCreateDesc();
	ASSERT_NE(desc, nullptr);
	EXPECT_EQ(aclmdlGetNumInputs(desc), 0u);
	{
		const LoadedModel model("dense");
		EXPECT_OK(aclmdlGetDesc(desc, model.id()));
	}
	/* It outlives the model. */
	EXPECT_EQ(aclmdlGetNumInputs(desc), 1u);
	EXPECT_EQ(aclmdlGetNumOutputs(desc), 1u);
	EXPECT_EQ(aclmdlGetInputSizeByIndex(desc, 0), 32u);
	EXPECT_EQ(aclmdlGetOutputSizeByIndex(desc, 0), 32u);
	EXPECT_EQ(aclmdlGetOutputSizeByIndex(desc, 1), 0u);
	EXPECT_STREQ(aclmdlGetInputNameByIndex(desc, 0), "x");
	EXPECT_STREQ(aclmdlGetOutputNameByIndex(desc, 0), "cut:0:y");
	EXPECT_STREQ(aclmdlGetInputNameByIndex(desc, 7), "");
	EXPECT_EQ(aclmdlGetInputDataType(desc, 0), ACL_FLOAT);
	EXPECT_EQ(aclmdlGetOutputDataType(desc, 0), ACL_FLOAT);
	EXPECT_EQ(aclmdlGetOutputDataType(desc, 1), ACL_DT_UNDEFINED);
	EXPECT_EQ(aclmdlGetInputFormat(desc, 0), ACL_FORMAT_ND);
	EXPECT_EQ(aclmdlGetOutputFormat(desc, 0), ACL_FORMAT_ND);
	size_t index = 9;
	EXPECT_OK(aclmdlGetInputIndexByName(desc, "x", &index));
	EXPECT_EQ(index, 0u);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "the model has x",
		     aclmdlGetInputIndexByName(desc, ACL_DYNAMIC_TENSOR_NAME, &index));
	aclmdlIODims dims{};
	EXPECT_OK(aclmdlGetInputDims(desc, 0, &dims));
	EXPECT_STREQ(dims.name, "x");
	ASSERT_EQ(dims.dimCount, 2u);
	EXPECT_EQ(dims.dims[0], 2);
	EXPECT_EQ(dims.dims[1], 4);
	EXPECT_OK(aclmdlGetCurOutputDims(desc, 0, &dims));
	EXPECT_STREQ(dims.name, "cut:0:y");
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "index is 3", aclmdlGetOutputDims(desc, 3, &dims));
	aclmdlBatch batch;
	aclmdlHW hw;
	size_t gears = 9;
	EXPECT_OK(aclmdlGetDynamicBatch(desc, &batch));
	EXPECT_OK(aclmdlGetDynamicHW(desc, SIZE_MAX, &hw));
	EXPECT_OK(aclmdlGetInputDynamicGearCount(desc, SIZE_MAX, &gears));
	EXPECT_EQ(batch.batchCount + hw.hwCount + gears, 0u);
	EXPECT_OK(aclmdlDestroyDesc(desc));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "", aclmdlDestroyDesc(desc));
}

TEST_F(OfflineLoads, ADescriptionTellsWholeNames)
{
	const LoadedModel model("dense"), long_named("names");
	aclmdlDesc *desc = aclmdlCreateDesc();
	EXPECT_OK(aclmdlGetDesc(desc, model.id()));
	EXPECT_STREQ(aclmdlGetTensorRealName(desc, "x"), "x");
	EXPECT_STREQ(aclmdlGetTensorRealName(desc, "cut:0:y"), "cut:0:y");
	EXPECT_EQ(aclmdlGetTensorRealName(desc, "nothing"), nullptr);
	EXPECT_NE(take_message().find("nothing"), std::string::npos);
	EXPECT_EQ(aclmdlGetTensorRealName(desc, nullptr), nullptr);
	EXPECT_NE(take_message(), "");
	const char *attr = ACL_ATTR_NAME_DATA_DUMP_ORIGIN_OP_NAMES;
	EXPECT_STREQ(aclmdlGetOpAttr(desc, "cut", attr), "");
	EXPECT_EQ(aclmdlGetOpAttr(desc, nullptr, attr), nullptr);
	EXPECT_NE(take_message(), "");
	EXPECT_OK(aclmdlGetDesc(desc, long_named.id()));
	aclmdlIODims dims{};
	EXPECT_OK(aclmdlGetInputDims(desc, 0, &dims));
	EXPECT_EQ(std::string(dims.name), std::string(127, 'n'));
	EXPECT_EQ(std::string(aclmdlGetTensorRealName(desc, dims.name)), std::string(200, 'n'));
	EXPECT_OK(aclmdlDestroyDesc(desc));
}

TEST_F(OfflineLoads, NoInputPreprocessesImages)
{
	const LoadedModel model("dense");
	const uint32_t id = model.id();
	auto type = ACL_DYNAMIC_AIPP_NODE;
	size_t attached = 0;
	EXPECT_OK(aclmdlGetAippType(id, 0, &type, &attached));
	EXPECT_EQ(type, ACL_DATA_WITHOUT_AIPP);
	EXPECT_EQ(attached, ACL_INVALID_NODE_INDEX);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "index is 1",
		     aclmdlGetAippType(id, 1, &type, &attached));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "type", aclmdlGetAippType(id, 0, nullptr, &attached));
	EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, "no loaded model",
		     aclmdlGetAippType(id + 1000, 0, &type, &attached));
	const auto info = std::make_unique<aclAippInfo>();
	EXPECT_FAILS(ACL_ERROR_NOT_STATIC_AIPP, "no images",
		     aclmdlGetFirstAippInfo(id, 0, info.get()));
	EXPECT_FAILS(ACL_ERROR_GE_PARAM_INVALID, "takes no steps",
		     aclmdlSetInputAIPP(id, nullptr, 0, nullptr));
	EXPECT_FAILS(ACL_ERROR_GE_PARAM_INVALID, "no images",
		     aclmdlSetAIPPByInputIndex(id, nullptr, 0, nullptr));
}

TEST_F(OfflineLoads, OtherLoadsAreRefused)
{
	uint32_t id = 77;
	const std::string path = model_path("dense");
	EXPECT_FAILS(ACL_ERROR_FEATURE_UNSUPPORTED, "aclmdlLoadFromFile",
		     aclmdlLoadFromFileWithQ(path.c_str(), &id, &id, 1, &id, 1));
	EXPECT_FAILS(ACL_ERROR_FEATURE_UNSUPPORTED, "bundles",
		     aclmdlBundleLoadFromFile(path.c_str(), &id));
	EXPECT_FAILS(ACL_ERROR_INVALID_BUNDLE_MODEL_ID, "bundles", aclmdlBundleUnload(1));
	aclmdlConfigHandle *config = aclmdlCreateConfigHandle();
	const size_t from_queue = ACL_MDL_LOAD_FROM_FILE_WITH_Q;
	EXPECT_FAILS(ACL_ERROR_FEATURE_UNSUPPORTED, "attr is 9",
		     aclmdlSetConfigOpt(config, ACL_MDL_INPUTQ_NUM_SIZET, &from_queue, 8));
	EXPECT_OK(aclmdlSetConfigOpt(config, ACL_MDL_LOAD_TYPE_SIZET, &from_queue, 8));
	EXPECT_FAILS(ACL_ERROR_FEATURE_UNSUPPORTED, "queue", aclmdlLoadWithConfig(config, &id));
	EXPECT_OK(aclmdlDestroyConfigHandle(config));
	EXPECT_EQ(id, 77u);
}

TEST_F(OfflineLoads, ADescriptionNeedsNoLoad)
{
	aclmdlDesc *desc = aclmdlCreateDesc();
	EXPECT_OK(aclmdlGetDescFromFile(desc, model_path("look").c_str()));
	EXPECT_EQ(aclmdlGetInputDataType(desc, 0), ACL_INT64);
	const std::string bytes = read_file(model_path("pair"));
	EXPECT_OK(aclmdlGetDescFromMem(desc, bytes.data(), bytes.size()));
	EXPECT_EQ(aclmdlGetNumOutputs(desc), 2u);
	EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, "no loaded model",
		     aclmdlGetDesc(desc, 123456));
	EXPECT_OK(aclmdlDestroyDesc(desc));
}

/* A run of "dense" that is right. */
void expect_runs(uint32_t id)
{
	const std::vector<float> x = {1, 1, 1, 1, 2, 2, 2, 2};
	const DeviceBuffer from(32), to(32);
	from.store(x);
	const Dataset in({&from}), out({&to});
	EXPECT_OK(aclmdlExecute(id, in, out));
	EXPECT_EQ(to.load<float>(), (std::vector<float>{0, 1, 2, 3, 1, 3, 5, 7}));
}

TEST_F(OfflineLoads, AllWaysToLoadGiveTheSame)
{
	const std::string path = model_path("dense");
	std::string bytes = read_file(path);
	size_t work = 0, weight = 0, work2 = 0, weight2 = 0;
	EXPECT_OK(aclmdlQuerySize(path.c_str(), &work, &weight));
	EXPECT_OK(aclmdlQuerySizeFromMem(bytes.data(), bytes.size(), &work2, &weight2));
	EXPECT_EQ(work, work2);
	EXPECT_EQ(weight, weight2);
	const DeviceBuffer for_work(work), for_weights(weight);
	uint32_t ids[6] = {};
	EXPECT_OK(aclmdlLoadFromFile(path.c_str(), &ids[0]));
	EXPECT_OK(aclmdlLoadFromMem(bytes.data(), bytes.size(), &ids[1]));
	EXPECT_OK(aclmdlLoadFromFileWithMem(path.c_str(), &ids[2], for_work.data(), work,
					    for_weights.data(), weight));
	EXPECT_OK(aclmdlLoadFromMemWithMem(bytes.data(), bytes.size(), &ids[3], nullptr, 0,
					   for_weights.data(), weight));
	aclmdlConfigHandle *config = aclmdlCreateConfigHandle();
	const size_t from_file = ACL_MDL_LOAD_FROM_FILE, from_memory = ACL_MDL_LOAD_FROM_MEM;
	const char *name = path.c_str();
	const void *memory = bytes.data();
	const size_t size = bytes.size();
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "LOAD_TYPE", aclmdlLoadWithConfig(config, &ids[4]));
	EXPECT_OK(aclmdlSetConfigOpt(config, ACL_MDL_LOAD_TYPE_SIZET, &from_file, 8));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "PATH", aclmdlLoadWithConfig(config, &ids[4]));
	EXPECT_OK(aclmdlSetConfigOpt(config, ACL_MDL_PATH_PTR, &name, 8));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "valueSize is 8",
		     aclmdlSetConfigOpt(config, ACL_MDL_PRIORITY_INT32, &from_file, 8));
	EXPECT_OK(aclmdlLoadWithConfig(config, &ids[4]));
	EXPECT_OK(aclmdlSetConfigOpt(config, ACL_MDL_LOAD_TYPE_SIZET, &from_memory, 8));
	EXPECT_OK(aclmdlSetConfigOpt(config, ACL_MDL_MEM_ADDR_PTR, &memory, 8));
	EXPECT_OK(aclmdlSetConfigOpt(config, ACL_MDL_MEM_SIZET, &size, 8));
	EXPECT_OK(aclmdlLoadWithConfig(config, &ids[5]));
	EXPECT_OK(aclmdlDestroyConfigHandle(config));
	bytes.assign(bytes.size(), 'x'); /* The program may drop it. */
	for (const uint32_t id : ids)
		expect_runs(id);
	/* Weights that models share stay for the others. */
	EXPECT_OK(aclmdlUnload(ids[0]));
	EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, "no loaded model", aclmdlUnload(ids[0]));
	for (size_t i = 1; i < 6; i++)
		expect_runs(ids[i]);
	for (size_t i = 1; i < 6; i++)
		EXPECT_OK(aclmdlUnload(ids[i]));
}

TEST_F(OfflineLoads, MemoryOfTheProgramHasToFit)
{
	const std::string path = model_path("dense");
	size_t work = 0, weight = 0;
	EXPECT_OK(aclmdlQuerySize(path.c_str(), &work, &weight));
	const DeviceBuffer memory(weight);
	std::vector<char> host(weight);
	uint32_t id = 77;
	EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID, "weightPtr has 1 bytes",
		     aclmdlLoadFromFileWithMem(path.c_str(), &id, nullptr, 0, memory.data(), 1));
	EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID, "weightPtr",
		     aclmdlLoadFromFileWithMem(path.c_str(), &id, nullptr, 0, host.data(), weight));
	EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID, "workPtr",
		     aclmdlLoadFromFileWithMem(path.c_str(), &id, host.data(), work, nullptr, 0));
	/* Sizes that go beyond the allocation. */
	const size_t beyond = weight + (1 << 20), most = SIZE_MAX;
	EXPECT_FAILS(
		ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID, "weightPtr: the",
		aclmdlLoadFromFileWithMem(path.c_str(), &id, nullptr, 0, memory.data(), beyond));
	EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID, "workPtr: the",
		     aclmdlLoadFromFileWithMem(path.c_str(), &id, memory.data(), most, nullptr, 0));
	aclmdlConfigHandle *config = aclmdlCreateConfigHandle();
	const size_t type = ACL_MDL_LOAD_FROM_FILE_WITH_MEM;
	const char *name = path.c_str();
	void *address = memory.data();
	EXPECT_OK(aclmdlSetConfigOpt(config, ACL_MDL_LOAD_TYPE_SIZET, &type, 8));
	EXPECT_OK(aclmdlSetConfigOpt(config, ACL_MDL_PATH_PTR, &name, 8));
	EXPECT_OK(aclmdlSetConfigOpt(config, ACL_MDL_WORKSPACE_ADDR_PTR, &address, 8));
	EXPECT_OK(aclmdlSetConfigOpt(config, ACL_MDL_WORKSPACE_SIZET, &beyond, 8));
	EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID, "workPtr: the",
		     aclmdlLoadWithConfig(config, &id));
	EXPECT_OK(aclmdlDestroyConfigHandle(config));
	EXPECT_EQ(id, 77u);
}

TEST_F(OfflineLoads, WhatIsNoModelIsRefused)
{
	const std::string good = read_file(model_path("dense"));
	uint32_t id = 0;
	EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID, "can't be opened",
		     aclmdlLoadFromFile("/no/such/file.om", &id));
	EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID, "not a regular file",
		     aclmdlLoadFromFile("/", &id));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "NULL", aclmdlLoadFromFile(nullptr, &id));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "modelId",
		     aclmdlLoadFromFile(model_path("dense").c_str(), nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "NULL", aclmdlLoadFromMem(nullptr, 10, &id));
	EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID, "modelSize is 0",
		     aclmdlLoadFromMem(good.data(), 0, &id));
	EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID, "bytes",
		     aclmdlLoadFromMem(good.data(), 20, &id));
	EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID, "in place of",
		     aclmdlLoadFromMem(good.data(), good.size() - 1, &id));
	std::string other = good;
	other.replace(0, 4, "IMOD");
	EXPECT_FAILS(ACL_ERROR_PARSE_MODEL, "unpu's atc",
		     aclmdlLoadFromMem(other.data(), other.size(), &id));
	other.replace(0, 4, "abcd");
	EXPECT_FAILS(ACL_ERROR_PARSE_MODEL, "no model of unpu",
		     aclmdlLoadFromMem(other.data(), other.size(), &id));
	other = good;
	other.back() ^= 1;
	EXPECT_FAILS(ACL_ERROR_DESERIALIZE_MODEL, "checksum",
		     aclmdlLoadFromMem(other.data(), other.size(), &id));
	size_t work = 0, weight = 0;
	EXPECT_FAILS(ACL_ERROR_PARSE_MODEL, "unpu's atc",
		     aclmdlQuerySizeFromMem("IMOD, and so on", 15, &work, &weight));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "workSize",
		     aclmdlQuerySize(model_path("dense").c_str(), nullptr, &weight));
	EXPECT_EQ(id, 0u);
}

/* CRC-32C of bytes behind those with the CRC @before. */
uint32_t checksum(std::string_view bytes, uint32_t before = 0)
{
	uint32_t sum = ~before;
	for (const char byte : bytes) {
		sum ^= static_cast<unsigned char>(byte);
		for (int bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (sum & 1 ? 0x82f63b78u : 0);
	}
	return ~sum;
}

/* Changes a text of a file, and its checksums, so that the reader takes it. */
std::string with_other(std::string file, std::string_view old, std::string_view text)
{
	constexpr size_t HEAD = 64, ROW = 32, COUNT_AT = 24, SUM_AT = 28;
	uint32_t count = 0;
	std::memcpy(&count, file.data() + COUNT_AT, sizeof(count));
	for (size_t at = file.find(old); at != std::string::npos;
	     at = file.find(old, at + text.size()))
		file.replace(at, old.size(), text);
	for (size_t row = HEAD; row < HEAD + count * ROW; row += ROW) {
		uint64_t place[2];
		std::memcpy(place, file.data() + row + 8, sizeof(place));
		const uint32_t sum = checksum(std::string_view(file).substr(place[0], place[1]));
		std::memcpy(file.data() + row + 24, &sum, sizeof(sum));
	}
	std::memset(file.data() + SUM_AT, 0, sizeof(uint32_t));
	const uint32_t sum = checksum(std::string_view(file).substr(0, HEAD + count * ROW));
	std::memcpy(file.data() + SUM_AT, &sum, sizeof(sum));
	return file;
}

TEST_F(OfflineLoads, AGraphThatCannotRunIsABrokenFile)
{
	uint32_t id = 0;
	for (const char *name : {"dense", "batch"}) {
		const std::string good = read_file(model_path(name));
		const std::string same = with_other(good, "Relu", "Relu");
		EXPECT_OK(aclmdlLoadFromMem(same.data(), same.size(), &id));
		EXPECT_OK(aclmdlUnload(id));
		const std::string bad = with_other(good, "Relu", "Rxlu");
		EXPECT_FAILS(ACL_ERROR_DESERIALIZE_MODEL, "Rxlu",
			     aclmdlLoadFromMem(bad.data(), bad.size(), &id));
		/* U+202E turns the letters behind it. */
		const std::string turned = with_other(good, "Relu", "\u202e!");
		EXPECT_FAILS(ACL_ERROR_DESERIALIZE_MODEL, "   ! cut",
			     aclmdlLoadFromMem(turned.data(), turned.size(), &id));
	}
}

/* Each byte in turn: refused or loaded, and never a crash. */
TEST_F(OfflineLoads, BrokenFilesNeverCrash)
{
	const std::string good = read_file(model_path("pair"));
	for (size_t at = 0; at < good.size(); at += at < 512 ? 7 : 211) {
		std::string broken = good;
		broken[at] ^= 0x41;
		uint32_t id = 0;
		if (aclmdlLoadFromMem(broken.data(), broken.size(), &id) == ACL_SUCCESS)
			EXPECT_OK(aclmdlUnload(id));
	}
}

TEST_F(OfflineLoads, AResetDropsModels)
{
	uint32_t id = 0;
	EXPECT_OK(aclmdlLoadFromFile(model_path("dense").c_str(), &id));
	expect_runs(id);
	EXPECT_OK(aclrtResetDevice(0));
	EXPECT_OK(aclrtSetDevice(0));
	EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, "no loaded model", aclmdlUnload(id));
	uint32_t next = 0;
	EXPECT_OK(aclmdlLoadFromFile(model_path("dense").c_str(), &next));
	EXPECT_NE(next, id);
	expect_runs(next);
	EXPECT_OK(aclmdlUnload(next));
}

} // namespace

} // namespace conformance

// SPDX-License-Identifier: MIT
/*
 * DOC: dumps of operators - the files of what they are given and what they make of it
 */
#include <regex>

#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_muls.h"
#include "profile/dump.h"

using namespace conformance;

using Dumps = DeviceTest;

TEST_F(Dumps, InputsAndOutputsOfAnOperatorAreFilesWithItsName)
{
	DumpService service(R"(, "dump_mode": "all")");
	const FloatTensor self({1, 2, 3, 4}), other({10, 20, 30, 40}), out({0, 0, 0, 0});
	const Scalar alpha(2.0f, ACL_FLOAT);
	const Stream stream;
	uint32_t task = 0;
	int32_t stream_id = -1;

	EXPECT_OK(aclrtStreamGetId(stream, &stream_id));
	add(self.tensor, other.tensor, alpha, out.tensor, stream);
	EXPECT_OK(aclrtGetThreadLastTaskId(&task));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(out.buffer.load<float>(), (Floats{21, 42, 63, 84}));
	const Files files = service.files();
	const std::regex form("[0-9]{14}/0/Add\\.aclnnAdd\\." + std::to_string(task) + "\\." +
			      std::to_string(stream_id) +
			      "\\.[0-9]{16}\\.(input\\.[01]\\.npy|output\\.0\\.npy|json)");

	EXPECT_EQ(files.size(), 4u);
	for (const auto &[name, text] : files)
		EXPECT_TRUE(std::regex_match(name, form)) << name;
	EXPECT_EQ(parse_npy(only_file(files, ".input.0.npy")).as<float>(), (Floats{1, 2, 3, 4}));
	EXPECT_EQ(parse_npy(only_file(files, ".input.1.npy")).as<float>(),
		  (Floats{10, 20, 30, 40}));
	const Npy output = parse_npy(only_file(files, ".output.0.npy"));

	EXPECT_EQ(output.type, "<f4");
	EXPECT_EQ(output.shape, "4, ");
	EXPECT_EQ(output.as<float>(), (Floats{21, 42, 63, 84}));
	const auto told = nlohmann::json::parse(only_file(files, ".json"));

	EXPECT_EQ(told["op_type"], "Add");
	EXPECT_EQ(told["attributes"]["alpha"], 2.0);
	EXPECT_EQ(told["task"], task);
	EXPECT_EQ(told["tensors"].size(), 3u);
}

TEST_F(Dumps, TheModeChoosesBetweenInputsAndOutputs)
{
	DumpService service("");
	const FloatTensor self({1, 2}), other({3, 4});
	const Stream stream;

	multiply(self.tensor, other.tensor, self.tensor, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(count_files(service.files(), "Mul.aclnnMul"), 2u);
	EXPECT_EQ(count_files(service.files(), ".output.0.npy"), 1u);
	service.set(R"(, "dump_mode": "input")");
	multiply(self.tensor, other.tensor, self.tensor, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(count_files(service.files(), ".output."), 1u);
	EXPECT_EQ(count_files(service.files(), ".input."), 2u);
}

TEST_F(Dumps, DataIsThatOfTheOperatorsPlaceInTheStream)
{
	DumpService service(R"(, "dump_mode": "all")");
	const FloatTensor self({0, 0}), other({5, 7});
	const Stream stream;
	Gate gate;

	gate.block(stream);
	self.buffer.fill_async(0, stream);
	add_in_place(self.tensor, other.tensor, stream);
	self.buffer.fill_async(0xff, stream);
	other.buffer.fill_async(0xff, stream);
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	const Files files = service.files();

	EXPECT_EQ(parse_npy(only_file(files, ".input.0.npy")).as<float>(), (Floats{0, 0}));
	EXPECT_EQ(parse_npy(only_file(files, ".input.1.npy")).as<float>(), (Floats{5, 7}));
	EXPECT_EQ(parse_npy(only_file(files, ".output.0.npy")).as<float>(), (Floats{5, 7}));
}

TEST_F(Dumps, ViewsAreWrittenElementByElementWithTheirStrides)
{
	DumpService service(R"(, "dump_mode": "all")");
	const DeviceBuffer memory = device_copy<int64_t>({0, 1, 2, 3, 4, 5, 6, 7});
	const DeviceBuffer row = device_copy<int8_t>({10, 20});
	const DeviceBuffer result(6 * sizeof(int64_t));
	/* Columns of a matrix, without its first two elements. */
	const Tensor self(memory, ACL_INT64, {3, 2}, {1, 3}, 2);
	const Tensor other(row, ACL_INT8, {1, 2});
	const Tensor out(result, ACL_INT64, {3, 2});
	const Stream stream;

	multiply(self, other, out, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	const Files files = service.files();
	const Npy first = parse_npy(only_file(files, ".input.0.npy"));
	const Npy second = parse_npy(only_file(files, ".input.1.npy"));
	const auto told = nlohmann::json::parse(only_file(files, ".json"));

	EXPECT_EQ(first.type, "<i8");
	EXPECT_EQ(first.shape, "3, 2");
	EXPECT_EQ(first.as<int64_t>(), (std::vector<int64_t>{2, 5, 3, 6, 4, 7}));
	EXPECT_EQ(second.type, "|i1");
	EXPECT_EQ(second.shape, "1, 2");
	EXPECT_EQ(second.as<int8_t>(), (std::vector<int8_t>{10, 20}));
	EXPECT_EQ(parse_npy(only_file(files, ".output.0.npy")).as<int64_t>(),
		  (std::vector<int64_t>{20, 100, 30, 120, 40, 140}));
	EXPECT_EQ(told["tensors"][0]["strides"], (std::vector<int64_t>{1, 3}));
	EXPECT_EQ(told["tensors"][0]["offset"], 2);
	EXPECT_EQ(told["tensors"][0]["storage_shape"], (std::vector<int64_t>{8}));
	EXPECT_EQ(told["tensors"][0]["dtype"], "I64");
}

TEST_F(Dumps, OperatorsCanBeChosenByName)
{
	DumpService service(R"(, "dump_list": [{"layer": ["Mul", "aclnnInplaceAdd"]}])");
	const FloatTensor self({1, 2}), other({3, 4});
	const Scalar alpha(1.0f, ACL_FLOAT);
	const Stream stream;

	add(self.tensor, other.tensor, alpha, self.tensor, stream);
	add_in_place(self.tensor, other.tensor, stream);
	multiply(self.tensor, other.tensor, self.tensor, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(count_files(service.files(), ".npy"), 2u);
	EXPECT_EQ(count_files(service.files(), "Mul.aclnnMul."), 2u);
	EXPECT_EQ(count_files(service.files(), "InplaceAdd.aclnnInplaceAdd."), 2u);
}

TEST_F(Dumps, StatisticsAreATable)
{
	DumpService service(R"(, "dump_mode": "all", "dump_data": "stats")");
	const FloatTensor self({1, -3, 2, INFINITY}), other({1, 1, 1, 1}), out({0, 0, 0, 0});
	const Stream stream;

	multiply(self.tensor, other.tensor, out.tensor, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	const Files files = service.files();
	const std::string table = only_file(files, ".csv");

	EXPECT_EQ(files.size(), 1u);
	EXPECT_NE(table.find("Max,Min,Avg"), std::string::npos) << table;
	EXPECT_NE(table.find("\ninput,0,16,0,2,4,4,2,-3,0,3.74165739,0,0,1\n"), std::string::npos)
		<< table;
	EXPECT_NE(table.find("\noutput,0,16,0,2,4,4,2,-3,0,"), std::string::npos) << table;
}

TEST_F(Dumps, OnlyExecutorsMadeWhileTheyAreOnAreDumped)
{
	const FloatTensor self({1, 2}), other({3, 4});
	const Stream stream;
	uint64_t workspace_bytes = 0;
	aclOpExecutor *early = nullptr, *again = nullptr;

	ASSERT_OK(aclnnMulGetWorkspaceSize(self.tensor, other.tensor, self.tensor, &workspace_bytes,
					   &early));
	{
		DumpService service("");

		EXPECT_OK(aclnnMul(nullptr, 0, early, stream));
		ASSERT_OK(aclnnMulGetWorkspaceSize(self.tensor, other.tensor, self.tensor,
						   &workspace_bytes, &again));
		EXPECT_OK(aclSetAclOpExecutorRepeatable(again));
		EXPECT_OK(aclnnMul(nullptr, 0, again, stream));
		EXPECT_OK(aclnnMul(nullptr, 0, again, stream));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_EQ(count_files(service.files(), ".output.0.npy"), 2u);
		EXPECT_OK(service.finish());
		EXPECT_OK(aclnnMul(nullptr, 0, again, stream));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_EQ(count_files(service.files(), ".output.0.npy"), 2u);
	}
	EXPECT_OK(aclDestroyAclOpExecutor(again));
}

TEST_F(Dumps, OperatorsOfACaptureAreNot)
{
	DumpService service(R"(, "dump_mode": "all")");
	const FloatTensor self({1, 2}), other({3, 4});
	const Stream stream;
	aclmdlRI model = nullptr;

	ASSERT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
	multiply(self.tensor, other.tensor, self.tensor, stream);
	ASSERT_OK(aclmdlRICaptureEnd(stream, &model));
	EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_OK(aclmdlRIDestroy(model));
	EXPECT_EQ(self.buffer.load<float>(), (Floats{3, 8}));
	EXPECT_TRUE(service.files().empty());
}

TEST_F(Dumps, AnAbortedStreamCanBeUsedAgain)
{
	DumpService service(R"(, "dump_mode": "all")");
	const FloatTensor self({1, 2}), other({3, 4});
	const Stream stream;
	Gate gate;

	gate.block(stream);
	for (int i = 0; i < 20; ++i)
		multiply(self.tensor, other.tensor, self.tensor, stream);
	EXPECT_OK(aclrtStreamAbort(stream));
	gate.open();
	(void)aclrtSynchronizeStream(stream);
	EXPECT_TRUE(service.files().empty());
	multiply(self.tensor, other.tensor, self.tensor, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(count_files(service.files(), ".npy"), 3u);
}

TEST_F(Dumps, TheFirstOperatorThatOverflowsIsWritten)
{
	DumpService service(R"(, "dump_op_switch": "off", "dump_debug": "on")");
	const FloatTensor self({1, 2}), most({3e38f, 1}), out({0, 0});
	const Stream stream;

	EXPECT_OK(aclrtSetStreamOverflowSwitch(stream, 1));
	multiply(self.tensor, self.tensor, out.tensor, stream);
	multiply(most.tensor, most.tensor, out.tensor, stream);
	multiply(self.tensor, self.tensor, out.tensor, stream);
	EXPECT_FAILS(ACL_ERROR_RT_AIVEC_OVER_FLOW, "", aclrtSynchronizeStream(stream));
	const Files files = service.files();

	EXPECT_EQ(files.size(), 4u);
	EXPECT_EQ(parse_npy(only_file(files, ".input.0.npy")).as<float>(), (Floats{3e38f, 1}));
	EXPECT_EQ(acldumpGetPath(OVERFLOW_DUMP), service.path());
	EXPECT_EQ(acldumpGetPath(DATA_DUMP), nullptr);
	EXPECT_OK(aclrtResetOverflowStatus(stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(Dumps, OperandsOfAnOperatorThatFailsAreWritten)
{
	DumpService service(R"(, "dump_scene": "lite_exception")");
	const FloatTensor self({1, 2});
	const int64_t two = 2, one = 1;
	aclTensor *nowhere = aclCreateTensor(&two, 1, ACL_FLOAT, &one, 0, ACL_FORMAT_ND, &two, 1,
					     reinterpret_cast<void *>(64));
	const Stream stream;
	uint32_t task = 0;
	int32_t stream_id = -1;

	EXPECT_OK(aclrtStreamGetId(stream, &stream_id));
	multiply(self.tensor, self.tensor, self.tensor, stream);
	multiply(self.tensor, nowhere, self.tensor, stream);
	EXPECT_OK(aclrtGetThreadLastTaskId(&task));
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "", aclrtSynchronizeStream(stream));
	EXPECT_EQ(aclDestroyTensor(nowhere), 0);
	const Files files = service.files();
	const std::regex form("extra-info/data-dump/0/exception_info\\." +
			      std::to_string(stream_id) + "\\." + std::to_string(task) +
			      "\\.[0-9]{17}\\.(input\\.0\\.npy|output\\.0\\.npy|json)");
	const char *path = acldumpGetPath(AIC_ERR_BRIEF_DUMP);
	char copy[ACL_DUMP_MAX_FILE_PATH_LENGTH];

	/* The operand that is no memory is in none of them. */
	EXPECT_EQ(files.size(), 3u);
	for (const auto &[name, text] : files)
		EXPECT_TRUE(std::regex_match(name, form)) << name;
	EXPECT_EQ(parse_npy(only_file(files, ".input.0.npy")).as<float>(), (Floats{1, 4}));
	EXPECT_NE(only_file(files, ".json").find("note"), std::string::npos);
	ASSERT_NE(path, nullptr);
	EXPECT_EQ(path, service.path() + "/extra-info/data-dump");
	EXPECT_OK(acldumpGetExceptionInfoPath(copy, sizeof(copy)));
	EXPECT_STREQ(copy, path);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "maxLen",
		     acldumpGetExceptionInfoPath(copy, std::strlen(path)));
	EXPECT_EQ(acldumpGetPath(DATA_DUMP), nullptr);
}

acldumpTensorInfo tensor_info(acldumpTensorType type, const void *data, size_t bytes,
			      std::initializer_list<uint64_t> shape)
{
	acldumpTensorInfo info = {};

	info.type = type;
	info.tensorSize = bytes;
	info.format = ACL_FORMAT_ND;
	info.dataType = ACL_FLOAT;
	info.tensorAddr = static_cast<int64_t *>(const_cast<void *>(data));
	info.addrType = ACL_DUMP_ADDR_PTR;
	info.placement = ACL_DUMP_PLACEMENT_DEVICE;
	info.shapeNum = static_cast<uint32_t>(shape.size());
	std::copy(shape.begin(), shape.end(), info.shape);
	return info;
}

TEST_F(Dumps, TensorsOfTheProgramAreSavedBesideThoseOfFaults)
{
	DumpService service(R"(, "dump_scene": "lite_exception")");
	const DeviceBuffer device(16), word(8);
	const Floats host = {5, 6};
	device.store<float>({1, 2, 3, 4});
	word.store<uint64_t>({reinterpret_cast<uintptr_t>(device.data())});
	acldumpTensorInfo tensors[] = {
		tensor_info(ACL_DUMP_TENSOR_INPUT, device.data(), 16, {2, 2}),
		tensor_info(ACL_DUMP_TENSOR_INPUT, host.data(), 8, {2}),
		tensor_info(ACL_DUMP_TENSOR_OUTPUT, word.data(), 8, {1, 2}),
		tensor_info(ACL_DUMP_TENSOR_WORKSPACE, device.data(), 16, {3})};
	tensors[1].placement = ACL_DUMP_PLACEMENT_HOST;
	tensors[2].addrType = ACL_DUMP_ADDR_PTR_PTR;

	EXPECT_OK(acldumpSaveExceptionInfo("mine", "why it failed", tensors, 4));
	const Files files = service.files();
	const std::string folder = "extra-info/data-dump/0/mine";
	ASSERT_EQ(files.size(), 5u);
	EXPECT_EQ(parse_npy(files.at(folder + ".input.0.npy")).as<float>(), (Floats{1, 2, 3, 4}));
	EXPECT_EQ(parse_npy(files.at(folder + ".input.1.npy")).as<float>(), (Floats{5, 6}));
	EXPECT_EQ(parse_npy(files.at(folder + ".output.0.npy")).as<float>(), (Floats{1, 2}));
	/* Its shape does not fit its size. */
	EXPECT_EQ(parse_npy(files.at(folder + ".workspace.0.npy")).as<uint8_t>().size(), 16u);
	const auto json = nlohmann::json::parse(files.at(folder + ".json"));
	EXPECT_EQ(json["user_tag"], "why it failed");
	EXPECT_EQ(json["tensors"].size(), 4u);
	EXPECT_EQ(json["tensors"][0]["shape"], (std::vector<int>{2, 2}));
}

TEST_F(Dumps, TensorsThatCantBeSavedWriteNothing)
{
	const DeviceBuffer buffer(16);
	acldumpTensorInfo tensors[] = {tensor_info(ACL_DUMP_TENSOR_INPUT, buffer.data(), 16, {4}),
				       tensor_info(ACL_DUMP_TENSOR_INPUT, buffer.data(), 16, {4})};
	auto save = [&](const char *name = "mine", size_t count = 2) {
		return acldumpSaveExceptionInfo(name, nullptr, tensors, count);
	};
	auto refuses = [&](const char *why) {
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, why, save());
		tensors[1] = tensors[0];
	};

	EXPECT_FAILS(ACL_ERROR_DUMP_NOT_RUN, "dump_scene", save());
	DumpService service(R"(, "dump_scene": "lite_exception")");
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "fileName", save(nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "without '/'", save("../mine"));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "without '/'", save(""));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "tensorCount", save("mine", 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "tensors",
		     acldumpSaveExceptionInfo("mine", nullptr, nullptr, 1));
	tensors[1].type = static_cast<acldumpTensorType>(7);
	refuses("tensors[1].type is 7");
	tensors[1].placement = ACL_DUMP_PLACEMENT_END;
	refuses("tensors[1].placement is 2");
	tensors[1].shapeNum = ACL_DUMP_MAX_SHAPE_NUM + 1;
	refuses("tensors[1].shapeNum is 26");
	tensors[1].tensorAddr = nullptr;
	refuses("tensors[1].tensorAddr is NULL");
	int64_t own = 0;
	tensors[1].tensorAddr = &own;
	tensors[1].tensorSize = sizeof(own);
	refuses("not memory of a device");
	EXPECT_TRUE(service.files().empty());
}

TEST_F(Dumps, OfTensorOperatorsHaveTheirListsAndAttributes)
{
	DumpService service(R"(, "dump_mode": "all")");
	const FloatTensor a({1, 2}), b({3}), out({0, 0, 0});
	const TensorList list(
		{new_tensor(a.buffer, ACL_FLOAT, {2}), new_tensor(b.buffer, ACL_FLOAT, {1})});
	const Stream stream;
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;

	ASSERT_OK(aclnnCatGetWorkspaceSize(list, 0, out.tensor, &bytes, &executor));
	EXPECT_OK(aclnnCat(nullptr, 0, executor, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	const Files files = service.files();

	EXPECT_EQ(files.size(), 4u);
	EXPECT_EQ(parse_npy(only_file(files, ".input.0.npy")).as<float>(), (Floats{1, 2}));
	EXPECT_EQ(parse_npy(only_file(files, ".input.1.npy")).as<float>(), (Floats{3}));
	EXPECT_EQ(parse_npy(only_file(files, ".output.0.npy")).as<float>(), (Floats{1, 2, 3}));
	const auto told = nlohmann::json::parse(only_file(files, ".json"));

	EXPECT_EQ(told["op_type"], "Cat");
	EXPECT_EQ(told["attributes"]["dim"], 0.0);
}

/* A dump shows the memory that the executor has at the launch. */
TEST_F(Dumps, OfRepeatableExecutorsFollowTheirAddresses)
{
	DumpService service(R"(, "dump_mode": "all")");
	const DeviceBuffer first = device_copy(std::vector<double>{1, 2});
	const DeviceBuffer second = device_copy(std::vector<double>{30, 40}), out(16);
	const Tensor self(first, ACL_DOUBLE, {2}), result(out, ACL_DOUBLE, {2});
	const Stream stream;
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;

	ASSERT_OK(aclnnMulsGetWorkspaceSize(self, Scalar(2.0f, ACL_FLOAT), result, &bytes,
					    &executor));
	ASSERT_OK(aclSetAclOpExecutorRepeatable(executor));
	EXPECT_OK(aclSetInputTensorAddr(executor, 0, self, second.data()));
	EXPECT_OK(aclnnMuls(nullptr, 0, executor, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_OK(aclDestroyAclOpExecutor(executor));
	const Files files = service.files();
	const Npy input = parse_npy(only_file(files, ".input.0.npy"));

	EXPECT_EQ(input.type, "<f8");
	EXPECT_EQ(input.as<double>(), (std::vector<double>{30, 40}));
	EXPECT_EQ(parse_npy(only_file(files, ".output.0.npy")).as<double>(),
		  (std::vector<double>{60, 80}));
}

// SPDX-License-Identifier: MIT
/*
 * DOC: Dumps of the nodes of models
 */
#include <algorithm>
#include <cstring>

#include "acl/error_codes/ge_error_codes.h"
#include "offline/test_models.h"
#include "profile/dump.h"

namespace conformance {

namespace {

class OfflineDumps : public DeviceTest {};

/* The elements of the one file whose name has these parts. */
Floats dumped(const Files &files, const std::string &node, const std::string &end)
{
	std::vector<std::string> found;
	for (const auto &[name, text] : files)
		if (name.find(node) != std::string::npos && name.ends_with(end))
			found.push_back(text);
	EXPECT_EQ(found.size(), 1u) << node << " " << end;
	Floats values(8);
	if (found.size() == 1 && found[0].size() > 32)
		std::memcpy(values.data(), found[0].data() + found[0].size() - 32, 32);
	return values;
}

void run(uint32_t id, const DeviceBuffer &x, const DeviceBuffer &y, aclrtStream stream)
{
	const Dataset in({&x}), out({&y});
	if (stream)
		EXPECT_OK(aclmdlExecuteAsync(id, in, out, stream));
	else
		EXPECT_OK(aclmdlExecute(id, in, out));
}

TEST_F(OfflineDumps, NodesHaveTheNamesOfTheFile)
{
	const LoadedModel model("dense"), other("pair");
	const DeviceBuffer x(32), y(32);
	const Floats values = {1, -2, 3, -4, 5, -6, 7, -8};
	x.store(values);
	run(model.id(), x, y, nullptr);
	DumpService service(R"(, "dump_op_switch": "off", "dump_mode": "all",
		"dump_list": [{"model_name": "dense"}])");
	run(model.id(), x, y, nullptr);
	const std::string place = "/dense/" + std::to_string(model.id()) + "/0/";
	const Files files = service.files();
	EXPECT_EQ(dumped(files, place + "Mul.scale.", ".input.0.npy"), values);
	EXPECT_EQ(dumped(files, place + "Mul.scale.", ".output.0.npy"),
		  (Floats{1, -4, 9, -16, 5, -12, 21, -32}));
	EXPECT_EQ(dumped(files, place + "Relu.cut.", ".output.0.npy"), y.load<float>());
	EXPECT_EQ(y.load<float>(), (Floats{0, 0, 8, 0, 4, 0, 20, 0}));
	EXPECT_EQ(count_files(files, ".json"), 3u);
	/* What the list does not name. */
	const DeviceBuffer z(32);
	const Dataset in({&x}), out({&y, &z});
	EXPECT_OK(aclmdlExecute(other.id(), in, out));
	EXPECT_EQ(service.files().size(), files.size());
	EXPECT_OK(service.finish());
	run(model.id(), x, y, nullptr);
	EXPECT_EQ(service.files().size(), files.size());
	EXPECT_EQ(y.load<float>(), (Floats{0, 0, 8, 0, 4, 0, 20, 0}));
}

TEST_F(OfflineDumps, AListChoosesLayers)
{
	const LoadedModel model("dense");
	const Stream stream;
	const DeviceBuffer x(32), y(32);
	x.store(Floats(8, 2));
	const DumpService service(R"(, "dump_op_switch": "off",
		"dump_list": [{"model_name": "dense", "layer": ["shift"]}])");
	run(model.id(), x, y, stream);
	run(model.id(), x, y, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	const Files files = service.files();
	EXPECT_EQ(count_files(files, "/0/Add.shift."), 2u);
	EXPECT_EQ(count_files(files, "/1/Add.shift."), 2u);
	EXPECT_EQ(files.size(), 4u);
	EXPECT_EQ(dumped(files, "/1/Add.shift.", ".output.0.npy"),
		  (Floats{1, 3, 5, 7, 1, 3, 5, 7}));
}

TEST_F(OfflineDumps, AFailedNodeIsDumpedWithItsName)
{
	const LoadedModel model("look");
	const DeviceBuffer ids(16), y(16);
	ids.store(std::vector<int64_t>{2, 3});
	const DumpService service(R"(, "dump_scene": "lite_exception")");
	const Dataset in({&ids}), out({&y});
	EXPECT_FAILS(ACL_ERROR_RT_MODEL_EXECUTE, "Gather find", aclmdlExecute(model.id(), in, out));
	const Files files = service.files();
	EXPECT_EQ(count_files(files, "exception_info."), files.size());
	const std::string text = only_file(files, ".json");
	EXPECT_NE(text.find("\"find\""), std::string::npos) << text;
	EXPECT_NE(text.find("\"Gather\""), std::string::npos) << text;
}

/* What aclmdlCreateAndGetOpDesc() told of the latest failure. */
struct Described {
	aclError code = ACL_ERROR_INVALID_PARAM;
	std::string name;
	std::vector<void *> inputs, outputs;
	std::vector<size_t> bytes;
};

Described &described()
{
	static Described told;
	return told;
}

void describe(aclrtExceptionInfo *info)
{
	Described &told = described();
	aclTensorDesc *in = nullptr, *out = nullptr;
	size_t ins = 0, outs = 0;
	char name[256];
	told = {};
	told.code = aclmdlCreateAndGetOpDesc(
		aclrtGetDeviceIdFromExceptionInfo(info), aclrtGetStreamIdFromExceptionInfo(info),
		aclrtGetTaskIdFromExceptionInfo(info), name, sizeof(name), &in, &ins, &out, &outs);
	if (told.code != ACL_SUCCESS)
		return;
	told.name = name;
	for (size_t i = 0; i < ins; i++) {
		const aclTensorDesc *desc = aclGetTensorDescByIndex(in, i);
		told.inputs.push_back(aclGetTensorDescAddress(desc));
		told.bytes.push_back(aclGetTensorDescSize(desc));
	}
	for (size_t i = 0; i < outs; i++)
		told.outputs.push_back(aclGetTensorDescAddress(aclGetTensorDescByIndex(out, i)));
	EXPECT_EQ(aclGetTensorDescByIndex(in, ins), nullptr);
	EXPECT_NE(take_message(), "");
	aclDestroyTensorDesc(in);
	aclDestroyTensorDesc(out);
}

TEST_F(OfflineDumps, AFailureDescribesTheOperandsOfItsNode)
{
	const LoadedModel model("look");
	const DeviceBuffer ids(16), y(16);
	const Dataset in({&ids}), out({&y});
	char name[8];
	aclTensorDesc *list = nullptr;
	size_t count = 0;
	ids.store(std::vector<int64_t>{2, 3});
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "aclrtSetExceptionInfoCallback",
		     aclmdlCreateAndGetOpDesc(0, 0, 0, name, 8, &list, &count, &list, &count));
	EXPECT_OK(aclrtSetExceptionInfoCallback(describe));
	EXPECT_FAILS(ACL_ERROR_RT_MODEL_EXECUTE, "Gather find", aclmdlExecute(model.id(), in, out));
	EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
	EXPECT_EQ(described().code, ACL_SUCCESS);
	EXPECT_EQ(described().name, "find");
	ASSERT_EQ(described().inputs.size(), 2u);
	EXPECT_EQ(described().inputs[1], ids.data());
	EXPECT_EQ(described().bytes, (std::vector<size_t>{24, 16}));
	EXPECT_EQ(described().outputs, (std::vector<void *>{y.data()}));
}

/* Each node is a task of its own then. */
TEST_F(OfflineDumps, ASynchronisationNamesTheFailedNode)
{
	const LoadedModel model("look");
	const Stream stream;
	const DeviceBuffer ids(16), y(16);
	ids.store(std::vector<int64_t>{2, 3});
	const DumpService service(
		R"(, "dump_op_switch": "off", "dump_list": [{"model_name": "look"}])");
	run(model.id(), ids, y, stream);
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "(look), Gather find",
		     aclrtSynchronizeStream(stream));
}

} // namespace

} // namespace conformance

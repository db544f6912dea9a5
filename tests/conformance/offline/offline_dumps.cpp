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

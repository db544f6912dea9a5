// SPDX-License-Identifier: MIT
/*
 * DOC: Subscriptions of models of files
 */
#include <algorithm>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "offline/test_models.h"
#include "profile/records.h"
#include "unpu/unpu.h"

namespace conformance {

namespace {

class OfflineSubscriptions : public DeviceTest {};

using Texts = std::vector<std::string>;

/* "Mul scale" of each record. */
Texts texts_of(const std::vector<Record> &records)
{
	Texts texts;
	for (const Record &record : records)
		texts.push_back(record.type + " " + record.name);
	return texts;
}

const Texts DENSE = {"Mul scale", "Add shift", "Relu cut"};

TEST_F(OfflineSubscriptions, EachRunTellsItsNodes)
{
	const LoadedModel model("dense"), other("pair");
	const Stream stream;
	const DeviceBuffer x(32), y(32), z(32);
	const Dataset in({&x}), out({&y}), both({&y, &z});
	Pipe pipe;
	const Config config(pipe);

	EXPECT_OK(aclmdlExecute(model.id(), in, out)); /* is not subscribed to */
	EXPECT_OK(aclprofModelSubscribe(model.id(), config));
	EXPECT_FAILS(ACL_ERROR_PROF_REPEAT_SUBSCRIBE, "UnSubscribe",
		     aclprofModelSubscribe(model.id(), config));
	EXPECT_OK(aclmdlExecute(model.id(), in, out));
	EXPECT_OK(aclmdlExecute(other.id(), in, both));
	EXPECT_OK(aclmdlExecuteAsync(model.id(), in, out, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_OK(aclprofModelUnSubscribe(model.id()));
	EXPECT_OK(aclmdlExecute(model.id(), in, out)); /* no more */
	EXPECT_FAILS(ACL_ERROR_INVALID_MODEL_ID, "not subscribed",
		     aclprofModelUnSubscribe(model.id()));
	const auto records = decode(pipe.rest());
	Texts twice = DENSE;
	twice.insert(twice.end(), DENSE.begin(), DENSE.end());
	EXPECT_EQ(texts_of(records), twice);
	uint64_t before = 0;
	for (const Record &record : records) {
		EXPECT_EQ(record.model, model.id());
		EXPECT_GE(record.start, before);
		EXPECT_GE(record.end, record.start);
		before = record.end;
	}
}

/* A model may be subscribed to again, with another pipe. */
TEST_F(OfflineSubscriptions, EachGraphOfTheModelTells)
{
	const LoadedModel model("dense"), batch("batch");
	const DeviceBuffer x(64), y(64), extra(8);
	const Dataset in({&x}), out({&y}), sized({&x, &extra});
	for (int round = 0; round < 2; round++) {
		Pipe pipe;
		const Config config(pipe);
		EXPECT_OK(aclprofModelSubscribe(model.id(), config));
		EXPECT_OK(aclprofModelSubscribe(batch.id(), config));
		EXPECT_OK(aclmdlExecute(model.id(), in, out));
		/* A result on its input. */
		EXPECT_OK(aclmdlExecute(model.id(), in, in));
		for (const uint64_t size : {4, 1}) {
			EXPECT_OK(aclmdlSetDynamicBatchSize(batch.id(), sized, 1, size));
			EXPECT_OK(aclmdlExecute(batch.id(), sized, out));
		}
		EXPECT_OK(aclprofModelUnSubscribe(model.id()));
		EXPECT_OK(aclprofModelUnSubscribe(batch.id()));
		Texts wanted = DENSE;
		wanted.insert(wanted.end(), DENSE.begin(), DENSE.end());
		for (const char *more :
		     {"Result the copies of its results", "Relu cut", "Relu cut"})
			wanted.emplace_back(more);
		EXPECT_EQ(texts_of(decode(pipe.rest())), wanted) << round;
	}
}

/* The number of a captured graph is none of a model of a file. */
TEST_F(OfflineSubscriptions, ACapturedGraphHasAnotherNumber)
{
	const LoadedModel model("dense");
	const Stream stream;
	const DeviceBuffer x(32), y(32);
	const Dataset in({&x}), out({&y});
	for (int i = 0; i < 4; i++) {
		aclmdlRI graph = nullptr;
		uint32_t id = 0;
		EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
		EXPECT_OK(aclmdlExecuteAsync(model.id(), in, out, stream));
		EXPECT_OK(aclmdlRICaptureEnd(stream, &graph));
		EXPECT_OK(aclmdlRIGetId(graph, &id));
		EXPECT_GT(id, model.id());
		const LoadedModel later("dense");
		EXPECT_GT(later.id(), id);
		Pipe pipe;
		const Config config(pipe);
		EXPECT_OK(aclprofModelSubscribe(id, config));
		EXPECT_OK(aclmdlExecute(model.id(), in, out));
		EXPECT_OK(aclmdlExecute(later.id(), in, out));
		EXPECT_OK(aclmdlRIExecuteAsync(graph, stream));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_OK(aclmdlRIDestroy(graph));
		EXPECT_EQ(decode(pipe.rest()).size(), 3u);
	}
}

TEST_F(OfflineSubscriptions, ThePipeEndsWithTheModel)
{
	const DeviceBuffer x(32), y(32);
	const Dataset in({&x}), out({&y});
	Pipe pipe;
	const Config config(pipe);
	uint32_t id = 0;
	{
		const LoadedModel model("dense");
		id = model.id();
		EXPECT_OK(aclprofModelSubscribe(id, config));
		EXPECT_OK(aclmdlExecute(id, in, out));
	}
	EXPECT_EQ(texts_of(decode(pipe.rest())), DENSE);
	EXPECT_FAILS(ACL_ERROR_INVALID_MODEL_ID, "not subscribed", aclprofModelUnSubscribe(id));
}

TEST_F(OfflineSubscriptions, RunsUnderWayTellTheirNodes)
{
	const LoadedModel model("dense");
	const Stream stream;
	const DeviceBuffer x(32), y(32);
	const Dataset in({&x}), out({&y});
	Gate gate;
	Pipe pipe;
	const Config config(pipe);
	EXPECT_OK(aclprofModelSubscribe(model.id(), config));
	gate.block(stream);
	EXPECT_OK(aclmdlExecuteAsync(model.id(), in, out, stream));
	EXPECT_OK(aclprofModelUnSubscribe(model.id()));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(texts_of(decode(pipe.rest())), DENSE);
}

/* Also after the unload. */
TEST_F(OfflineSubscriptions, ATraceNamesTheNodes)
{
	const std::string path = testing::TempDir() + "unpu_" + std::to_string(getpid()) + ".json";
	const DeviceBuffer x(32), y(32);
	const Dataset in({&x}), out({&y});
	const LoadedModel other("pair");
	ASSERT_EQ(unpu_trace_begin(0), 0);
	{
		const LoadedModel model("dense");
		EXPECT_OK(aclmdlExecute(model.id(), in, out));
	}
	EXPECT_EQ(unpu_trace_end(), 0);
	EXPECT_EQ(unpu_trace_write(path.c_str(), nullptr), 0);
	const nlohmann::json file = nlohmann::json::parse(read_file(path));
	EXPECT_EQ(unlink(path.c_str()), 0);
	Texts listed, shown;
	for (const auto &program : file["otherData"]["nodes"][std::to_string(getpid())])
		for (const std::string name : program[2])
			listed.push_back(name);
	for (const auto &event : file["traceEvents"])
		if (event["ph"] == "X" && event.contains("args") &&
		    event["args"].contains("program"))
			shown.push_back(event["name"]);
	for (const std::string &name : DENSE)
		EXPECT_NE(std::ranges::find(listed, name), listed.end()) << name;
	EXPECT_NE(std::ranges::find(listed, "Abs size"), listed.end());
	/* A firmware in another process has a trace of its own. */
	if (!shown.empty()) {
		EXPECT_EQ(shown, DENSE);
	}
}

} // namespace

} // namespace conformance

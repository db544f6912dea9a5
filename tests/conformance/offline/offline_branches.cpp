// SPDX-License-Identifier: MIT
/*
 * DOC: Runs of models whose branches data choose
 */
#include "acl/error_codes/ge_error_codes.h"
#include "offline/test_models.h"
#include "profile/dump.h"
#include "profile/records.h"

namespace conformance {

namespace {

using Floats = std::vector<float>;
using Texts = std::vector<std::string>;

const Floats X = {1, -2, 3, -4};

class OfflineBranches : public DeviceTest {};

/* struct Way - what takes a branch of the model "branch": the node that then runs, and y. */
struct Way {
	bool go, turned;
	const char *node;
	Floats y;
};

const std::vector<Way> WAYS = {{true, false, "Gather find", {5, 6, 3, 4}},
			       {false, true, "Neg turn", {-1, 2, -3, 4}},
			       {false, false, "Abs size", {1, 2, 3, 4}}};

/* struct Buffers - those of that model. */
struct Buffers {
	const DeviceBuffer x{16}, ids{16}, go{1}, turned{1}, y{16}, z{16};

	/* @is_good: whether the indices are in range, of which one branch alone takes notice */
	void choose(const Way &way, bool is_good) const
	{
		x.store(X);
		y.store(Floats(4, 77));
		go.store(std::vector<uint8_t>{way.go});
		turned.store(std::vector<uint8_t>{way.turned});
		ids.store(std::vector<int64_t>{2, is_good ? 1 : 3});
	}

	void check(const Way &way, const DeviceBuffer &result) const
	{
		Floats sum = way.y;
		for (size_t i = 0; i < sum.size(); i++)
			sum[i] += X[i];
		EXPECT_EQ(result.load<float>(), way.y) << way.node;
		EXPECT_EQ(z.load<float>(), sum) << way.node;
	}
};

TEST_F(OfflineBranches, ARunTakesOneBranch)
{
	const Buffers of;
	const LoadedModel model("branch");
	const Dataset in({&of.x, &of.ids, &of.go, &of.turned}), out({&of.y, &of.z});
	for (int round = 0; round < 2; round++)
		for (const Way &way : WAYS) {
			of.choose(way, way.go);
			EXPECT_OK(aclmdlExecute(model.id(), in, out));
			of.check(way, of.y);
		}
	of.choose(WAYS[0], false);
	EXPECT_FAILS(ACL_ERROR_RT_MODEL_EXECUTE, "Gather find", aclmdlExecute(model.id(), in, out));
	of.choose(WAYS[1], false);
	EXPECT_OK(aclmdlExecute(model.id(), in, out));
	of.check(WAYS[1], of.y);
}

TEST_F(OfflineBranches, BuffersMayDifferAtEachRun)
{
	const Buffers of;
	const LoadedModel model("branch");
	for (const Way &way : WAYS) {
		const DeviceBuffer other_x(16), other_y(16);
		of.choose(way, way.go);
		other_x.store(X);
		const Dataset in({&other_x, &of.ids, &of.go, &of.turned}), out({&other_y, &of.z});
		EXPECT_OK(aclmdlExecute(model.id(), in, out));
		of.check(way, other_y);
		EXPECT_EQ(of.y.load<float>(), Floats(4, 77));
	}
}

/* Then the graph has copies at its end, and the nodes in its branches have other numbers. */
TEST_F(OfflineBranches, AResultMayLieOnAnInput)
{
	const Buffers of;
	const LoadedModel model("branch");
	const Dataset in({&of.x, &of.ids, &of.go, &of.turned}), out({&of.x, &of.z});
	for (const Way &way : WAYS) {
		of.choose(way, way.go);
		EXPECT_OK(aclmdlExecute(model.id(), in, out));
		of.check(way, of.x);
	}
	of.choose(WAYS[0], false);
	EXPECT_FAILS(ACL_ERROR_RT_MODEL_EXECUTE, "Gather find", aclmdlExecute(model.id(), in, out));
}

TEST_F(OfflineBranches, AProfileHasTheBranchThatIsTaken)
{
	const Buffers of;
	const LoadedModel model("branch");
	const Dataset in({&of.x, &of.ids, &of.go, &of.turned}), out({&of.y, &of.z}),
		beside({&of.x, &of.z});
	for (const Dataset *results : {&out, &beside})
		for (const Way &way : WAYS) {
			Pipe pipe;
			const Config config(pipe);
			of.choose(way, way.go);
			EXPECT_OK(aclprofModelSubscribe(model.id(), config));
			EXPECT_OK(aclmdlExecute(model.id(), in, *results));
			EXPECT_OK(aclprofModelUnSubscribe(model.id()));
			Texts texts;
			for (const Record &record : decode(pipe.rest()))
				texts.push_back(record.type + " " + record.name);
			Texts wanted = {"If pick", way.node, "If pick", "Add sum"};
			if (!way.go)
				wanted = {"If pick", "If side", way.node,
					  "If side", "If pick", "Add sum"};
			if (results == &beside)
				wanted.emplace_back("Result the copies of its results");
			EXPECT_EQ(texts, wanted);
		}
}

TEST_F(OfflineBranches, ADumpHasTheBranchThatIsTaken)
{
	const Buffers of;
	const LoadedModel model("branch");
	const Stream stream;
	const Dataset in({&of.x, &of.ids, &of.go, &of.turned}), out({&of.y, &of.z});
	const DumpService service(
		R"(, "dump_op_switch": "off", "dump_list": [{"model_name": "branch"}])");
	int run = 0;
	for (const Way &way : WAYS) {
		of.choose(way, way.go);
		EXPECT_OK(aclmdlExecuteAsync(model.id(), in, out, stream));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		of.check(way, of.y);
		const Files files = service.files();
		const std::string folder = "/" + std::to_string(run++) + "/";
		for (const Way &other : WAYS) {
			std::string name = folder + other.node + ".";
			std::ranges::replace(name, ' ', '.');
			EXPECT_EQ(count_files(files, name), &way == &other ? 2u : 0u) << name;
		}
	}
	of.choose(WAYS[0], false);
	EXPECT_OK(aclmdlExecuteAsync(model.id(), in, out, stream));
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "(branch), Gather find",
		     aclrtSynchronizeStream(stream));
}

/* The launch of a dumped run waits for the condition, which a function of the stream may be before. */
TEST_F(OfflineBranches, AFunctionOfAStreamRunsNoDumpedBranches)
{
	const Buffers of;
	const LoadedModel model("branch");
	const Stream stream;
	const Dataset in({&of.x, &of.ids, &of.go, &of.turned}), out({&of.y, &of.z});
	const DumpService service(
		R"(, "dump_op_switch": "off", "dump_list": [{"model_name": "branch"}])");
	of.choose(WAYS[1], true);
	aclrtContext context = nullptr;
	EXPECT_OK(aclrtGetCurrentContext(&context));
	const std::function<void()> run = [&] {
		EXPECT_OK(aclrtSetCurrentContext(context));
		EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "If pick",
			     aclmdlExecuteAsync(model.id(), in, out, stream));
	};
	EXPECT_OK(aclrtLaunchHostFunc(
		stream,
		[](void *argument) { (*static_cast<const std::function<void()> *>(argument))(); },
		const_cast<std::function<void()> *>(&run)));
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(OfflineBranches, ACapturedRunTakesOneBranch)
{
	const Buffers of;
	const Stream stream;
	aclmdlRI graphs[2] = {};
	{
		const LoadedModel model("branch");
		const Dataset in({&of.x, &of.ids, &of.go, &of.turned}), out({&of.y, &of.z}),
			beside({&of.x, &of.z});
		for (int k = 0; k < 2; k++) {
			EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
			EXPECT_OK(aclmdlExecuteAsync(model.id(), in, k ? beside : out, stream));
			EXPECT_OK(aclmdlRICaptureEnd(stream, &graphs[k]));
		}
	}
	for (int k = 0; k < 2; k++) {
		for (const Way &way : WAYS) {
			of.choose(way, way.go);
			EXPECT_OK(aclmdlRIExecuteAsync(graphs[k], stream));
			EXPECT_OK(aclrtSynchronizeStream(stream));
			of.check(way, k ? of.x : of.y);
		}
		of.choose(WAYS[0], false);
		EXPECT_OK(aclmdlRIExecuteAsync(graphs[k], stream));
		EXPECT_NE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
		EXPECT_NE(take_message(), "");
		EXPECT_OK(aclmdlRIDestroy(graphs[k]));
	}
}

TEST_F(OfflineBranches, ABuiltModelTakesOneBranch)
{
	const Buffers of;
	const LoadedModel model("branch");
	const Dataset in({&of.x, &of.ids, &of.go, &of.turned}), out({&of.y, &of.z});
	const Stream stream(0, ACL_STREAM_PERSISTENT), runs;
	aclmdlRI built = nullptr;
	EXPECT_OK(aclmdlRIBuildBegin(&built, 0));
	EXPECT_OK(aclmdlRIBindStream(built, stream, ACL_MODEL_STREAM_FLAG_HEAD));
	EXPECT_OK(aclmdlExecuteAsync(model.id(), in, out, stream));
	EXPECT_OK(aclmdlRIEndTask(built, stream));
	EXPECT_OK(aclmdlRIBuildEnd(built, nullptr));
	for (const Way &way : WAYS) {
		of.choose(way, way.go);
		EXPECT_OK(aclmdlRIExecuteAsync(built, runs));
		EXPECT_OK(aclrtSynchronizeStream(runs));
		of.check(way, of.y);
	}
	EXPECT_OK(aclmdlRIUnbindStream(built, stream));
	EXPECT_OK(aclmdlRIDestroy(built));
}

/* Of the six turns that there may be, those behind the last one that counts look for rows that are not there. */
TEST_F(OfflineBranches, TurnsBehindTheLastOneDoNotRun)
{
	const LoadedModel model("turns");
	const DeviceBuffer n(8), sum(8);
	const Dataset in({&n}), out({&sum});
	const Floats sums[] = {{1, 2}, {4, 6}, {9, 12}};
	for (const int64_t rows : {1, 3, 2}) {
		n.store(std::vector<int64_t>{rows});
		EXPECT_OK(aclmdlExecute(model.id(), in, out));
		EXPECT_EQ(sum.load<float>(), sums[rows - 1]);
	}
	n.store(std::vector<int64_t>{4});
	EXPECT_FAILS(ACL_ERROR_RT_MODEL_EXECUTE, "Gather find#3",
		     aclmdlExecute(model.id(), in, out));
}

} // namespace

} // namespace conformance

// SPDX-License-Identifier: MIT
/*
 * DOC: the services of dumps - who takes what they write, how they are configured, what goes wrong
 */
#include <atomic>
#include <mutex>
#include <thread>

#include <sys/resource.h>

#include "profile/dump.h"
#include "support/child_process.h"

using namespace conformance;

using DumpServices = DeviceTest;

namespace {

struct Chunk {
	std::string file;
	std::string bytes;
	int64_t offset;
	bool last;
};

std::mutex chunks_mutex;
std::vector<Chunk> chunks;

int32_t keep_chunk(const acldumpChunk *chunk, int32_t length)
{
	const std::lock_guard lock(chunks_mutex);

	EXPECT_EQ(static_cast<size_t>(length), sizeof(acldumpChunk) + chunk->bufLen);
	EXPECT_EQ(chunk->flag, 0);
	chunks.push_back({chunk->fileName,
			  {reinterpret_cast<const char *>(chunk->dataBuf), chunk->bufLen},
			  chunk->offset,
			  chunk->isLastChunk == 1});
	return 0;
}

int32_t refuse_chunk(const acldumpChunk *, int32_t)
{
	return 1;
}

} // namespace

TEST_F(DumpServices, ARegisteredFunctionTakesTheChunksInsteadOfFiles)
{
	constexpr size_t kCount = 400000;
	DumpService service("");
	const FloatTensor self(Floats(kCount, 2)), other(Floats(kCount, 3));
	const Stream stream;

	chunks.clear();
	EXPECT_OK(acldumpRegCallback(keep_chunk, 0));
	multiply(self.tensor, other.tensor, self.tensor, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	acldumpUnregCallback();
	EXPECT_TRUE(service.files().empty());
	std::string whole;
	size_t pieces = 0;

	for (const Chunk &chunk : chunks) {
		if (chunk.file.find(".output.0.npy") == std::string::npos)
			continue;
		EXPECT_EQ(chunk.offset, static_cast<int64_t>(whole.size()));
		whole += chunk.bytes;
		pieces++;
		EXPECT_EQ(chunk.last, parse_npy(whole).elements.size() == kCount * sizeof(float));
	}
	EXPECT_EQ(pieces, 2u);
	EXPECT_EQ(parse_npy(whole).as<float>(), Floats(kCount, 6));
	const size_t before = chunks.size();

	multiply(self.tensor, other.tensor, self.tensor, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(chunks.size(), before);
	EXPECT_EQ(count_files(service.files(), ".npy"), 1u);
}

TEST_F(DumpServices, ARegisteredFunctionNeedsNoConfiguration)
{
	const FloatTensor self({1, 2}), other({3, 4});
	const Stream stream;

	chunks.clear();
	EXPECT_OK(aclmdlInitDump());
	multiply(self.tensor, other.tensor, self.tensor, stream);
	EXPECT_OK(acldumpRegCallback(keep_chunk, 0));
	multiply(self.tensor, other.tensor, self.tensor, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_OK(aclmdlFinalizeDump());
	acldumpUnregCallback();
	ASSERT_EQ(chunks.size(), 2u);
	EXPECT_EQ(parse_npy(chunks[0].bytes).as<float>(), (Floats{9, 32}));
}

TEST_F(DumpServices, DataThatTheFunctionRefusesIsReportedAtTheEnd)
{
	DumpService service("");
	const FloatTensor self({1, 2}), other({3, 4});
	const Stream stream;

	EXPECT_OK(acldumpRegCallback(refuse_chunk, 0));
	multiply(self.tensor, other.tensor, self.tensor, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	acldumpUnregCallback();
	EXPECT_FAILS(ACL_ERROR_WRITE_FILE, "2 files", service.finish());
}

TEST_F(DumpServices, AFileThatCannotBeWrittenStopsNoTask)
{
	DumpService service(R"(, "dump_mode": "all")");
	const FloatTensor self({1, 2}), other({3, 4});
	const Stream stream;

	/* A file stands where the folder was. */
	std::filesystem::remove_all(service.path());
	std::ofstream(service.path()) << "in the way";
	multiply(self.tensor, other.tensor, self.tensor, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(self.buffer.load<float>(), (Floats{3, 8}));
	EXPECT_FAILS(ACL_ERROR_WRITE_FILE, "4 files", service.finish());
	EXPECT_OK(aclmdlInitDump());
	EXPECT_OK(aclmdlFinalizeDump());
}

TEST_F(DumpServices, ThreadsDumpWhileTheServiceChanges)
{
	constexpr int kThreads = 3, kRounds = 40;
	DumpService service(R"(, "dump_mode": "all")");
	std::vector<std::thread> threads;
	std::atomic<bool> done{false};

	chunks.clear();
	for (int i = 0; i < kThreads; ++i) {
		threads.emplace_back([] {
			ASSERT_OK(aclrtSetDevice(0));
			{
				const FloatTensor self(Floats(1000, 1)), other(Floats(1000, 1));
				const Stream stream;

				for (int round = 0; round < kRounds; ++round)
					multiply(self.tensor, other.tensor, self.tensor, stream);
				EXPECT_OK(aclrtSynchronizeStream(stream));
				EXPECT_EQ(self.buffer.load<float>(), Floats(1000, 1));
			}
			EXPECT_OK(aclrtResetDevice(0));
		});
	}
	std::thread changes([&] {
		while (!done) {
			EXPECT_OK(acldumpRegCallback(keep_chunk, 0));
			acldumpUnregCallback();
			service.set(R"(, "dump_mode": "all")");
		}
	});

	for (std::thread &thread : threads)
		thread.join();
	done = true;
	changes.join();
	size_t files = count_files(service.files(), ".output.0.npy");

	for (const Chunk &chunk : chunks)
		files += chunk.last && chunk.file.find(".output.0.npy") != std::string::npos;
	/* A file is reported as lost if the callback is removed before the file's only chunk. */
	EXPECT_LE(files, static_cast<size_t>(kThreads * kRounds));
	EXPECT_GT(files, 0u);
	(void)service.finish();
}

TEST_F(DumpServices, AForcedResetEndsOperatorsThatAreToBeDumped)
{
	DumpService service(R"(, "dump_mode": "all")");
	Stream stream;
	FloatTensor self(Floats(300000, 1)), other(Floats(300000, 1));

	for (int round = 0; round < 5; ++round)
		multiply(self.tensor, other.tensor, self.tensor, stream);
	EXPECT_OK(aclrtResetDeviceForce(0));
	/* The reset has taken them away. */
	(void)self.buffer.release();
	(void)other.buffer.release();
	(void)aclrtDestroyStream(stream.release());
	ASSERT_OK(aclrtSetDevice(0));
	(void)service.finish();
	EXPECT_LE(count_files(service.files(), ".output.0.npy"), 5u);
}

TEST(DumpLimits, AFileThatGrowsTooLongIsLostAndTheProgramLives)
{
	if (!alone())
		return;
	open_device();
	{
		DumpService service("");
		const FloatTensor self(Floats(100000, 1)), other(Floats(100000, 2));
		const Stream stream;
		rlimit before = {};

		ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
		multiply(self.tensor, other.tensor, self.tensor, stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		const rlimit small = {4096, before.rlim_max};

		ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
		multiply(self.tensor, other.tensor, self.tensor, stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
		EXPECT_EQ(self.buffer.load<float>(), Floats(100000, 4));
		EXPECT_EQ(count_files(service.files(), ".npy"), 1u);
		EXPECT_FAILS(ACL_ERROR_WRITE_FILE, "1 files", service.finish());
	}
	close_device();
}

TEST_F(DumpServices, ArgumentsAreOneFileForEachShape)
{
	const Folder folder;
	const FloatTensor two({1, 2}), three({1, 2, 3});
	const Stream stream;

	EXPECT_OK(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, folder.path().c_str()));
	EXPECT_FAILS(ACL_ERROR_DUMP_ALREADY_RUN, "aclopStopDumpArgs",
		     aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, folder.path().c_str()));
	for (int i = 0; i < 3; ++i) {
		multiply(two.tensor, two.tensor, two.tensor, stream);
		multiply(three.tensor, three.tensor, three.tensor, stream);
	}
	EXPECT_OK(aclopStopDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS));
	add_in_place(two.tensor, two.tensor, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	const Files files = files_below(folder.path());

	ASSERT_EQ(files.size(), 2u);
	const auto told = nlohmann::json::parse(files.at("Mul.1.json"));

	EXPECT_EQ(told["op_type"], "Mul");
	EXPECT_EQ(told["tensors"][0]["shape"], (std::vector<int64_t>{2}));
	EXPECT_EQ(told["tensors"][2]["kind"], "output");
	EXPECT_FAILS(ACL_ERROR_DUMP_NOT_RUN, "aclopStartDumpArgs",
		     aclopStopDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS));
}

TEST_F(DumpServices, WrongArgumentsAreNamed)
{
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "dumpType", aclopStartDumpArgs(2, "x"));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "dumpType", aclopStopDumpArgs(0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "path",
		     aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "path",
		     aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, "/proc/nowhere"));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "messageCallback", acldumpRegCallback(nullptr, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "flag", acldumpRegCallback(keep_chunk, 1));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "dumpCfgPath", aclmdlSetDump(nullptr));
	EXPECT_FAILS(ACL_ERROR_DUMP_NOT_RUN, "aclmdlInitDump", aclmdlSetDump("/nowhere.json"));
	EXPECT_FAILS(ACL_ERROR_DUMP_NOT_RUN, "aclmdlInitDump", aclmdlFinalizeDump());
	EXPECT_EQ(acldumpGetPath(DATA_DUMP), nullptr);
	EXPECT_EQ(acldumpGetPath(raw_enum<acldumpType>(99)), nullptr);
	EXPECT_OK(aclmdlInitDump());
	EXPECT_FAILS(ACL_ERROR_DUMP_ALREADY_RUN, "already", aclmdlInitDump());
	EXPECT_FAILS(ACL_ERROR_INVALID_FILE, "/nowhere.json", aclmdlSetDump("/nowhere.json"));
	EXPECT_OK(aclmdlFinalizeDump());
}

TEST_F(DumpServices, AWrongValueIsRefusedWithItsKey)
{
	struct Wrong {
		const char *keys;
		const char *mention;
	};
	static constexpr Wrong kWrong[] = {
		{R"(, "dump_mode": "both")", "dump.dump_mode"},
		{R"(, "dump_mode": 1)", "dump.dump_mode"},
		{R"(, "dump_level": "task")", "dump.dump_level"},
		{R"(, "dump_data": "text")", "dump.dump_data"},
		{R"(, "dump_debug": "yes")", "dump.dump_debug"},
		{R"(, "dump_debug": "on")", "dump.dump_debug"},
		{R"(, "dump_scene": "watcher")", "dump.dump_scene"},
		{R"(, "dump_list": {})", "dump.dump_list"},
		{R"(, "dump_list": [1])", "dump.dump_list"},
		{R"(, "dump_list": [{"model_name": 3}])", "dump.dump_list"},
		{R"(, "dump_list": [{"layer": "x"}])", "dump.dump_list"},
		{R"(, "dump_step": "0;1")", "dump.dump_step"},
		{R"(, "dump_stats": ["Max", 1])", "dump.dump_stats"},
		{R"(, "dump_path": "")", "dump.dump_path"},
		{R"(, "dump_path": "/proc/nowhere")", "dump.dump_path"},
	};
	const DumpService service("");

	for (const Wrong &wrong : kWrong)
		EXPECT_FAILS(ACL_ERROR_INVALID_DUMP_CONFIG, wrong.mention,
			     aclmdlSetDump(service.write_config(wrong.keys).c_str()))
			<< wrong.keys;
	const Folder folder;

	std::ofstream(folder.file("none.json")) << "{}";
	std::ofstream(folder.file("torn.json")) << "{\"dump\": {";
	EXPECT_FAILS(ACL_ERROR_INVALID_DUMP_CONFIG, "dump",
		     aclmdlSetDump(folder.file("none.json").c_str()));
	EXPECT_FAILS(ACL_ERROR_PARSE_FILE, "JSON", aclmdlSetDump(folder.file("torn.json").c_str()));
}

TEST(DumpConfig, TheFileOfInitCanAskForDumps)
{
	if (!alone())
		return;
	const Folder folder;
	const std::string config = folder.file("acl.json");

	EXPECT_FAILS(ACL_ERROR_UNINITIALIZE, "aclInit", aclmdlInitDump());
	std::ofstream(config) << R"({"dump": {"dump_op_switch": "on", "dump_path": ""}})";
	EXPECT_FAILS(ACL_ERROR_INVALID_DUMP_CONFIG, "dump.dump_path", aclInit(config.c_str()));
	std::ofstream(config) << R"({"dump": {"dump_op_switch": "on", "dump_list": [], )"
			      << R"("dump_path": ")" << folder.file("data") << "\"}}";
	ASSERT_OK(aclInit(config.c_str()));
	ASSERT_OK(aclrtSetDevice(0));
	EXPECT_FAILS(ACL_ERROR_DUMP_ALREADY_RUN, "aclInit", aclmdlInitDump());
	EXPECT_FAILS(ACL_ERROR_DUMP_NOT_RUN, "", aclmdlFinalizeDump());
	EXPECT_EQ(acldumpGetPath(DATA_DUMP), folder.file("data"));
	EXPECT_EQ(acldumpGetPath(OVERFLOW_DUMP), nullptr);
	{
		const FloatTensor self({1, 2}), other({3, 4});

		multiply(self.tensor, other.tensor, self.tensor, nullptr);
		EXPECT_OK(aclrtSynchronizeStream(nullptr));
	}
	EXPECT_OK(aclrtResetDevice(0));
	EXPECT_OK(aclFinalize());
	EXPECT_EQ(count_files(files_below(folder.file("data")), "Mul.aclnnMul."), 2u);
}

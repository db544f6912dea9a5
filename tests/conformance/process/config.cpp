// SPDX-License-Identifier: MIT
/*
 * DOC: the configuration file of aclInit
 *
 * Each case in a process of its own, since the first configuration of a process binds the later ones.
 */
#include "acl/acl_prof.h"
#include "support/child_process.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

using namespace conformance;

namespace {

/* A file with some text, gone at the end of the scope. */
class ConfigFile {
public:
	explicit ConfigFile(const std::string &text)
		: path_(testing::TempDir() + "unpu-config-" + std::to_string(getpid()) + ".json")
	{
		std::ofstream(path_) << text;
	}

	~ConfigFile() { std::remove(path_.c_str()); }

	const char *path() const { return path_.c_str(); }

private:
	const std::string path_;
};

TEST(Config, MissingFile)
{
	if (!alone())
		return;
	EXPECT_FAILS(ACL_ERROR_INVALID_FILE, "read", aclInit("/nonexistent/acl.json"));
	EXPECT_OK(aclInit(nullptr));
	EXPECT_OK(aclFinalize());
}

TEST(Config, NoFileEmptyFileAndEmptyObjectAreTheDefaults)
{
	if (!alone())
		return;
	const ConfigFile empty("");

	EXPECT_OK(aclInit(""));
	EXPECT_OK(aclFinalize());
	EXPECT_OK(aclInit(empty.path()));
	EXPECT_OK(aclFinalize());
	const ConfigFile braces(" { }\n");

	EXPECT_OK(aclInit(braces.path()));
	EXPECT_OK(aclFinalize());
	EXPECT_OK(aclInit(nullptr));
	EXPECT_OK(aclFinalize());
	const ConfigFile other(R"({"err_msg_mode": "0"})");

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "differs", aclInit(other.path()));
}

TEST(Config, ProfilingOfTheFileLastsUntilFinalize)
{
	if (!alone())
		return;
	const std::string folder = testing::TempDir() + "unpu-profile-" + std::to_string(getpid());
	const ConfigFile file(R"({"profiler": {"switch": "on", "aicpu": "on", "output": ")" +
			      folder + R"("}})");

	EXPECT_OK(aclInit(file.path()));
	EXPECT_OK(aclrtSetDevice(0));
	EXPECT_FAILS(ACL_ERROR_PROF_ALREADY_RUN, "already",
		     aclprofInit(folder.c_str(), folder.size()));
	expect_device_works();
	close_device();
	std::stringstream all;
	size_t files = 0;
	for (const auto &each : std::filesystem::directory_iterator(folder)) {
		all << std::ifstream(each.path()).rdbuf();
		++files;
	}
	EXPECT_EQ(files, 1u);
	EXPECT_NE(all.str().find("aclrtMemsetAsync"), std::string::npos);
	std::filesystem::remove_all(folder);
}

TEST(Config, ProfilingThatIsOffWritesNothing)
{
	if (!alone())
		return;
	const std::string folder = testing::TempDir() + "unpu-profile-" + std::to_string(getpid());
	const ConfigFile file(R"({"profiler": {"switch": "off", "output": ")" + folder + R"("}})");

	EXPECT_OK(aclInit(file.path()));
	EXPECT_OK(aclFinalize());
	EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(Config, WrongSectionsOfProfilingAreRefused)
{
	if (!alone())
		return;
	const std::pair<const char *, const char *> wrong[] = {
		{R"({"profiler": 1})", "object"},
		{R"({"profiler": {"switch": "yes"}})", "switch"},
		{R"({"profiler": {"switch": 1}})", "switch"},
		{R"({"profiler": {"switch": "on", "output": 3}})", "output"},
		{R"({"profiler": {"switch": "on", "storage_limit": "3MB"}})", "storage_limit"}};

	for (const auto &[text, key] : wrong) {
		const ConfigFile file(text);

		EXPECT_FAILS(ACL_ERROR_INVALID_PROFILING_CONFIG, key, aclInit(file.path()));
	}
}

TEST(Config, MalformedText)
{
	if (!alone())
		return;
	for (const char *text : {"{", "[1, 2]", "{\"dump\": }", "no json", "{} {}"}) {
		const ConfigFile file(text);

		EXPECT_FAILS(ACL_ERROR_PARSE_FILE, "JSON", aclInit(file.path())) << text;
	}
	EXPECT_OK(aclInit(nullptr));
	EXPECT_OK(aclFinalize());
}

TEST(Config, NestingEndsAtTen)
{
	if (!alone())
		return;
	std::string eleven;

	for (int i = 0; i < 11; ++i)
		eleven += "{\"a\":";
	eleven += "1" + std::string(11, '}');
	const ConfigFile file(eleven);

	EXPECT_FAILS(ACL_ERROR_PARSE_FILE, "deeper", aclInit(file.path()));
}

TEST(Config, DefaultDeviceMustBeADevice)
{
	if (!alone())
		return;
	for (const char *device : {"-1", "\"x\"", "1.5", "99", "null"}) {
		const ConfigFile file(std::string("{\"defaultDevice\": {\"default_device\": ") +
				      device + "}}");

		EXPECT_FAILS(ACL_ERROR_PARSE_FILE, "default_device", aclInit(file.path()))
			<< device;
	}
	const ConfigFile wrong("{\"defaultDevice\": 0}");

	EXPECT_FAILS(ACL_ERROR_PARSE_FILE, "defaultDevice", aclInit(wrong.path()));
}

TEST(Config, DefaultDeviceServesThreadsThatSetNone)
{
	if (!alone())
		return;
	const ConfigFile file("{\"defaultDevice\": {\"default_device\": \"0\"}}");

	ASSERT_OK(aclInit(file.path()));
	void *memory = nullptr;
	int32_t device = -1;

	EXPECT_OK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
	EXPECT_OK(aclrtFree(memory));
	std::thread([&] { EXPECT_OK(aclrtGetDevice(&device)); }).join();
	EXPECT_EQ(device, 0);
	EXPECT_OK(aclFinalize());
}

TEST(Config, NumbersThatAreNone)
{
	if (!alone())
		return;
	const struct {
		const char *text;
		const char *word;
		aclError code;
	} table[] = {
		{"{\"err_msg_mode\": \"2\"}", "err_msg_mode", ACL_ERROR_PARSE_FILE},
		{"{\"err_msg_mode\": true}", "err_msg_mode", ACL_ERROR_PARSE_FILE},
		{"{\"StackSize\": 4096}", "StackSize", ACL_ERROR_PARSE_FILE},
		{"{\"StackSize\": {\"aicore_stack_size\": \"4k\"}}", "aicore_stack_size",
		 ACL_ERROR_PARSE_FILE},
		{"{\"StackSize\": {\"simt_stack_size\": -1}}", "simt_stack_size",
		 ACL_ERROR_PARSE_FILE},
		{"{\"StackSize\": {\"simt_divergence_stack_size\": 0}}",
		 "simt_divergence_stack_size", ACL_ERROR_PARSE_FILE},
		{"{\"simt_printf_fifo_size\": []}", "simt_printf_fifo_size", ACL_ERROR_PARSE_FILE},
		{"{\"simd_printf_fifo_size_per_core\": 0}", "simd_printf_fifo_size_per_core",
		 ACL_ERROR_PARSE_FILE},
		{"{\"max_opqueue_num\": \"0\"}", "max_opqueue_num",
		 ACL_ERROR_INVALID_MAX_OPQUEUE_NUM_CONFIG},
		{"{\"max_opqueue_num\": 1.5}", "max_opqueue_num",
		 ACL_ERROR_INVALID_MAX_OPQUEUE_NUM_CONFIG},
	};

	for (const auto &row : table) {
		const ConfigFile file(row.text);

		EXPECT_FAILS(row.code, row.word, aclInit(file.path())) << row.text;
	}
}

TEST(Config, OtherKeysAreAccepted)
{
	if (!alone())
		return;
	const ConfigFile file("{\"max_opqueue_num\": \"20000\", \"unheard_of\": [1, {}],"
			      " \"simt_printf_fifo_size\": 1048576}");

	EXPECT_OK(aclInit(file.path()));
	EXPECT_OK(aclFinalize());
}

/* The sentence that a failed call of another thread left. */
std::string text_of_other_thread()
{
	std::string text;

	std::thread([&] {
		EXPECT_EQ(aclrtSetDevice(-5), ACL_ERROR_RT_INVALID_DEVICEID);
		text = take_message();
	}).join();
	return text;
}

TEST(Config, ErrorTextsOfAThreadAreItsOwn)
{
	if (!alone())
		return;
	const ConfigFile file("{\"err_msg_mode\": \"0\"}");

	EXPECT_OK(aclInit(file.path()));
	EXPECT_NE(aclrtSetDevice(-4), ACL_SUCCESS);
	EXPECT_EQ(text_of_other_thread().find("-4"), std::string::npos);
	EXPECT_NE(take_message().find("-4"), std::string::npos);
	EXPECT_OK(aclFinalize());
}

TEST(Config, ErrorTextsMayBeKeptForTheProcess)
{
	if (!alone())
		return;
	const ConfigFile file("{\"err_msg_mode\": \"1\"}");

	EXPECT_OK(aclInit(file.path()));
	EXPECT_NE(aclrtSetDevice(-4), ACL_SUCCESS);
	const std::string text = text_of_other_thread();

	EXPECT_LT(text.find("-5"), text.find("-4")) << "the newest comes first: " << text;
	EXPECT_NE(text.find("-4"), std::string::npos) << text;
	EXPECT_EQ(take_message(), "") << "the other thread has taken it";
	std::thread([] { EXPECT_NE(aclrtSetDevice(-6), ACL_SUCCESS); }).join();
	EXPECT_NE(take_message().find("-6"), std::string::npos);
	EXPECT_OK(aclFinalize());
}

} // namespace

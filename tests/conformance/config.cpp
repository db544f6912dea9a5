// SPDX-License-Identifier: MIT
/*
 * DOC: the configuration file of aclInit
 *
 * Each case in a process of its own, since the first configuration of a process binds the later ones.
 */
#include "child.h"

#include <cstdio>
#include <fstream>
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
	EXPECT_FAILS(ACL_ERROR_INVALID_FILE, "opened", aclInit("/nonexistent/acl.json"));
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
	const ConfigFile braces("{}");

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "differs", aclInit(braces.path()));
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

} // namespace

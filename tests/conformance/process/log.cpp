// SPDX-License-Identifier: MIT
/*
 * DOC: where the log goes
 *
 * Nothing is written unless the environment asks for it. Each case in a process of its own, whose
 * standard error is a file while it runs.
 */
#include "support/child_process.h"

#include "base/acl_log.h"
#include "base/alog_pub.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

using namespace conformance;

namespace {

/* A file of this process's own, gone at the end of the scope. */
class ScratchFile {
public:
	explicit ScratchFile(const char *name)
		: path_(testing::TempDir() + "unpu-" + name + "-" + std::to_string(getpid()))
	{
	}
	~ScratchFile() { std::remove(path_.c_str()); }

	const char *path() const { return path_.c_str(); }

	std::string text() const
	{
		std::ifstream file(path_);

		return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
	}

private:
	const std::string path_;
};

/* The text that one call of @function wrote to standard error. */
template <typename Call> std::string stderr_of(Call &&call)
{
	const ScratchFile file("stderr");
	const int before = dup(STDERR_FILENO);
	const int opened = open(file.path(), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	dup2(opened, STDERR_FILENO);
	close(opened);
	call();
	dup2(before, STDERR_FILENO);
	close(before);
	return file.text();
}

void log_all_levels()
{
	ACL_APP_LOG(ACL_DEBUG, "number %d", 0);
	ACL_APP_LOG(ACL_INFO, "number %d", 1);
	ACL_APP_LOG(ACL_WARNING, "number %d", 2);
	ACL_APP_LOG(ACL_ERROR, "number %d", 3);
}

void fail()
{
	EXPECT_EQ(aclrtSetDevice(-7), ACL_ERROR_RT_INVALID_DEVICEID);
}

void set_variable(const char *name, const char *value)
{
	ASSERT_EQ(setenv(name, value, 1), 0);
}

} // namespace

TEST(Log, NothingIsWrittenUnasked)
{
	if (!alone())
		return;
	unsetenv("UNPU_LOG_LEVEL");
	unsetenv("UNPU_LOG_ERRORS");
	EXPECT_EQ(stderr_of([] {
			  log_all_levels();
			  fail();
		  }),
		  "");
}

TEST(Log, TheLevelDecides)
{
	if (!alone())
		return;
	set_variable("UNPU_LOG_LEVEL", "2");
	const std::string text = stderr_of(log_all_levels);

	EXPECT_EQ(text.find("number 0"), std::string::npos) << text;
	EXPECT_EQ(text.find("number 1"), std::string::npos) << text;
	EXPECT_NE(text.find("[WARNING]"), std::string::npos) << text;
	EXPECT_NE(text.find("log_all_levels: number 2\n"), std::string::npos) << text;
	EXPECT_NE(text.find("log.cpp:"), std::string::npos) << text;
	EXPECT_NE(text.find("number 3\n"), std::string::npos) << text;
}

TEST(Log, ARecordEndsAfterAThousandBytes)
{
	if (!alone())
		return;
	set_variable("UNPU_LOG_LEVEL", "0");
	const std::string long_text(5000, 'x');
	const std::string text = stderr_of([&] {
		aclAppLog(ACL_INFO, "f", "file", 1, "%s", long_text.c_str());
		aclAppLog(ACL_INFO, nullptr, nullptr, 2, "no place");
		aclAppLog(ACL_INFO, "f", "file", 3, nullptr);
		aclAppLog(raw_enum<aclLogLevel>(4), "f", "file", 4, "no level");
		aclAppLog(raw_enum<aclLogLevel>(-1), "f", "file", 5, "no level");
	});
	const auto length = static_cast<size_t>(std::count(text.begin(), text.end(), 'x'));

	EXPECT_GE(length, 1000u);
	EXPECT_LE(length, 1024u);
	EXPECT_NE(text.find("no place"), std::string::npos);
	EXPECT_EQ(text.find("no level"), std::string::npos);
}

TEST(Log, RecordsOfModulesHaveLevels)
{
	if (!alone())
		return;
	set_variable("UNPU_LOG_LEVEL", "1");
	EXPECT_EQ(AlogCheckDebugLevel(RUNTIME, DLOG_DEBUG), 0);
	EXPECT_EQ(AlogCheckDebugLevel(RUNTIME, DLOG_INFO), 1);
	EXPECT_EQ(AlogCheckDebugLevel(RUNTIME, DLOG_ERROR), 1);
	EXPECT_EQ(AlogCheckDebugLevel(RUNTIME, 4), 0);
	const std::string text = stderr_of([] {
		EXPECT_EQ(AlogRecord(RUNTIME, DLOG_TYPE_DEBUG, DLOG_DEBUG, "number %d", 1), 0);
		EXPECT_EQ(AlogRecord(HCCL, DLOG_TYPE_RUN, DLOG_WARN, "number %d", 2), 0);
		EXPECT_EQ(AlogRecord(HCCL, DLOG_TYPE_RUN, 4, "number %d", 3), -1);
		EXPECT_EQ(AlogRecord(HCCL, DLOG_TYPE_MAX, DLOG_WARN, "number %d", 4), -1);
		EXPECT_EQ(AlogRecord(HCCL, DLOG_TYPE_RUN, DLOG_WARN, nullptr), -1);
	});
	EXPECT_NE(text.find("[WARNING] module 3 (run): number 2\n"), std::string::npos) << text;
	EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
	EXPECT_NE(take_message().find("fmt is NULL"), std::string::npos);
}

/* The device has no log, so none of them is called. */
TEST(Log, FunctionsForRecordsOfDevicesAreKept)
{
	const acllogRecordCallback function = [](void *, uint32_t, const char *, size_t) {
		ADD_FAILURE();
		return 0;
	};
	std::vector<acllogCallbackHandle> handles(16);
	acllogCallbackHandle more = 0;

	for (acllogCallbackHandle &handle : handles)
		EXPECT_EQ(acllogRegisterCallback(function, nullptr, OUTPUT_TYPE_BOTH, &handle), 0);
	EXPECT_EQ(acllogRegisterCallback(function, nullptr, OUTPUT_TYPE_RUN, &more), -1);
	EXPECT_NE(take_message().find("16 functions"), std::string::npos);
	EXPECT_EQ(acllogUnregisterCallback(handles[3]), 0);
	EXPECT_EQ(acllogUnregisterCallback(handles[3]), -1);
	EXPECT_NE(take_message().find("callback"), std::string::npos);
	EXPECT_EQ(acllogRegisterCallback(function, nullptr, OUTPUT_TYPE_DEBUG, &handles[3]), 0);
	for (const acllogCallbackHandle handle : handles)
		EXPECT_EQ(acllogUnregisterCallback(handle), 0);
	EXPECT_EQ(acllogRegisterCallback(nullptr, nullptr, OUTPUT_TYPE_BOTH, &more), -1);
	EXPECT_EQ(acllogRegisterCallback(function, nullptr, OUTPUT_TYPE_BOTH, nullptr), -1);
	EXPECT_EQ(acllogRegisterCallback(function, nullptr, OUTPUT_TYPE_MAX, &more), -1);
	EXPECT_EQ(acllogUnregisterCallback(0), -1);
}

TEST(Log, ErrorTextsOnRequest)
{
	if (!alone())
		return;
	set_variable("UNPU_LOG_ERRORS", "1");
	const std::string text = stderr_of(fail);

	EXPECT_NE(text.find("INVALID_DEVICE"), std::string::npos) << text;
	EXPECT_NE(text.find("-7"), std::string::npos) << text;
	EXPECT_NE(take_message().find("-7"), std::string::npos) << "it is kept all the same";
}

/* Repeated sentences are counted: the count is logged before the next other sentence, and at exit. */
TEST(Log, RepeatedSentencesAreCounted)
{
	if (!alone())
		return;
	set_variable("UNPU_LOG_ERRORS", "1");
	const auto count = [](const std::string &text, const char *what) {
		size_t found = 0;

		for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1))
			found++;
		return found;
	};
	const std::string text = stderr_of([] {
		for (int i = 0; i < 1000; ++i) {
			fail();
			EXPECT_NE(aclrtSetDevice(-8), ACL_SUCCESS) << "one of two, by turns";
		}
		EXPECT_NE(aclrtSetDevice(-9), ACL_SUCCESS);
		fail();
	});

	EXPECT_EQ(count(text, "-7"), 4u) << text;
	EXPECT_EQ(count(text, "-8"), 4u) << text;
	EXPECT_EQ(count(text, "(997 more times)"), 2u) << text;
	EXPECT_LT(text.rfind("(997 more times)"), text.find("-9")) << text;
	EXPECT_EQ(count(text, "-9"), 1u) << text;
	EXPECT_NE(take_message().find("-7"), std::string::npos) << "it is kept all the same";

#if !defined(UNPU_ASAN) /* its leak checker takes memory of the parent's threads for lost */
	const ScratchFile file("exit");
	const pid_t child = fork();
	if (child == 0) {
		const int opened = open(file.path(), O_WRONLY | O_CREAT | O_TRUNC, 0600);

		dup2(opened, STDERR_FILENO);
		for (int i = 0; i < 5; ++i)
			(void)aclrtSetDevice(-7);
		exit(0);
	}
	int status = -1;
	EXPECT_EQ(TEMP_FAILURE_RETRY(waitpid(child, &status, 0)), child);
	EXPECT_EQ(status, 0);
	EXPECT_EQ(count(file.text(), "unpu: "), 4u) << file.text();
	EXPECT_EQ(count(file.text(), "(2 more times)"), 1u) << file.text();
#endif
}

TEST(Log, GoesToTheFileThatIsNamed)
{
	if (!alone())
		return;
	const ScratchFile file("log");

	std::ofstream(file.path()) << "first\n";
	set_variable("UNPU_LOG_FILE", file.path());
	set_variable("UNPU_LOG_LEVEL", "3");
	set_variable("UNPU_LOG_ERRORS", "1");
	EXPECT_EQ(stderr_of([] {
			  log_all_levels();
			  fail();
		  }),
		  "");
	const std::string text = file.text();

	EXPECT_EQ(text.find("first\n"), 0u) << "what was there stays: " << text;
	EXPECT_NE(text.find("number 3\n"), std::string::npos) << text;
	EXPECT_NE(text.find("-7"), std::string::npos) << text;
}

TEST(Log, AFileThatCanNotBeOpenedLeavesItOnStandardError)
{
	if (!alone())
		return;
	set_variable("UNPU_LOG_FILE", "/nonexistent/folder/log");
	set_variable("UNPU_LOG_LEVEL", "3");
	EXPECT_NE(stderr_of(log_all_levels).find("number 3\n"), std::string::npos);
}

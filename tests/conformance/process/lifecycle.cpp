// SPDX-License-Identifier: MIT
/*
 * DOC: callbacks of aclInit and aclFinalize
 *
 * Which callbacks are called, when, with which arguments, and what their result changes. Each case
 * runs in a process of its own, because registrations belong to a process.
 */
#include "support/child_process.h"

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

using namespace conformance;

namespace {

constexpr aclError kRefusal = 4711;

/* What callbacks have seen, in order. */
struct Diary {
	std::vector<std::string> lines;
	aclError answer = ACL_SUCCESS;
};

aclError note_init(const char *config, size_t size, void *diary)
{
	auto *mine = static_cast<Diary *>(diary);

	mine->lines.push_back("init " + std::string(config, size));
	return mine->answer;
}

aclError note_other_init(const char *, size_t, void *diary)
{
	static_cast<Diary *>(diary)->lines.push_back("other init");
	return ACL_SUCCESS;
}

aclError note_finalize(void *diary)
{
	auto *mine = static_cast<Diary *>(diary);

	mine->lines.push_back("finalize");
	return mine->answer;
}

/* A callback may use the library, as far as it is there. */
aclError use_library(const char *, size_t, void *)
{
	int32_t device = -1;

	EXPECT_OK(aclrtSetDevice(0));
	EXPECT_OK(aclrtGetDevice(&device));
	EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
	expect_device_works();
	EXPECT_OK(aclrtResetDevice(0));
	return ACL_SUCCESS;
}

aclError use_device(void *)
{
	expect_device_works();
	return ACL_SUCCESS;
}

using Lines = std::vector<std::string>;

} // namespace

TEST(InitCallback, GetsTheConfiguration)
{
	if (!alone())
		return;
	const std::string path = testing::TempDir() + "unpu-init-" + std::to_string(getpid());
	const std::string text = "{\"err_msg_mode\": \"0\"}";
	Diary diary;

	std::ofstream(path) << text;
	EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, note_init, &diary));
	EXPECT_EQ(diary.lines, Lines());
	EXPECT_OK(aclInit(path.c_str()));
	EXPECT_EQ(diary.lines, Lines{"init " + text});
	EXPECT_EQ(aclInit(path.c_str()), ACL_ERROR_REPEAT_INITIALIZE);
	EXPECT_EQ(diary.lines.size(), 1u) << "a call that only counts tells nobody";
	EXPECT_OK(aclFinalize());
	EXPECT_OK(aclInit(path.c_str()));
	EXPECT_EQ(diary.lines.size(), 2u);
	EXPECT_OK(aclFinalize());
	std::remove(path.c_str());
}

TEST(InitCallback, OfALateRegistrationRunsAtOnce)
{
	if (!alone())
		return;
	Diary diary;

	EXPECT_OK(aclInit(nullptr));
	EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, note_init, &diary));
	EXPECT_EQ(diary.lines, Lines{"init "});
	EXPECT_OK(aclFinalize());
}

TEST(InitCallback, ARefusalEndsAclInit)
{
	if (!alone())
		return;
	Diary diary;

	diary.answer = kRefusal;
	EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_RETR, note_init, &diary));
	EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_DVPP, note_other_init, &diary));
	EXPECT_FAILS(kRefusal, "4711", aclInit(nullptr));
	EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), kRefusal);
	EXPECT_EQ(diary.lines, Lines{"init "}) << "the later one is not told";
	uint64_t left = 99;

	EXPECT_FAILS(ACL_ERROR_REPEAT_FINALIZE, "initialised", aclFinalizeReference(&left));
	diary.answer = ACL_SUCCESS;
	EXPECT_OK(aclInit(nullptr));
	EXPECT_EQ(diary.lines, (Lines{"init ", "init ", "other init"}));
	EXPECT_OK(aclFinalize());
}

TEST(InitCallback, ARefusalEndsALateRegistration)
{
	if (!alone())
		return;
	Diary diary;

	diary.answer = kRefusal;
	EXPECT_OK(aclInit(nullptr));
	EXPECT_FAILS(kRefusal, "4711",
		     aclInitCallbackRegister(ACL_REG_TYPE_ACL_RETR, note_init, &diary));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "not registered",
		     aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_RETR, note_init));
	EXPECT_OK(aclFinalize());
}

TEST(InitCallback, IsUnregisteredByTypeAndFunction)
{
	if (!alone())
		return;
	Diary diary;

	EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, note_init, &diary));
	EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, note_other_init, &diary));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "not registered",
		     aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, note_init));
	EXPECT_OK(aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, note_init));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "not registered",
		     aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, note_init));
	EXPECT_OK(aclInit(nullptr));
	EXPECT_EQ(diary.lines, Lines{"other init"});
	EXPECT_OK(aclFinalize());
}

TEST(InitCallback, MayUseTheLibrary)
{
	if (!alone())
		return;
	uint64_t left = 99;

	EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, use_library, nullptr));
	EXPECT_OK(aclInit(nullptr));
	EXPECT_OK(aclFinalizeReference(&left));
	EXPECT_EQ(left, 1u) << "the callback's own aclInit counts";
	EXPECT_OK(aclFinalize());
}

TEST(FinalizeCallback, RunsOnceAndBeforeTheDevicesClose)
{
	if (!alone())
		return;
	Diary diary;
	uint64_t left = 99;

	EXPECT_OK(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, use_device, nullptr));
	EXPECT_OK(aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_MODEL, note_finalize, &diary));
	ASSERT_NO_FATAL_FAILURE(open_device());
	EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
	EXPECT_OK(aclFinalizeReference(&left));
	EXPECT_EQ(diary.lines, Lines()) << "one reference is left";
	EXPECT_OK(aclFinalizeReference(&left));
	EXPECT_EQ(diary.lines, Lines{"finalize"});
	EXPECT_FAILS(ACL_ERROR_REPEAT_FINALIZE, "initialised", aclFinalize());
	EXPECT_EQ(diary.lines.size(), 1u);
}

TEST(FinalizeCallback, ItsFailureIsReportedAndDoesNotStopFinalize)
{
	if (!alone())
		return;
	Diary failing;
	Diary diary;

	failing.answer = kRefusal;
	EXPECT_OK(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, note_finalize, &failing));
	EXPECT_OK(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, note_finalize, &diary));
	EXPECT_OK(aclInit(nullptr));
	EXPECT_FAILS(kRefusal, "4711", aclFinalize());
	EXPECT_EQ(diary.lines, Lines{"finalize"});
	EXPECT_FAILS(ACL_ERROR_REPEAT_FINALIZE, "initialised", aclFinalize());
	EXPECT_OK(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_OTHER, note_finalize));
	EXPECT_OK(aclInit(nullptr));
	EXPECT_OK(aclFinalize());
	EXPECT_EQ(diary.lines.size(), 1u) << "both registrations are gone";
}

TEST(Callback, WrongArguments)
{
	if (!alone())
		return;
	const auto strange = raw_enum<aclRegisterCallbackType>(8);

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "cbFunc",
		     aclInitCallbackRegister(ACL_REG_TYPE_OTHER, nullptr, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "cbFunc",
		     aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "cbFunc",
		     aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, nullptr, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "cbFunc",
		     aclFinalizeCallbackUnRegister(ACL_REG_TYPE_OTHER, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "type",
		     aclInitCallbackRegister(strange, note_init, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "type",
		     aclFinalizeCallbackRegister(strange, note_finalize, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "type",
		     aclInitCallbackUnRegister(raw_enum<aclRegisterCallbackType>(-1), note_init));
}

/* Documents differ on whether one aclFinalize ends one aclInit or all (adr/0019). */
TEST(Finalize, TheFirstOneOfAProcessThatNeverInitialised)
{
	if (!alone())
		return;
	EXPECT_OK(aclFinalize());
	EXPECT_FAILS(ACL_ERROR_REPEAT_FINALIZE, "initialised", aclFinalize());
}

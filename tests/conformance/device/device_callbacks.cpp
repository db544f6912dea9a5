// SPDX-License-Identifier: MIT
/*
 * DOC: callbacks of devices, and what runs while one is reset
 */
#include "support/child_process.h"

#include <atomic>
#include <thread>
#include <vector>

using namespace conformance;

namespace {

using DeviceCallbacks = InitTest;
using Contexts = DeviceTest;

struct Seen {
	int32_t device;
	aclrtDeviceState state;

	bool operator==(const Seen &other) const
	{
		return device == other.device && state == other.state;
	}
};

using Diary = std::vector<Seen>;

void note(int32_t device, aclrtDeviceState state, void *diary)
{
	static_cast<Diary *>(diary)->push_back({device, state});
}

/* The state that a callback finds before and after a device is set and reset. */
void look(int32_t device, aclrtDeviceState state, void *calls)
{
	int32_t active = -1;

	++*static_cast<int *>(calls);
	EXPECT_OK(aclrtGetPrimaryCtxState(device, nullptr, &active));
	const bool there =
		state == ACL_RT_DEVICE_STATE_SET_POST || state == ACL_RT_DEVICE_STATE_RESET_PRE;

	EXPECT_EQ(active, there);
	if (there)
		expect_device_works();
}

/* A registration for the time of a scope. */
class Registration {
public:
	Registration(const char *name, aclrtDeviceStateCallback callback, void *args) : name_(name)
	{
		EXPECT_OK(aclrtRegDeviceStateCallback(name, callback, args));
	}
	~Registration() { EXPECT_OK(aclrtRegDeviceStateCallback(name_, nullptr, nullptr)); }

private:
	const char *name_;
};

constexpr Seen kSetPre = {0, ACL_RT_DEVICE_STATE_SET_PRE};
constexpr Seen kSetPost = {0, ACL_RT_DEVICE_STATE_SET_POST};
constexpr Seen kResetPre = {0, ACL_RT_DEVICE_STATE_RESET_PRE};
constexpr Seen kResetPost = {0, ACL_RT_DEVICE_STATE_RESET_POST};

} // namespace

TEST_F(DeviceCallbacks, AreCalledForEachSetAndReset)
{
	Diary diary;
	{
		const Registration mine("mine", note, &diary);

		EXPECT_OK(aclrtSetDevice(0));
		EXPECT_EQ(diary, (Diary{kSetPre, kSetPost}));
		EXPECT_OK(aclrtSetDevice(0));
		EXPECT_OK(aclrtResetDevice(0));
		EXPECT_EQ(diary,
			  (Diary{kSetPre, kSetPost, kSetPre, kSetPost, kResetPre, kResetPost}));
		diary.clear();
		EXPECT_OK(aclrtResetDeviceForce(0));
		EXPECT_EQ(diary, (Diary{kResetPre, kResetPost}));
		diary.clear();
		EXPECT_NE(aclrtResetDevice(0), ACL_SUCCESS);
		EXPECT_NE(aclrtSetDevice(99), ACL_SUCCESS);
		EXPECT_EQ(diary, Diary()) << "nothing was set or reset";
	}
	EXPECT_OK(aclrtSetDevice(0));
	EXPECT_EQ(diary, Diary()) << "the registration is gone";
	take_message();
}

TEST_F(DeviceCallbacks, MayCallTheLibrary)
{
	int calls = 0;
	const Registration mine("looks", look, &calls);

	EXPECT_OK(aclrtSetDevice(0));
	EXPECT_OK(aclrtResetDevice(0));
	EXPECT_EQ(calls, 4);
}

TEST_F(DeviceCallbacks, HaveNames)
{
	Diary diary;
	const Registration first("first", note, &diary);
	const Registration second("second", note, &diary);

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "already",
		     aclrtRegDeviceStateCallback("first", note, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "no callback",
		     aclrtRegDeviceStateCallback("third", nullptr, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "empty",
		     aclrtRegDeviceStateCallback("", note, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "regName",
		     aclrtRegDeviceStateCallback(nullptr, note, nullptr));
	EXPECT_OK(aclrtSetDevice(0));
	EXPECT_EQ(diary.size(), 4u) << "both were told";
}

TEST(DefaultDevice, IsPassedToCallbacks)
{
	if (!alone())
		return;
	const std::string path = testing::TempDir() + "unpu-default-" + std::to_string(getpid());
	FILE *file = fopen(path.c_str(), "w");

	ASSERT_NE(file, nullptr);
	fputs("{\"defaultDevice\": {\"default_device\": 0}}", file);
	fclose(file);
	Diary diary;

	ASSERT_OK(aclInit(path.c_str()));
	remove(path.c_str());
	EXPECT_OK(aclrtRegDeviceStateCallback("mine", note, &diary));
	expect_device_works();
	EXPECT_EQ(diary, (Diary{kSetPre, kSetPost}));
	EXPECT_OK(aclFinalize());
}

TEST_F(Contexts, AHostFunctionMayCallTheLibraryWhileItsDeviceIsReset)
{
	std::atomic<int> state{0};

	EXPECT_OK(aclrtLaunchHostFunc(
		nullptr,
		[](void *args) {
			int32_t active = -1;

			EXPECT_EQ(aclrtGetPrimaryCtxState(0, nullptr, &active), ACL_SUCCESS);
			static_cast<std::atomic<int> *>(args)->store(1);
		},
		&state));
	EXPECT_OK(aclrtResetDevice(0));
	EXPECT_EQ(state.load(), 1);
	EXPECT_OK(aclrtSetDevice(0));
}

/* The winner waits for a host function, which waits until the other one was refused. */
TEST_F(Contexts, Check33_DestroyWhileAnotherThreadDestroys)
{
	constexpr int kTurns = 100000000;
	aclrtContext home = nullptr;
	aclrtContext context = nullptr;
	std::atomic<bool> refused{false};
	std::atomic<int> destroyed{0};

	EXPECT_OK(aclrtGetCurrentContext(&home));
	EXPECT_OK(aclrtCreateContext(&context, 0));
	EXPECT_OK(aclrtLaunchHostFunc(
		nullptr,
		[](void *args) {
			const auto *told = static_cast<std::atomic<bool> *>(args);

			for (int turn = 0; turn < kTurns && !told->load(); ++turn)
				std::this_thread::yield();
		},
		&refused));
	const auto destroy = [&] {
		const aclError rc = aclrtDestroyContext(context);

		if (rc == ACL_SUCCESS) {
			++destroyed;
			return;
		}
		EXPECT_TRUE(failed_with(rc, ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, "being destroyed"));
		refused = true;
	};
	std::thread other(destroy);

	destroy();
	other.join();
	EXPECT_TRUE(refused.load());
	EXPECT_EQ(destroyed.load(), 1);
	EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "context", aclrtDestroyContext(context));
	EXPECT_OK(aclrtSetCurrentContext(home));
}

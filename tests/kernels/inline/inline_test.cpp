// SPDX-License-Identifier: MIT
/*
 * DOC: The key kernels= of the device string
 *
 * With kernels=inline kernels run in the program that has the firmware in it. Firmware of another process refuses the
 * key with a sentence, and runs kernels in workers of its own. Each case is a process of its own, which has one device
 * string.
 */
#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abilities.h"
#include "acl/acl.h"

int launch_tell_process(void *stream, void *to);
int launch_follow(void *stream, uint64_t address);

namespace {

/* The firmware that runs beside this test. */
std::string unix_device()
{
	const char *device = getenv("UNPU_DEVICE");

	return device ? device : "";
}

/* Runs @body in a child with the device string. Return: how it ended, as waitpid() tells. */
int with_device(const std::string &device, const std::function<int()> &body)
{
	const pid_t child = fork();

	if (child == 0) {
		setenv("UNPU_DEVICE", device.c_str(), 1);
		_exit(body());
	}
	int status = -1;

	EXPECT_EQ(waitpid(child, &status, 0), child);
	return status;
}

bool is_good(int status)
{
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* 0: the program does not get a device, and the sentence says why. */
int be_refused()
{
	const aclError error = aclInit(nullptr);
	const char *told = aclGetRecentErrMsg();
	const std::string text = told ? told : "";
	const bool says_why = text.find("kernels= is for sim: alone, where the program has the "
					"firmware in it") != std::string::npos;

	if (error == ACL_SUCCESS || !says_why)
		fprintf(stderr, "%d: %s\n", error, text.c_str());
	return error != ACL_SUCCESS && says_why ? 0 : 1;
}

/* A device with a stream, and memory for a number. */
struct Program {
	Program()
	{
		is_open = aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(0) == ACL_SUCCESS &&
			  aclrtCreateStream(&stream) == ACL_SUCCESS &&
			  aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_NORMAL_ONLY) == ACL_SUCCESS;
	}
	/* The process that a kernel ran in, 0: it did not; and how many have run there. */
	struct Place {
		int64_t process = 0;
		int64_t told = 0;
	};
	Place place() const
	{
		Place place;

		if (launch_tell_process(stream, memory) != 0 ||
		    aclrtSynchronizeStream(stream) != ACL_SUCCESS ||
		    aclrtMemcpy(&place, sizeof(place), memory, sizeof(place),
				ACL_MEMCPY_DEVICE_TO_HOST) != ACL_SUCCESS)
			fprintf(stderr, "%s\n", aclGetRecentErrMsg());
		return place;
	}

	bool is_open = false;
	aclrtStream stream = nullptr;
	void *memory = nullptr;
};

/* 0: kernels run in the program. */
int run_inside()
{
	const Program program;

	return program.is_open && program.place().process == getpid() ? 0 : 1;
}

/* 0: kernels run in another process, a wild pointer ends that one, and the next kernel runs. */
int run_outside()
{
	const Program program;
	const Program::Place first = program.is_open ? program.place() : Program::Place{};

	if (first.told != 1 || first.process == getpid() || launch_follow(program.stream, 8) != 0 ||
	    aclrtSynchronizeStream(program.stream) != ACL_ERROR_RT_VECTOR_CORE_EXCEPTION)
		return 1;
	const Program::Place second = program.place();

	return second.told == 1 && second.process != getpid() ? 0 : 1;
}

/* Ends with the signal of the kernel. */
int follow_inside()
{
	const Program program;

	signal(SIGSEGV, SIG_DFL);
	(void)launch_follow(program.stream, 8);
	(void)aclrtSynchronizeStream(program.stream);
	return 0;
}

} // namespace

TEST(KernelsInline, AreRefusedByFirmwareOfAnotherProcess)
{
	SKIP_WITHOUT_WORKERS();
	ASSERT_EQ(unix_device().rfind("unix:", 0), 0u);
	for (const char *key : {"kernels=inline", "kernels=worker"}) {
		EXPECT_TRUE(is_good(with_device(unix_device() + "," + key, be_refused))) << key;
		EXPECT_TRUE(is_good(with_device(std::string("sim+proc:") + key, be_refused)))
			<< key;
	}
	/* The refused programs have left nothing in the firmware. */
	EXPECT_TRUE(is_good(with_device(unix_device(), run_outside)));
}

TEST(KernelsInline, RunInWorkersWithoutTheKey)
{
	SKIP_WITHOUT_WORKERS();
	EXPECT_TRUE(is_good(with_device(unix_device(), run_outside)));
	EXPECT_TRUE(is_good(with_device("sim+proc:", run_outside)));
	EXPECT_TRUE(is_good(with_device("sim:", run_outside)));
	EXPECT_TRUE(is_good(with_device("sim:kernels=worker", run_outside)));
}

TEST(KernelsInline, RunInTheProgramThatHasTheFirmware)
{
	EXPECT_TRUE(is_good(with_device("sim:kernels=inline", run_inside)));
	EXPECT_TRUE(is_good(with_device("sim:step,kernels=inline", run_inside)));
}

TEST(KernelsInline, EndTheProgramWithTheirSignal)
{
	const int status = with_device("sim:kernels=inline", follow_inside);

	ASSERT_TRUE(WIFSIGNALED(status)) << status;
	EXPECT_EQ(WTERMSIG(status), SIGSEGV);
}

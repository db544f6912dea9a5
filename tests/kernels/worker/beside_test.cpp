// SPDX-License-Identifier: MIT
/*
 * DOC: What a client causes beside the device's thread, tested
 *
 * Kernels have a lower priority than the device, whatever that has. Files of images are freed by an upkeep thread:
 * while it stands still, they stay.
 */
#include <atomic>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "base/clock.h"
#include "kernel_client.h"
#include "tests/common/folder.h"

namespace {

using namespace kernels;
namespace fs = std::filesystem;

/* An upkeep thread frees what is as long. */
constexpr uint64_t LONG_BYTES = uint64_t{512} << 10;

TEST(BesideTheDevice, KernelsHaveTenNiceValuesMore)
{
	SKIP_WITHOUT_WORKERS();
	int usual = 0, of_kernels = 0;
	/* A thread of its own: who has a low priority can't always have the old one back. */
	std::thread([&] {
		(void)setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + 3);
		usual = getpriority(PRIO_PROCESS, 0);
		KernelClient client;
		client.load_good();
		const std::vector<int> processes = workers();
		ASSERT_EQ(processes.size(), 1u);
		of_kernels = getpriority(PRIO_PROCESS, static_cast<id_t>(processes[0]));
	}).join();
	EXPECT_EQ(of_kernels, std::min(usual + 10, 19));
}

/* awaits() - Return: whether @over comes true. */
template <class Over> bool awaits(Over over)
{
	const uint64_t end_ns = base::deadline_after(20 * base::NS_PER_S);
	while (!over() && base::now_ns() < end_ns)
		sched_yield();
	return over();
}

std::atomic<unsigned> standing{0};
std::atomic<bool> may_go{false};

void stand(int)
{
	standing++;
	while (!may_go)
		sched_yield();
}

/* The upkeep threads of this process stand still until go(). */
class StandingUpkeep {
public:
	StandingUpkeep()
	{
		standing = 0;
		may_go = false;
		struct sigaction action {};
		action.sa_handler = stand;
		sigaction(SIGUSR2, &action, &before_);
	}

	~StandingUpkeep()
	{
		go();
		sigaction(SIGUSR2, &before_, nullptr);
	}

	void stop()
	{
		for (const auto &entry : fs::directory_iterator("/proc/self/task")) {
			std::ifstream file(entry.path() / "comm");
			std::string name;
			std::getline(file, name);
			if (name == "unpu-upkeep" &&
			    syscall(SYS_tgkill, getpid(), std::stoi(entry.path().filename()),
				    SIGUSR2) == 0)
				standing_++;
		}
		EXPECT_TRUE(awaits([this] { return standing >= standing_; }));
	}

	void go() { may_go = true; }
	unsigned count() const { return standing_; }

private:
	struct sigaction before_ {};
	unsigned standing_ = 0;
};

size_t image_files()
{
	size_t count = 0;
	for (const auto &entry : fs::directory_iterator("/proc/self/fd")) {
		std::error_code gone;
		const std::string link = fs::read_symlink(entry.path(), gone);
		count += link.find("memfd:unpu-image") != std::string::npos;
	}
	return count;
}

bool files_go()
{
	return awaits([] { return image_files() == 0; });
}

/* load_long() - loads an image with zeros behind it. */
Status load_long(KernelClient &client, const std::string &name, uint32_t &image)
{
	const std::vector<std::byte> bytes = read_image(name);
	Memory copy = client.memory(LONG_BYTES);
	EXPECT_LT(bytes.size(), LONG_BYTES);
	memcpy(copy.window.data(), bytes.data(), bytes.size());
	unpu_message message{};
	message.type = UNPU_MSG_KERNEL_LOAD;
	message.kernel.va = copy.va;
	message.kernel.bytes = LONG_BYTES;
	const Status status = client.host().call(message);
	image = message.kernel.image;
	return status;
}

TEST(BesideTheDevice, AnImageThatIsUnloadedIsFreedByAnUpkeepThread)
{
	SKIP_WITHOUT_WORKERS();
	KernelClient client;
	uint32_t image = 0, other = 0;
	ASSERT_EQ(load_long(client, "good_image", image), Status::OK);
	StandingUpkeep upkeep;
	upkeep.stop();
	ASSERT_NE(upkeep.count(), 0u);
	unpu_message message{};
	message.type = UNPU_MSG_KERNEL_UNLOAD;
	message.kernel.image = image;
	EXPECT_EQ(client.host().call(message), Status::OK);
	/* A short one is copied in place, and loaded when the worker has forgotten the other one. */
	EXPECT_EQ(client.load("no_image", other), Status::BAD_KERNEL);
	EXPECT_EQ(image_files(), 1u);
	upkeep.go();
	EXPECT_TRUE(files_go());
}

/* A worker that begins its work when a file is there, and makes another one before. */
class LateWorker {
public:
	LateWorker()
	{
		const std::string program = folder_.file("worker");
		const std::string real =
			fs::read_symlink("/proc/self/exe").parent_path() / "unpu-kernel-worker";
		std::ofstream(program)
			<< "#!/bin/sh\n: > " << folder_.file("begun") << "\nwhile ! [ -e "
			<< folder_.file("go") << " ]; do sleep 0.01; done\nexec " << real << "\n";
		fs::permissions(program, fs::perms::owner_all);
		setenv("UNPU_KERNEL_WORKER", program.c_str(), 1);
	}

	~LateWorker() { unsetenv("UNPU_KERNEL_WORKER"); }

	void await() const
	{
		EXPECT_TRUE(awaits([this] { return fs::exists(folder_.file("begun")); }));
	}

	void go() const { std::ofstream(folder_.file("go")) << "go"; }

private:
	Folder folder_;
};

TEST(BesideTheDevice, AnImageThatDoesNotLoadIsFreedByAnUpkeepThread)
{
	SKIP_WITHOUT_WORKERS();
	const LateWorker worker;
	KernelClient client;
	StandingUpkeep upkeep;
	/* The copy is ready when a worker starts. */
	std::thread between([&] {
		worker.await();
		upkeep.stop();
		worker.go();
	});
	uint32_t image = 0;
	EXPECT_EQ(load_long(client, "no_image", image), Status::BAD_KERNEL);
	between.join();
	ASSERT_NE(upkeep.count(), 0u);
	EXPECT_EQ(image_files(), 1u);
	upkeep.go();
	EXPECT_TRUE(files_go());
}

} // namespace

// SPDX-License-Identifier: MIT
/*
 * DOC: A firmware that lies, tested
 *
 * Something listens where a firmware should, and says what a firmware never would. A client says that
 * it has no such device, or has lost it; it never hangs, and never touches what is not there.
 */
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/kernel_info.h"
#include "base/os/socket.h"
#include "base/sync/ordering.h"
#include "drv/channel/channel.h"
#include "drv/device.h"
#include "drv/packet/packets.h"
#include "folder.h"
#include "tests/unit/support/liar.h"
#include "uapi/graph.h"
#include "umd/core/context/contexts.h"
#include "umd/core/device/call_listener.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/process.h"
#include "umd/core/stream/stream.h"

namespace {

using namespace lying;

TEST(LyingFirmware, AnHonestOneIsTaken)
{
	EXPECT_EQ(opening(honest), Status::OK);
}

TEST(LyingFirmware, HasImpossibleDevices)
{
	for (uint32_t devices : {0u, UNPU_MAX_DEVICES + 1, ~0u}) {
		const Liar liar([=](Segments &segments, base::FdMessage &reply) {
			honest(segments, reply);
			reply.message.probe.devices = devices;
			return true;
		});
		hal::Options options = liar.options();
		std::string why;
		EXPECT_EQ(hal::complete_options(options, why), Status::BAD_MESSAGE);
	}
}

TEST(LyingFirmware, HangsUpOrSaysSomethingElse)
{
	EXPECT_EQ(opening([](Segments &, base::FdMessage &) { return false; }),
		  Status::DEVICE_LOST);
	EXPECT_EQ(opening([](Segments &, base::FdMessage &reply) {
			  reply.message.type = UNPU_SOCKET_SNAPSHOT;
			  return true;
		  }),
		  Status::DEVICE_LOST);
}

TEST(LyingFirmware, HandsOverTooLittle)
{
	EXPECT_EQ(opening([](Segments &segments, base::FdMessage &reply) {
			  honest(segments, reply);
			  reply.count = 3;
			  return true;
		  }),
		  Status::BAD_MESSAGE);
	for (unsigned index : {0u, 1u, 2u}) {
		EXPECT_EQ(opening(attach_with(index,
					      [] {
						      return base::create_sealed("short", 16,
										 UNPU_PAGE_4K)
							      .take()
							      .fd.duplicate();
					      })),
			  index == 0 ? Status::VERSION_MISMATCH : Status::BAD_MESSAGE)
			<< index;
	}
}

TEST(LyingFirmware, HandsOverWhatItCouldTakeAway)
{
	for (unsigned index : {0u, 1u, 2u}) {
		EXPECT_EQ(opening(attach_with(index, [] { return unsealed(uint64_t{1} << 30); })),
			  Status::BAD_MESSAGE)
			<< index;
		EXPECT_EQ(opening(attach_with(index,
					      [] {
						      int ends[2];
						      EXPECT_EQ(pipe(ends), 0);
						      close(ends[1]);
						      return base::Fd(ends[0]);
					      })),
			  Status::BAD_MESSAGE)
			<< index;
	}
}

/* It could take such pages away too, and the next access would end the client. */
TEST(LyingFirmware, HandsOverPagesOfThePool)
{
	const auto of_pool = [] {
		base::Fd fd(memfd_create("pool", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_HUGETLB));
		EXPECT_EQ(ftruncate(fd.get(), off_t{64} << 20), 0);
		EXPECT_EQ(fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK), 0);
		return fd;
	};
	if (!base::Fd(memfd_create("pool", MFD_CLOEXEC | MFD_HUGETLB)).valid())
		GTEST_SKIP() << "this kernel has no huge pages";
	for (unsigned index : {0u, 1u, 2u})
		EXPECT_EQ(opening(attach_with(index, of_pool)), Status::BAD_MESSAGE) << index;
}

TEST(LyingFirmware, ShowsMoreThanAnyDeviceHas)
{
	for (uint64_t bytes : {uint64_t{1} << 29, uint64_t{1} << 40}) {
		const Liar liar([bytes](Segments &, base::FdMessage &reply) {
			base::Fd fd = unsealed(bytes);
			EXPECT_EQ(fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK), 0);
			reply.message.snapshot.bytes = bytes;
			return reply.add(std::move(fd));
		});
		std::string why;
		EXPECT_EQ(hal::look(liar.options(), 0, why).status(), Status::DEVICE_LOST);
	}
}

TEST(LyingFirmware, HandsOverAKickThatIsNoEventfd)
{
	constexpr unsigned KICK = 3;
	EXPECT_EQ(opening(attach_with(KICK,
				      [] {
					      int ends[2];
					      EXPECT_EQ(pipe(ends), 0);
					      close(ends[0]);
					      return base::Fd(ends[1]);
				      })),
		  Status::BAD_MESSAGE);
	EXPECT_EQ(opening(attach_with(KICK,
				      [] {
					      int ends[2];
					      EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends),
							0);
					      close(ends[0]);
					      return base::Fd(ends[1]);
				      })),
		  Status::BAD_MESSAGE);
}

/* A kick that blocked would not return, and the test would run into its time limit. */
TEST(LyingFirmware, FillsTheKick)
{
	base::Fd full(eventfd(0, EFD_CLOEXEC));
	const uint64_t most = ~uint64_t{0} - 1;
	ASSERT_EQ(write(full.get(), &most, sizeof(most)), ssize_t{sizeof(most)});
	Liar liar(attach_with(3, [&] { return full.duplicate(); }));
	std::string why;
	auto device = hal::open_device(liar.options(), 0, why);
	ASSERT_TRUE(device.ok()) << why;
	(*device)->kick();
	uint64_t found = 0;
	ASSERT_EQ(read(full.get(), &found, sizeof(found)), ssize_t{sizeof(found)});
	EXPECT_EQ(found, most);
	(*device)->kick();
	ASSERT_EQ(read(full.get(), &found, sizeof(found)), ssize_t{sizeof(found)});
	EXPECT_EQ(found, 1u);
}

TEST(LyingFirmware, IsOfAnotherVersion)
{
	for (auto spoil : std::vector<std::function<void(unpu_bar &)>>{
		     [](unpu_bar &bar) { bar.magic++; },
		     [](unpu_bar &bar) { bar.abi = 0; },
		     [](unpu_bar &bar) { bar.abi += 0x10000; },
		     [](unpu_bar &bar) { bar.abi--; },
		     [](unpu_bar &bar) { bar.packet_bytes = 0; },
		     [](unpu_bar &bar) { bar.max_semaphores = ~0u; },
	     })
		EXPECT_EQ(opening(honest,
				  [&](Segments &segments) {
					  spoil(*segments.bar_map.as<unpu_bar>());
				  }),
			  Status::VERSION_MISMATCH);
}

/* The fixture: a device that was opened honestly, and lies from then on. */
class LyingDevice : public testing::Test {
protected:
	void SetUp() override
	{
		std::string why;
		auto opened = drv::Device::open(liar.options(), 0, why);
		ASSERT_TRUE(opened.ok()) << why;
		device = opened.take();
	}

	Status ask()
	{
		{
			const base::NoteOrder order; /* the liar knows what to answer */
		}
		unpu_message message{};
		message.type = UNPU_MSG_MEMORY_INFO;
		return device->mailbox().call(message);
	}

	Liar liar{honest, UINT32_MAX - 1};
	std::unique_ptr<drv::Device> device;
};

TEST_F(LyingDevice, AnswersMoreRequestsThanTheSequenceCounts)
{
	liar.reply_with([](const unpu_message &, unpu_message &) {});
	EXPECT_TRUE(ask() == Status::OK && ask() == Status::OK && ask() == Status::OK);
}

TEST_F(LyingDevice, AnswersAnotherRequest)
{
	liar.reply_with([](const unpu_message &, unpu_message &reply) { reply.sequence += 7; });
	EXPECT_EQ(ask(), Status::DEVICE_LOST);
}

TEST_F(LyingDevice, AnswersWithAStatusOfItsOwn)
{
	liar.reply_with(
		[](const unpu_message &, unpu_message &reply) { reply.status = 0xdeadbeef; });
	Status status = ask();
	EXPECT_NE(status, Status::OK);
	EXPECT_STREQ(base::status_name(status), "UNKNOWN");
}

TEST_F(LyingDevice, NeverAnswersAndShowsNoLife)
{
	liar.segments.bar_map.as<unpu_bar>()->heartbeat = 5;
	EXPECT_EQ(ask(), Status::DEVICE_LOST);
	EXPECT_TRUE(device->hal().lost());
}

TEST_F(LyingDevice, NeverAnswersAndLives)
{
	liar.beats = true;
	EXPECT_EQ(ask(), Status::DEVICE_LOST);
	EXPECT_TRUE(device->hal().lost()) << "each later request would wait as long";
}

TEST_F(LyingDevice, CutsTheClientOffForNoReason)
{
	base::store_release(liar.segments.lines().status.broken, ~0u);
	EXPECT_EQ(ask(), Status::DEVICE_LOST);
}

TEST_F(LyingDevice, HandsOverSegmentsThatAreTooShort)
{
	liar.reply_with([](const unpu_message &request, unpu_message &reply) {
		reply.segment = request.segment;
		reply.segment.segment = 1;
	});
	auto segment = device->create_segment(UNPU_SEGMENT_PINNED, 1 << 20);
	EXPECT_EQ(segment.status(), Status::DEVICE_LOST) << "no descriptor beside the reply";
}

/* agreeing() - says yes to whatever is asked for. */
void agreeing(const unpu_message &request, unpu_message &reply)
{
	memcpy(reply.words, request.words, sizeof(reply.words));
	if (request.type == UNPU_MSG_SEGMENT_CREATE)
		reply.segment.segment = 1;
}

/* Words of replies that are none, one of sixteen. What a client makes of them stays within what it has. */
TEST_F(LyingDevice, AnswersAtRandom)
{
	constexpr unsigned ROUNDS = 300;
	unsigned loaded_well = 0;
	const auto random = std::make_shared<std::mt19937>(1);
	liar.beats = true;
	liar.segments.more = true;
	liar.reply_with([random](const unpu_message &request, unpu_message &reply) {
		const uint64_t words[] = {0,	       1, 8, 4096, uint64_t{1} << 31, ~uint64_t{0},
					  ~uint32_t{0}};
		agreeing(request, reply);
		for (uint64_t &word : reply.words) {
			if ((*random)() % 16 == 0)
				word = words[(*random)() % std::size(words)];
		}
	});
	std::vector<std::byte> image(4096);
	unpu_export_key key{};
	key.kind = UNPU_EXPORT_MEMORY;
	for (unsigned i = 0; i < ROUNDS; i++) {
		if (device->hal().lost()) {
			device.reset();
			SetUp();
		}
		std::string why;
		(void)device->memory().allocate(drv::Place::DEVICE, 4096, UNPU_PAGE_4K, why);
		(void)drv::Channel::create(*device, {});
		(void)device->memory_info();
		(void)device->info();
		(void)device->load_graph(image.data(), image.size());
		if (auto text = device->kernel_text(UNPU_KERNEL_TEXT_OUTPUT, 4096)) {
			EXPECT_LE(text->size(), 4096u);
		}
		if (auto shared = device->sharing().import_segment(key))
			(void)device->memory().import(*shared);
		if (const auto loaded = device->load_kernels(image))
			(void)device->kernel_info(*loaded);
		auto infos = device->kernel_info({1, 1});
		loaded_well += infos.ok();
		for (const unpu_kernel_info &info :
		     infos ? *infos : std::vector<unpu_kernel_info>())
			EXPECT_TRUE(base::is_good_kernel(info));
	}
	EXPECT_NE(loaded_well, 0u);
}

/* The fixture: a thread listens to the calls of a device that lies. */
class LyingCalls : public LyingDevice {
protected:
	static constexpr uint64_t END = 99;

	void SetUp() override
	{
		LyingDevice::SetUp();
		liar.beats = true;
		liar.segments.more = true;
		liar.reply_with(agreeing);
		ASSERT_EQ(listener().start([this](const umd::CallEntry &entry) {
			std::lock_guard lock(mutex);
			heard.push_back(entry.call);
		}),
			  Status::OK);
	}

	umd::CallListener &listener()
	{
		if (!listener_)
			listener_ = std::make_unique<umd::CallListener>(*device, "unpu-test", END);
		return *listener_;
	}

	/* say() - so many calls are there now, and this is what the last one's entry holds. */
	void say(uint64_t count, uint64_t call, uint64_t token, uint64_t sequence)
	{
		unpu_completion &lines = liar.segments.lines();
		unpu_call_entry &entry = lines.calls[(count - 1) % UNPU_CALL_QUEUE_ENTRIES];
		base::store_relaxed(entry.call, call);
		base::store_relaxed(entry.token, token);
		base::store_release(entry.sequence, sequence);
		jump(count);
	}

	void jump(uint64_t count)
	{
		uint64_t &value = liar.segments.lines().semaphores[UNPU_SEM_CALLS].value;
		base::store_release(value, count);
		base::futex_wake_all(reinterpret_cast<uint32_t &>(value), true);
	}

	std::vector<uint64_t> calls()
	{
		const std::atomic<bool> ends{false};
		listener().catch_up(600 * base::NS_PER_S, ends);
		std::lock_guard lock(mutex);
		return heard;
	}

	std::mutex mutex;
	std::vector<uint64_t> heard;

private:
	std::unique_ptr<umd::CallListener> listener_;
};

TEST_F(LyingCalls, AreTakenWhenAllTheirWordsFit)
{
	say(1, 5, 1, 1);
	EXPECT_EQ(calls(), (std::vector<uint64_t>{5}));
	say(2, 6, 2, 7); /* of another turn */
	say(3, 6, 9, 3); /* for another place */
	EXPECT_EQ(calls(), (std::vector<uint64_t>{5}));
	/* As if very many had come and gone. */
	jump(uint64_t{1} << 40);
	EXPECT_EQ(calls(), (std::vector<uint64_t>{5}));
	say((uint64_t{1} << 40) + 1, 7, (uint64_t{1} << 40) + 1, (uint64_t{1} << 40) + 1);
	EXPECT_EQ(calls(), (std::vector<uint64_t>{5, 7}));
	/* The tail moves backwards: entries that existed are gone. */
	jump(3);
	say((uint64_t{1} << 40) + 2, END, (uint64_t{1} << 40) + 2, (uint64_t{1} << 40) + 2);
	listener().stop();
	EXPECT_EQ(heard, (std::vector<uint64_t>{5, 7}));
}

TEST_F(LyingCalls, EndWhenThereAreMoreThanThereCanBe)
{
	jump(~uint64_t{0});
	listener().stop();
	EXPECT_TRUE(heard.empty());
}

TEST_F(LyingCalls, EndWhenTheLastOneIsWithheld)
{
	listener().stop();
	EXPECT_TRUE(device->hal().lost());
}

TEST_F(LyingCalls, AreAnsweredIntoARingThatIsNotRead)
{
	for (unsigned i = 0; i < 2000 && !device->hal().lost(); i++)
		listener().finish(1);
	EXPECT_TRUE(device->hal().lost());
	listener().stop();
}

/* The fixture: a program whose firmware lives, agrees to everything and does none of its tasks. */
class LyingRuntime : public testing::Test {
protected:
	void SetUp() override
	{
		liar.beats = true;
		liar.segments.more = true;
		liar.reply_with(agreeing);
		auto device = "unix:" + liar.options().path + ",patience_ms=200";
		ASSERT_EQ(setenv("UNPU_DEVICE", device.c_str(), 1), 0);
		(void)umd::Process::get().finalize();
		ASSERT_EQ(umd::Process::get().init(nullptr), Status::OK);
		ASSERT_EQ(umd::Contexts::get().set_device(0), Status::OK) << umd::take_error();
	}

	void TearDown() override
	{
		(void)umd::Process::get().finalize();
		unsetenv("UNPU_DEVICE");
	}

	/* Some work that will never be done; a host function among it, so that there is a thread for
	 * them. */
	void work()
	{
		auto context = umd::Contexts::get().current();
		ASSERT_TRUE(context.ok());
		ASSERT_TRUE((*context)->open->calls.add({.fn = [](void *) {}}).ok());
		for (unsigned i = 0; i < 2; i++) {
			auto stream = umd::create_stream(**context, 0, 0);
			ASSERT_TRUE(stream.ok()) << umd::take_error();
			ASSERT_TRUE(umd::submit(**stream, drv::nop_packet(0)).ok());
		}
	}

	/* It can be opened again, and it was closed. */
	void expect_closed()
	{
		bool active = true;
		EXPECT_EQ(umd::Contexts::get().primary_state(0, active), Status::OK);
		EXPECT_FALSE(active);
		EXPECT_EQ(umd::Contexts::get().set_device(0), Status::OK) << umd::take_error();
		EXPECT_EQ(umd::Contexts::get().reset_device(0, true), Status::OK)
			<< umd::take_error();
	}

	Liar liar{honest};
};

/* cuDevicePrimaryCtxReset() comes to the same. */
TEST_F(LyingRuntime, ResetsByForce)
{
	work();
	EXPECT_EQ(umd::Contexts::get().reset_device(0, true), Status::DEVICE_LOST);
	EXPECT_THAT(umd::take_error(), testing::HasSubstr("device 0 is lost"));
	expect_closed();
}

TEST_F(LyingRuntime, Resets)
{
	work();
	EXPECT_EQ(umd::Contexts::get().reset_device(0, false), Status::DEVICE_LOST);
	expect_closed();
}

TEST_F(LyingRuntime, Finalizes)
{
	work();
	EXPECT_EQ(umd::Process::get().finalize(), Status::DEVICE_LOST);
	EXPECT_EQ(umd::Process::get().init(nullptr), Status::OK);
	expect_closed();
}

TEST_F(LyingRuntime, DestroysContexts)
{
	auto context = umd::Contexts::get().create_context(0);
	ASSERT_TRUE(context.ok());
	work();
	EXPECT_EQ(umd::Contexts::get().destroy_context(
			  reinterpret_cast<void *>((*context)->handle.now())),
		  Status::DEVICE_LOST);
	EXPECT_EQ(umd::Contexts::get().reset_device(0, true), Status::OK);
	expect_closed();
}

TEST_F(LyingRuntime, ResetsWhenNothingIsAnsweredAnyMore)
{
	work();
	liar.reply_with(nullptr);
	EXPECT_EQ(umd::Contexts::get().reset_device(0, true), Status::DEVICE_LOST);
	liar.reply_with(agreeing);
	expect_closed();
}

} // namespace

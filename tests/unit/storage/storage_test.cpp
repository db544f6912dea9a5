// SPDX-License-Identifier: MIT
/*
 * DOC: storage threads, tested
 *
 * A client waits for its own files only. The client's account counts its threads.
 */
#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "firmware_sim/storage/storage.h"
#include "uapi/operator.h"

namespace {

using namespace fw;
using base::Status;

constexpr uint64_t BYTES = 4096;
constexpr uint64_t PATIENCE_NS = 20 * base::NS_PER_S;

struct Owner final : Waiter {
	void woken(Status, uint64_t, uint64_t) override {}
};

constexpr uint64_t VA = 1u << 20;

/* A client with mapped memory of its own, which its transfers hold. */
struct ClientQueue {
	std::shared_ptr<Account> account;
	Owner owner;
	std::vector<std::byte> memory{BYTES};

	Mmu mmu;

	explicit ClientQueue(std::shared_ptr<Account> of) : account(std::move(of))
	{
		auto segment = std::make_shared<Segment>();
		segment->data = memory.data();
		segment->bytes = BYTES;
		EXPECT_EQ(mmu.map(VA, BYTES, segment, 0, UNPU_ACCESS_MASK), Status::OK);
	}

	std::unique_ptr<Transfer> read(std::shared_ptr<HostFile> file)
	{
		auto transfer = std::make_unique<Transfer>();
		transfer->file = std::move(file);
		transfer->memory = mmu.hold(VA, BYTES);
		transfer->data = memory.data();
		transfer->bytes = BYTES;
		transfer->owner = &owner;
		transfer->client_queue = this;
		return transfer;
	}
};

std::shared_ptr<HostFile> make_file()
{
	base::Fd fd(memfd_create("file", MFD_CLOEXEC));
	EXPECT_EQ(ftruncate(fd.get(), BYTES), 0);
	return HostFile::take(std::move(fd), base::Fd(), false, nullptr).take();
}

std::shared_ptr<Account> make_account(uint64_t threads)
{
	return std::make_shared<Account>(Account::Amounts{0, 0, 0, threads});
}

/* Return: the next transfer that ends, or nullptr. */
std::unique_ptr<Transfer> await_end(Storage &storage)
{
	const uint64_t end_ns = base::deadline_after(PATIENCE_NS);
	while (!storage.finished() && base::now_ns() < end_ns)
		std::this_thread::yield();
	return storage.take_finished();
}

bool await_threads(const Storage &storage, size_t count)
{
	const uint64_t end_ns = base::deadline_after(PATIENCE_NS);
	while (storage.threads() != count && base::now_ns() < end_ns)
		std::this_thread::yield();
	return storage.threads() == count;
}

/* unstick() - lets the read of a stuck file end. */
void unstick(const HostFile &file)
{
	const std::vector<char> bytes(BYTES);
	EXPECT_EQ(write(file.other_end.get(), bytes.data(), BYTES), static_cast<ssize_t>(BYTES));
}

class StorageThreads : public testing::TestWithParam<StorageKind> {
protected:
	Storage storage{GetParam(), [] {}, [] {}};
};

TEST_P(StorageThreads, AClientWaitsForItsOwnFilesOnly)
{
	ClientQueue first(make_account(0)), second(make_account(0)), honest(make_account(0));
	const auto stuck = HostFile::stuck(false).take(), other = HostFile::stuck(false).take();
	for (ClientQueue *client_queue : {&first, &second, &honest})
		ASSERT_EQ(storage.open(client_queue, client_queue->account), Status::OK);
	EXPECT_FALSE(storage.submit(first.read(stuck)));
	EXPECT_FALSE(storage.submit(second.read(other)));
	EXPECT_FALSE(storage.submit(honest.read(make_file())));
	const auto ended = await_end(storage);
	ASSERT_TRUE(ended);
	EXPECT_EQ(ended->client_queue, &honest);
	EXPECT_EQ(ended->status, Status::OK);
	EXPECT_TRUE(storage.works_for(&first));
	unstick(*stuck);
	unstick(*other);
	EXPECT_TRUE(await_end(storage) && await_end(storage));
	EXPECT_TRUE(storage.stop());
}

TEST_P(StorageThreads, AreChargedUntilTheyEnd)
{
	ClientQueue client_queue(make_account(1)), other(client_queue.account);
	const auto stuck = HostFile::stuck(false).take();
	ASSERT_EQ(storage.open(&client_queue, client_queue.account), Status::OK);
	EXPECT_EQ(storage.open(&client_queue, client_queue.account), Status::OK) << "it has one";
	EXPECT_EQ(storage.open(&other, client_queue.account), Status::QUOTA);
	EXPECT_FALSE(storage.submit(client_queue.read(stuck)));
	while (!storage.running())
		std::this_thread::yield();
	storage.cancel(client_queue.owner);
	storage.give_up(&client_queue);
	storage.leave(&client_queue);
	EXPECT_FALSE(storage.running());
	EXPECT_EQ(storage.open(&other, client_queue.account), Status::QUOTA)
		<< "the thread is stuck";
	unstick(*stuck);
	EXPECT_TRUE(await_threads(storage, 0));
	EXPECT_EQ(client_queue.account->used(Resource::THREADS), 0u);
	EXPECT_EQ(client_queue.account->used(Resource::DESCRIPTORS), 0u);
	EXPECT_EQ(storage.open(&other, client_queue.account), Status::OK);
	EXPECT_TRUE(storage.stop());
}

TEST_P(StorageThreads, NothingIsOverdueThatTheKernelHasNotGot)
{
	constexpr uint64_t LIMIT_NS = 1;
	ClientQueue client_queue(make_account(0));
	const auto stuck = HostFile::stuck(false).take();
	ASSERT_EQ(storage.open(&client_queue, client_queue.account), Status::OK);
	EXPECT_FALSE(storage.submit(client_queue.read(stuck)));
	while (storage.overdue(base::now_ns(), LIMIT_NS).empty())
		std::this_thread::yield();
	EXPECT_FALSE(storage.submit(client_queue.read(make_file())));
	if (!storage.uring()) {
		EXPECT_EQ(storage.overdue(base::now_ns(), LIMIT_NS).size(), 1u);
	}
	unstick(*stuck);
	EXPECT_TRUE(await_end(storage) && await_end(storage));
	EXPECT_TRUE(storage.stop());
}

/* Aborted, so it has no owner; the client goes on with another thread as long as it may have one. */
TEST_P(StorageThreads, AClientContinuesAfterAnAbortedFile)
{
	ClientQueue client_queue(make_account(2));
	const auto first = HostFile::stuck(false).take(), second = HostFile::stuck(false).take();
	ASSERT_EQ(storage.open(&client_queue, client_queue.account), Status::OK);
	for (const auto &stuck : {first, second}) {
		EXPECT_FALSE(storage.submit(client_queue.read(stuck)));
		while (storage.overdue(base::now_ns(), 1).empty())
			std::this_thread::yield();
		storage.cancel(client_queue.owner);
		storage.give_up_overdue(base::now_ns(), 1);
		if (stuck == second && !storage.uring())
			break;
		EXPECT_FALSE(storage.submit(client_queue.read(make_file())));
		const auto ended = await_end(storage);
		ASSERT_TRUE(ended);
		EXPECT_EQ(ended->status, Status::OK);
	}
	EXPECT_LE(client_queue.account->used(Resource::THREADS), 2u);
	unstick(*first);
	unstick(*second);
	EXPECT_TRUE(await_threads(storage, 1));
	EXPECT_TRUE(storage.stop());
}

/* The kernel would look at the firmware's rights, and not at those of the client that opened them. */
TEST_P(StorageThreads, FilesOfTheKernelAreNotTouched)
{
	ClientQueue client_queue(make_account(0));
	ASSERT_EQ(storage.open(&client_queue, client_queue.account), Status::OK);
	for (const bool is_write : {false, true}) {
		base::Fd fd(open("/proc/self/timerslack_ns", O_RDWR | O_CLOEXEC));
		char before[32] = {}, after[32] = {};
		ASSERT_GT(pread(fd.get(), before, sizeof(before), 0), 0);
		std::fill(client_queue.memory.begin(), client_queue.memory.end(), std::byte{'1'});
		const auto wanted = client_queue.memory;
		auto transfer = client_queue.read(
			HostFile::take(base::Fd(dup(fd.get())), base::Fd(), false, nullptr).take());
		transfer->is_write = is_write;
		transfer->bytes = 6;
		EXPECT_FALSE(storage.submit(std::move(transfer)));
		const auto ended = await_end(storage);
		ASSERT_TRUE(ended);
		EXPECT_EQ(ended->status, Status::BAD_FILE);
		EXPECT_EQ(ended->error, EACCES);
		EXPECT_EQ(ended->moved, 0u);
		EXPECT_EQ(client_queue.memory, wanted);
		ASSERT_GT(pread(fd.get(), after, sizeof(after), 0), 0);
		EXPECT_STREQ(before, after);
	}
	EXPECT_TRUE(storage.stop());
}

INSTANTIATE_TEST_SUITE_P(Each, StorageThreads,
			 testing::Values(StorageKind::THREADS, StorageKind::PLAIN_THREADS));

TEST(Storage, InPlaceHasNoThread)
{
	Storage storage(
		StorageKind::IN_PLACE, [] {}, [] {});
	ClientQueue client_queue(make_account(1));
	ASSERT_EQ(storage.open(&client_queue, client_queue.account), Status::OK);
	EXPECT_TRUE(storage.submit(client_queue.read(make_file())));
	const auto ended = storage.take_finished();
	ASSERT_TRUE(ended);
	EXPECT_EQ(ended->moved, BYTES);
	EXPECT_EQ(storage.threads(), 0u);
	EXPECT_TRUE(storage.stop());
}

} // namespace

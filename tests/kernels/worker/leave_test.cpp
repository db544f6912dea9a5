// SPDX-License-Identifier: MIT
/*
 * DOC: Clients that leave, tested
 *
 * A client may leave while its launches are queued, run, fail, or have just ended. None of them may come back to the
 * device after that: the client does not exist any more.
 */
#include <cstring>
#include <thread>

#include "base/clock.h"
#include "base/os/shm.h"
#include "firmware_sim/worker/workers.h"
#include "kernel_client.h"

namespace {

using namespace kernels;

constexpr unsigned ROUNDS = 20;

/* NoClient - whose jobs they are; only its address counts. */
struct NoClient final : fw::KernelClient {
	void end_kernel(fw::KernelJob &) override {}
};

class KernelLeaving : public testing::Test {
protected:
	void SetUp() override
	{
		SKIP_WITHOUT_WORKERS();
		const std::vector<std::byte> bytes = read_image("good_image");
		auto started = workers_.start(account_, 0);
		ASSERT_TRUE(started.ok());
		supervisor_ = started.take();
		image_ = std::make_shared<fw::KernelImage>();
		image_->number = 1;
		image_->bytes = base::round_up(bytes.size(), base::PAGE_BYTES);
		base::Mapping writer;
		auto file = base::create_single_writer("image", image_->bytes, writer);
		ASSERT_TRUE(file.ok());
		image_->file = std::move(file->fd);
		memcpy(writer.data(), bytes.data(), bytes.size());
		writer = {};
		auto load = job();
		load->is_load = true;
		load->account = account_;
		workers_.submit(*supervisor_, std::move(load));
		await([&] {
			const auto loaded = workers_.take_finished();
			return loaded && loaded->status == Status::OK;
		});
	}

	/* await() - polls as the device does, or fails. */
	static void await(const std::function<bool()> &is_met)
	{
		const uint64_t until_ns = base::deadline_after(20 * base::NS_PER_S);
		while (!is_met()) {
			ASSERT_LT(base::now_ns(), until_ns);
			std::this_thread::yield();
		}
	}

	std::unique_ptr<fw::KernelJob> job()
	{
		auto made = std::make_unique<fw::KernelJob>();
		made->client = &client_;
		made->image = image_;
		return made;
	}

	void launch(const char *name, std::vector<uint64_t> args = {})
	{
		auto made = job();
		while (strcmp(image_->infos[made->head.entry].name, name) != 0)
			made->head.entry++;
		made->head.blocks = 1;
		made->head.args_bytes = static_cast<uint32_t>(8 * args.size());
		made->args = std::move(args);
		made->limit_ns = base::NO_DEADLINE;
		workers_.submit(*supervisor_, std::move(made));
	}

	/* take() - the jobs that have come back. */
	unsigned take()
	{
		auto back = static_cast<unsigned>(workers_.take_ended().size());
		while (const auto ended = workers_.take_finished())
			back += ended->client == &client_;
		return back;
	}

	/* leave() - the client leaves. Return: the jobs that came back after that. */
	unsigned leave()
	{
		unsigned back = 0;
		const std::weak_ptr<fw::Workers::Supervisor> left = supervisor_;
		workers_.leave(*supervisor_, client_);
		supervisor_.reset();
		await([&] {
			back += take();
			return left.expired();
		});
		return back;
	}

	NoClient client_;
	std::shared_ptr<fw::Account> account_ =
		std::make_shared<fw::Account>(fw::Account::Amounts{});
	std::shared_ptr<fw::KernelImage> image_;
	fw::Workers workers_{[] {}, [](const base::Fd &) { return Status::OK; }, false, 0};
	std::shared_ptr<fw::Workers::Supervisor> supervisor_;
};

TEST_F(KernelLeaving, QueuedLaunchesDoNotComeBack)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		for (unsigned k = 0; k < 8; k++)
			launch("half_sync"); /* one block, so it waits for nobody */
		await([&] { return workers_.finished(); });
		EXPECT_EQ(leave(), 0u);
		SetUp();
	}
}

TEST_F(KernelLeaving, LaunchesOfAProcessThatDiesDoNotComeBack)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		for (unsigned k = 0; k < 8; k++)
			launch("poke", {16, 1});
		unsigned back = 0;
		await([&] {
			back += take();
			return back >= i % 4;
		});
		EXPECT_EQ(leave(), 0u);
		SetUp();
	}
}

} // namespace

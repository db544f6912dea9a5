// SPDX-License-Identifier: MIT
/*
 * DOC: A client of the tests of kernels
 */
#include "kernel_client.h"

#include <cstring>
#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace kernels {

std::vector<std::byte> read_image(const std::string &name)
{
	std::ifstream file(IMAGES + name + ".so", std::ios::binary);
	std::string bytes((std::istreambuf_iterator<char>(file)), {});
	const auto *first = reinterpret_cast<const std::byte *>(bytes.data());
	return {first, first + bytes.size()};
}

std::vector<int> workers()
{
	std::vector<int> found;
	for (const auto &entry : std::filesystem::directory_iterator("/proc")) {
		const std::string name = entry.path().filename();
		if (name.find_first_not_of("0123456789") != std::string::npos)
			continue;
		std::ifstream stat("/proc/" + name + "/stat");
		std::string pid, program, state;
		int parent = 0;
		stat >> pid >> program >> state >> parent;
		if (program == "(unpu-kernel-wor)" && parent == getpid() && state != "Z")
			found.push_back(std::stoi(pid));
	}
	return found;
}

KernelClient::KernelClient(uint32_t features, uint64_t memory_bytes, uint64_t quota_bytes)
{
	fw::Wishes wishes;
	wishes.memory_bytes = memory_bytes;
	fw::Config config = fw::configure(wishes);
	config.soc_name = "kernels";
	config.features |= features;
	config.quotas.memory_bytes = quota_bytes;
	auto host = self_test::Host::boot(config);
	EXPECT_TRUE(host.ok());
	host_ = host.take();
	channel_ = std::make_unique<self_test::Channel>(*host_);
	EXPECT_EQ(channel_->open(), Status::OK);
	texts_ = memory(8 << 20);
}

Memory KernelClient::memory(uint64_t bytes)
{
	Memory made;
	EXPECT_EQ(host_->create(UNPU_SEGMENT_DEVICE, bytes, made), Status::OK);
	EXPECT_EQ(host_->place(made), Status::OK);
	return made;
}

Status KernelClient::load(const std::string &name, uint32_t &image)
{
	const std::vector<std::byte> bytes = read_image(name);
	EXPECT_FALSE(bytes.empty()) << name;
	Memory copy = memory(bytes.size());
	memcpy(copy.window.data(), bytes.data(), bytes.size());
	unpu_message message{};
	message.type = UNPU_MSG_KERNEL_LOAD;
	message.kernel.va = copy.va;
	message.kernel.bytes = bytes.size();
	const Status status = host_->call(message);
	image = message.kernel.image;
	infos_.resize(message.kernel.entries);
	EXPECT_EQ(host_->drop(copy), Status::OK);
	return status;
}

void KernelClient::load_good(const std::string &name)
{
	load_only(name);
	ASSERT_GE(infos_.size(), 10u);
}

void KernelClient::load_only(const std::string &name)
{
	ASSERT_EQ(load(name, image_), Status::OK) << load_failure();
	const uint64_t bytes = infos_.size() * sizeof(infos_[0]);
	Memory table = memory(bytes);
	unpu_message message{};
	message.type = UNPU_MSG_KERNEL_INFO;
	message.kernel = {table.va, bytes, image_, static_cast<uint32_t>(infos_.size()), 0};
	ASSERT_EQ(host_->call(message), Status::OK);
	memcpy(infos_.data(), table.window.data(), bytes);
	EXPECT_EQ(host_->drop(table), Status::OK);
}

uint32_t KernelClient::entry(const std::string &name) const
{
	for (uint32_t i = 0; i < infos_.size(); i++) {
		if (name == infos_[i].name)
			return i;
	}
	ADD_FAILURE() << name;
	return 0;
}

void KernelClient::launch(const std::string &name, uint32_t blocks,
			  const std::vector<uint64_t> &args, uint64_t timeout_ns,
			  self_test::Channel *on)
{
	unpu_operator page{};
	unpu_kernel_launch head{};
	head.image = image_;
	head.entry = entry(name);
	head.blocks = blocks;
	head.args_bytes = static_cast<uint32_t>(args.size() * sizeof(args[0]));
	head.timeout_ns = timeout_ns;
	head.observer = observer_;
	head.check = check_;
	memcpy(&page, &head, sizeof(head));
	if (!args.empty())
		memcpy(reinterpret_cast<std::byte *>(&page) + sizeof(head), args.data(),
		       head.args_bytes);
	unpu_packet packet = drv::packet(UNPU_OP_KERNEL, ++cookie_);
	packet.tensor.bytes = static_cast<uint32_t>(sizeof(head)) + head.args_bytes;
	(on ? on : channel_.get())->publish(packet, &page);
}

Status KernelClient::run(const std::string &name, uint32_t blocks,
			 const std::vector<uint64_t> &args, uint64_t timeout_ns)
{
	launch(name, blocks, args, timeout_ns);
	return channel_->finish();
}

Status KernelClient::text(uint32_t kind, uint64_t cookie, uint64_t &bytes)
{
	unpu_message message{};
	message.type = UNPU_MSG_KERNEL_TEXT;
	message.text = {texts_.va, texts_.bytes, cookie, kind, 0};
	const Status status = host_->call(message);
	bytes = message.text.bytes;
	return status;
}

std::string KernelClient::failure(uint64_t cookie)
{
	uint64_t bytes = 0;
	EXPECT_EQ(text(UNPU_KERNEL_TEXT_FAULT, cookie, bytes), Status::OK);
	if (bytes < sizeof(unpu_kernel_output))
		return {};
	const auto &head = *texts_.as<unpu_kernel_output>();
	EXPECT_EQ(head.cookie, cookie);
	EXPECT_EQ(head.image, image_);
	return {texts_.as<const char>() + sizeof(head), head.bytes};
}

std::string KernelClient::load_failure()
{
	uint64_t bytes = 0;
	EXPECT_EQ(text(UNPU_KERNEL_TEXT_LOAD, 0, bytes), Status::OK);
	return {texts_.as<const char>(), bytes};
}

/* One request takes 64 KiB at most, or one longer text. */
std::vector<Printed> KernelClient::printed()
{
	std::vector<Printed> all;
	for (uint64_t bytes = 1; bytes != 0;) {
		EXPECT_EQ(text(UNPU_KERNEL_TEXT_OUTPUT, 0, bytes), Status::OK);
		for (uint64_t at = 0; at < bytes;) {
			Printed one;
			memcpy(&one.head, texts_.window.data() + at, sizeof(one.head));
			at += sizeof(one.head);
			one.text.assign(texts_.as<const char>() + at, one.head.bytes);
			at += (one.head.bytes + 7) / 8 * 8;
			all.push_back(one);
		}
	}
	return all;
}

uint64_t KernelClient::output_bytes() const
{
	return base::load_acquire(host_->line(channel_->timeline()).output);
}

} // namespace kernels

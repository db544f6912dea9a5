// SPDX-License-Identifier: MIT
/*
 * DOC: a wire client with a hostile image
 */
#include "kernel_peer.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "base/clock.h"
#include "drv/packet/packets.h"

namespace attack {

namespace {

constexpr uint64_t OUT_BYTES = 1 << 20, TEXT_AT = 64 << 10, TEXT_BYTES = 64 << 10;

std::vector<char> read_image(const char *name)
{
	std::ifstream file(name, std::ios::binary);
	return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

Status KernelPeer::load(uint64_t va, uint64_t bytes)
{
	unpu_message message{};
	message.type = UNPU_MSG_KERNEL_LOAD;
	message.kernel.va = va;
	message.kernel.bytes = bytes;
	const Status status = peer_->call(message);
	image_ = status == Status::OK ? message.kernel.image : image_;
	return status;
}

Status KernelPeer::load(const char *file)
{
	const std::vector<char> bytes = read_image(file);
	hostile::Memory copy;
	TRY(peer_->create(UNPU_SEGMENT_DEVICE, bytes.size(), copy));
	TRY(peer_->place(copy));
	memcpy(copy.window.data(), bytes.data(), bytes.size());
	const Status status = load(copy.va, bytes.size());
	TRY(peer_->drop(copy));
	return status;
}

Status KernelPeer::unload()
{
	unpu_message message{};
	message.type = UNPU_MSG_KERNEL_UNLOAD;
	message.kernel.image = image_;
	return peer_->call(message);
}

const char *KernelPeer::open(const std::string &socket)
{
	peer_ = hostile::Peer::attach(socket);
	if (!peer_ || channel_.open(*peer_, UNPU_SEM_FIRST_FREE) != Status::OK)
		return "the firmware does not let it in";
	if (peer_->create(UNPU_SEGMENT_DEVICE, OUT_BYTES, out_) != Status::OK ||
	    peer_->place(out_) != Status::OK)
		return "it has no memory";
	return load(IMAGE) == Status::OK ? nullptr : "the image is not loaded";
}

std::vector<uint64_t> KernelPeer::descriptor(Command command,
					     std::initializer_list<uint64_t> words) const
{
	unpu_kernel_launch head{};
	head.image = image_;
	head.blocks = 1;
	head.args_bytes = sizeof(Arguments);
	/* The attacks compete for the CPUs, and the time of the watchdog would end some. */
	head.timeout_ns = 60 * base::NS_PER_S;
	Arguments given{command, out_.va, {}};
	std::copy(words.begin(), words.end(), given.words);
	std::vector<uint64_t> all((sizeof(head) + sizeof(given)) / sizeof(uint64_t));
	memcpy(all.data(), &head, sizeof(head));
	memcpy(reinterpret_cast<char *>(all.data()) + sizeof(head), &given, sizeof(given));
	return all;
}

uint64_t KernelPeer::launch(Command command, std::initializer_list<uint64_t> words)
{
	const std::vector<uint64_t> all = descriptor(command, words);
	unpu_operator page{};
	memcpy(&page, all.data(), all.size() * sizeof(all[0]));
	unpu_packet packet = drv::packet(UNPU_OP_KERNEL, ++cookie_);
	packet.tensor.bytes = static_cast<uint32_t>(all.size() * sizeof(all[0]));
	return static_cast<raw::Channel &>(channel_).publish(packet, &page);
}

uint64_t KernelPeer::launch_from_memory(hostile::Channel &channel, uint64_t va)
{
	unpu_kernel_launch head{};
	head.image = image_;
	head.blocks = 1;
	head.args_bytes = UNPU_KERNEL_WIRE_MAX_ARGS;
	head.flags = UNPU_KERNEL_LAUNCH_ARGS_IN_MEMORY;
	head.args_va = va;
	head.timeout_ns = 60 * base::NS_PER_S;
	unpu_operator page{};
	memcpy(&page, &head, sizeof(head));
	unpu_packet packet = drv::packet(UNPU_OP_KERNEL, ++cookie_);
	packet.tensor.bytes = sizeof(head);
	return static_cast<raw::Channel &>(channel).publish(packet, &page);
}

Status KernelPeer::run(Command command, std::initializer_list<uint64_t> words)
{
	memset(out_.window.data(), 0, TEXT_AT);
	if (!channel_.reaches(launch(command, words)))
		return Status::TIMEOUT;
	const Status status = peer_->status(channel_.timeline());
	if (status != Status::OK)
		(void)channel_.clear();
	return status;
}

std::string KernelPeer::text(uint32_t kind, uint64_t cookie)
{
	unpu_message message{};
	message.type = UNPU_MSG_KERNEL_TEXT;
	message.text = {out_.va + TEXT_AT, TEXT_BYTES, cookie, kind, 0};
	if (peer_->call(message) != Status::OK)
		return {};
	return {out_.at<const char>(TEXT_AT), message.text.bytes};
}

std::string KernelPeer::sentence()
{
	const std::string all = text(UNPU_KERNEL_TEXT_FAULT, cookie_);
	return all.substr(std::min(all.size(), sizeof(unpu_kernel_output)));
}

std::string KernelPeer::load_sentence()
{
	return text(UNPU_KERNEL_TEXT_LOAD, 0);
}

} // namespace attack

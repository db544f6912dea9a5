// SPDX-License-Identifier: MIT
/*
 * DOC: a wire client with a hostile image
 */
#include "kernel_peer.h"

#include <cstring>
#include <fstream>
#include <iterator>

#include "base/clock.h"
#include "drv/channel/packets.h"

namespace attack {

namespace {

constexpr uint64_t OUT_BYTES = 1 << 20, TEXT_AT = 64 << 10, TEXT_BYTES = 64 << 10;

std::vector<char> read_image()
{
	std::ifstream file(IMAGE, std::ios::binary);
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

const char *KernelPeer::open(const std::string &socket)
{
	peer_ = hostile::Peer::attach(socket);
	if (!peer_ || channel_.open(*peer_, UNPU_SEM_FIRST_FREE) != Status::OK)
		return "the firmware does not let it in";
	if (peer_->create(UNPU_SEGMENT_DEVICE, OUT_BYTES, out_) != Status::OK ||
	    peer_->place(out_) != Status::OK)
		return "it has no memory";
	const std::vector<char> bytes = read_image();
	hostile::Memory copy;
	if (peer_->create(UNPU_SEGMENT_DEVICE, bytes.size(), copy) != Status::OK ||
	    peer_->place(copy) != Status::OK)
		return "it has no memory for the image";
	memcpy(copy.window.data(), bytes.data(), bytes.size());
	if (load(copy.va, bytes.size()) != Status::OK)
		return "the image is not loaded";
	return peer_->drop(copy) == Status::OK ? nullptr : "the copy of the image stays";
}

uint64_t KernelPeer::launch(Command command, std::initializer_list<uint64_t> words)
{
	unpu_kernel_launch head{};
	head.image = image_;
	head.blocks = 1;
	head.args_bytes = sizeof(Arguments);
	/* The attacks compete for the CPUs, and the time of the watchdog would end some. */
	head.timeout_ns = 60 * base::NS_PER_S;
	Arguments given{command, out_.va, {}};
	std::copy(words.begin(), words.end(), given.words);
	unpu_operator page{};
	memcpy(&page, &head, sizeof(head));
	memcpy(reinterpret_cast<char *>(&page) + sizeof(head), &given, sizeof(given));
	unpu_packet packet = drv::packet(UNPU_OP_KERNEL, ++cookie_);
	packet.tensor.bytes = sizeof(head) + sizeof(given);
	return static_cast<raw::Channel &>(channel_).publish(packet, &page);
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

std::string KernelPeer::sentence()
{
	unpu_message message{};
	message.type = UNPU_MSG_KERNEL_TEXT;
	message.text = {out_.va + TEXT_AT, TEXT_BYTES, cookie_, UNPU_KERNEL_TEXT_FAULT, 0};
	if (peer_->call(message) != Status::OK || message.text.bytes < sizeof(unpu_kernel_output))
		return {};
	return {out_.at<const char>(TEXT_AT) + sizeof(unpu_kernel_output),
		message.text.bytes - sizeof(unpu_kernel_output)};
}

} // namespace attack

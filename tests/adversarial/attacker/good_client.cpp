// SPDX-License-Identifier: MIT
/*
 * DOC: the good client
 */
#include "good_client.h"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

#include "drv/packet/packets.h"

namespace attacker {

using base::Status;

namespace {

constexpr uint64_t BYTES = 64 << 10;
constexpr useconds_t PAUSE_US = 500;

} // namespace

bool GoodClient::open()
{
	peer_ = hostile::Peer::attach(socket_);
	return peer_ && channel_.open(*peer_, UNPU_SEM_FIRST_FREE) == Status::OK &&
	       peer_->create(UNPU_SEGMENT_DEVICE, BYTES, memory_) == Status::OK &&
	       peer_->place(memory_) == Status::OK;
}

bool GoodClient::start(const std::string &socket)
{
	socket_ = socket;
	if (!open())
		return false;
	thread_ = std::thread([this] {
		for (uint32_t pattern = 1; !stop_ && !wrong_; pattern++) {
			wrong_ = run_round(pattern);
			usleep(PAUSE_US);
		}
	});
	return true;
}

const char *GoodClient::run_round(uint32_t pattern)
{
	const uint64_t begin_ns = base::now_ns();
	began_ns_ = begin_ns;
	(void)channel_.publish(drv::fill_packet(1, memory_.va, BYTES / 2, pattern, 4));
	const uint64_t end = channel_.publish(
		drv::copy_packet(1, memory_.va + BYTES / 2, memory_.va, BYTES / 2));
	if (!channel_.reaches(end))
		return "a task did not end in 120 s";
	waits_ns_.push_back(base::now_ns() - begin_ns);
	began_ns_ = 0;
	{
		const std::lock_guard lock(mutex_);
		recent_ns_.push_back(waits_ns_.back());
	}
	if (peer_->status(UNPU_SEM_FIRST_FREE) != Status::OK)
		return "a task failed";
	const auto *words = memory_.window.as<const uint32_t>();
	const bool holds = std::all_of(words, words + BYTES / sizeof(*words),
				       [pattern](uint32_t word) { return word == pattern; });
	if (!holds)
		return "a result is not what was asked for";
	unpu_message message{};
	message.type = UNPU_MSG_MEMORY_INFO;
	if (pattern % 16 == 0 && peer_->call(message) != Status::OK)
		return "a request failed";
	return nullptr;
}

bool GoodClient::stop()
{
	stop_ = true;
	if (thread_.joinable())
		thread_.join();
	channel_ = hostile::Channel{};
	memory_ = hostile::Memory{};
	peer_.reset();
	if (!wrong_ && (!open() || run_round(1)))
		wrong_ = "the firmware lets it in no more";
	std::sort(waits_ns_.begin(), waits_ns_.end());
	return !wrong_ && !waits_ns_.empty();
}

GoodClient::Waits GoodClient::take_waits()
{
	std::vector<uint64_t> waits;
	{
		const std::lock_guard lock(mutex_);
		waits.swap(recent_ns_);
	}
	if (const uint64_t began_ns = began_ns_)
		waits.push_back(base::now_ns() - began_ns);
	if (waits.empty())
		return {};
	std::sort(waits.begin(), waits.end());
	return {waits[(waits.size() - 1) * 99 / 100], waits.back()};
}

void GoodClient::print() const
{
	const auto at = [this](double part) {
		return waits_ns_.empty()
			       ? 0.0
			       : double(waits_ns_[size_t(part * double(waits_ns_.size() - 1))]) /
					 1e6;
	};
	printf("the good client: %zu rounds, median %.3f ms, p99 %.3f ms, worst %.3f ms, %s\n",
	       waits_ns_.size(), at(0.5), at(0.99), at(1.0), wrong_ ? wrong_ : "all right");
}

} // namespace attacker

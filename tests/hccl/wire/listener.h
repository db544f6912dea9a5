// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/sync/condition.h"
#include "base/sync/mutex.h"
#include "umd/hccl/wire/wire.h"

/** SECONDS - after which a test gives up. */
constexpr uint64_t SECONDS = 30;

inline umd::Nonce comm_of(uint8_t number)
{
	umd::Nonce comm{};
	comm[0] = number;
	return comm;
}

/** byte_at() - what frame @number has at @place. */
inline uint8_t byte_at(uint64_t number, uint64_t place)
{
	return static_cast<uint8_t>(number * 131 + place * 7 + (place >> 8));
}

inline std::vector<uint8_t> pattern(uint64_t number, uint64_t bytes)
{
	std::vector<uint8_t> data(bytes);
	for (uint64_t i = 0; i < bytes; i++)
		data[i] = byte_at(number, i);
	return data;
}

/** class Listener - a user that keeps what comes. */
class Listener : public umd::WireUser {
public:
	void *place(const umd::Frame &frame) override
	{
		std::lock_guard lock(mutex_);
		if (is_deaf)
			return nullptr;
		order_.push_back(frame.number);
		return data_.insert_or_assign(frame.number, std::vector<uint8_t>(frame.bytes))
			.first->second.data();
	}

	void arrived(const umd::Frame &frame) override
	{
		if (on_arrival)
			on_arrival(frame);
		std::lock_guard lock(mutex_);
		arrived_++;
		came_.push_back(frame.number);
		change_.notify_all();
	}

	void lost(uint32_t link, const std::string &text) override
	{
		std::lock_guard lock(mutex_);
		lost_.emplace_back(link, text);
		lost_ns_ = base::now_ns();
		change_.notify_all();
	}

	/* Return: whether so many frames came in time. */
	bool wait_for(uint64_t count)
	{
		return wait([&]() NO_THREAD_SAFETY_ANALYSIS { return arrived_ >= count; }, SECONDS);
	}

	bool wait_lost(uint64_t count, uint64_t seconds = SECONDS)
	{
		return wait([&]() NO_THREAD_SAFETY_ANALYSIS { return lost_.size() >= count; },
			    seconds);
	}

	/* Numbers, in the order of arrived(). */
	std::vector<uint64_t> came()
	{
		std::lock_guard lock(mutex_);
		return came_;
	}
	std::vector<std::pair<uint32_t, std::string>> losses()
	{
		std::lock_guard lock(mutex_);
		return lost_;
	}
	uint64_t lost_ns()
	{
		std::lock_guard lock(mutex_);
		return lost_ns_;
	}
	std::vector<uint8_t> data(uint64_t number)
	{
		std::lock_guard lock(mutex_);
		return data_[number];
	}
	void forget()
	{
		std::lock_guard lock(mutex_);
		arrived_ = 0;
		came_.clear();
		order_.clear();
		data_.clear();
	}

	bool is_deaf = false; /* drops all data */
	std::function<void(const umd::Frame &)> on_arrival;

private:
	/* Without analysis: the conditions read what the lock protects, and wait() holds it. */
	bool wait(const std::function<bool()> &is_true, uint64_t seconds) NO_THREAD_SAFETY_ANALYSIS
	{
		const uint64_t deadline = base::deadline_after(seconds * base::NS_PER_S);
		std::unique_lock lock(mutex_);
		while (!is_true()) {
			if (base::now_ns() >= deadline)
				return false;
			change_.wait(lock, deadline);
		}
		return true;
	}

	base::Mutex mutex_{"Listener::mutex_"};
	base::Condition change_;
	uint64_t arrived_ GUARDED_BY(mutex_) = 0;
	std::vector<uint64_t> came_ GUARDED_BY(mutex_);
	std::vector<uint64_t> order_ GUARDED_BY(mutex_);
	std::map<uint64_t, std::vector<uint8_t>> data_ GUARDED_BY(mutex_);
	std::vector<std::pair<uint32_t, std::string>> lost_ GUARDED_BY(mutex_);
	uint64_t lost_ns_ GUARDED_BY(mutex_) = 0;
};

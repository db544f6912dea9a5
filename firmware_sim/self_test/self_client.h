// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <thread>

#include "firmware_sim/device/sim_device.h"
#include "raw_client.h"

namespace self_test {

using base::Result;
using base::Status;

/* A device that has not answered after this time counts as dead. */
constexpr uint64_t PATIENCE_NS = 10000000000ull;
/* A device whose sleeping mark stays set for this long is asleep. */
constexpr uint64_t ASLEEP_NS = 1000000;
/* Few slots, so that every run wraps around the ring. */
constexpr uint32_t SLOTS = UNPU_RING_MIN_SLOTS;

using raw::Memory;

/* class Host - a running device and its one client. Context: one thread. */
class Host final : public raw::Attachment {
public:
	/* boot() - builds a device, attaches to it and starts its thread. */
	static Result<std::unique_ptr<Host>> boot(const fw::Config &config);
	~Host() override;

	/* wait() - sleeps until semaphore @sem has reached @wanted. Return: false on a timeout; then
	 * the device counts as dead, and later waits return at once. */
	bool wait(uint32_t sem, uint64_t wanted);

	/* wait_asleep() - waits until the device's thread sleeps. Return: false on a timeout. */
	bool wait_asleep();

	uint64_t free_bytes();

	/* Number of doorbells rung since boot(). */
	uint64_t doorbells() const { return doorbells_; }
	uint64_t kicks() const { return kicks_; }

private:
	Status attach(const fw::Config &config);
	void wake() override;
	bool await(uint32_t sem, uint64_t value) override { return wait(sem, value); }
	Status fetch(uint64_t segment, base::Fd &fd, uint64_t &bytes) override;

	std::unique_ptr<fw::Device> device_;
	std::thread thread_;
	uint32_t id_ = 0;
	bool is_attached_ = false;
	bool is_dead_ = false;
	uint64_t doorbells_ = 0;
	uint64_t kicks_ = 0;
};

/* class Channel - a ring and its timeline. The host must outlive it. */
class Channel : public raw::Channel {
public:
	explicit Channel(Host &host) : host_(host) {}

	Status open() { return raw::Channel::open(host_, {.slots = SLOTS}); }
	Status close();

	/* publish() - submits one packet; waits for room in the ring. */
	void publish(const unpu_packet &packet, const unpu_operator *op = nullptr);

	/* finish() - waits for all packets and clears the timeline's status.
	 * Return: the first failure among them; failure() has its details. */
	Status finish();

	/* run() - submits one packet and waits for its end. */
	Status run(const unpu_packet &packet, const unpu_operator *op = nullptr)
	{
		publish(packet, op);
		return finish();
	}

	const unpu_sem_device &failure() const { return failure_; }
	uint64_t published() { return ring().next(); }

private:
	Host &host_;
	unpu_sem_device failure_{};
};

} // namespace self_test

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <thread>

#include "base/os/shm.h"
#include "base/sync/ring.h"
#include "firmware_sim/device/device.h"
#include "uapi/regs.h"

namespace self_test {

using base::Result;
using base::Status;

/* A device that has not answered after this time counts as dead. */
constexpr uint64_t PATIENCE_NS = 10000000000ull;
/* A device whose sleeping mark stays set for this long is asleep. */
constexpr uint64_t ASLEEP_NS = 1000000;
/* Few slots, so that every run wraps around the ring. */
constexpr uint32_t SLOTS = UNPU_RING_MIN_SLOTS;

/* struct Memory - a segment that both sides map. */
struct Memory {
	uint64_t segment = 0;
	uint64_t va = 0; /* 0: not mapped into the context */
	uint64_t bytes = 0;
	base::Mapping window;

	template <class T> T *at(uint64_t offset) const
	{
		return reinterpret_cast<T *>(window.data() + offset);
	}
};

/* class Host - a running device and its one client. Context: one thread. */
class Host {
public:
	/* boot() - builds a device, attaches to it and starts its thread. */
	static Result<std::unique_ptr<Host>> boot(const fw::Config &config);
	~Host();

	const unpu_bar &bar() const { return *bar_.as<const unpu_bar>(); }
	const unpu_completion &completion() const
	{
		return *completion_.as<const unpu_completion>();
	}
	const unpu_sem_device &line(uint32_t sem) const { return completion().semaphores[sem]; }
	uint64_t value(uint32_t sem) const;
	uint32_t new_semaphore() { return next_semaphore_++; }

	/* wait() - sleeps until semaphore @sem has reached @wanted. Return: false on a timeout; then
	 * the device counts as dead, and later waits return at once. */
	bool wait(uint32_t sem, uint64_t wanted);

	/* wait_asleep() - waits until the device's thread sleeps. Return: false on a timeout. */
	bool wait_asleep();

	/* ring() - a doorbell, and a kick if the device sleeps. */
	void ring(uint32_t channel);

	/* call() - sends one mailbox request; @message receives the reply. */
	Status call(unpu_message &message);

	/* create() - creates a segment of @bytes and maps it on this side. */
	Status create(unpu_segment_kind kind, uint64_t bytes, Memory &memory);

	/* map() - gives @memory an address in the context, with a hole behind it. */
	Status map(Memory &memory, uint32_t access);

	/* drop() - unmaps @memory from the context and destroys it. */
	Status drop(Memory &memory);

	uint64_t free_bytes();

	/* Number of doorbells rung since boot(). */
	uint64_t doorbells() const { return doorbells_; }
	uint64_t kicks() const { return kicks_; }

private:
	Status attach(const fw::Config &config);

	std::unique_ptr<fw::Device> device_;
	std::thread thread_;
	uint32_t id_ = 0;
	bool attached_ = false;
	bool dead_ = false;
	base::Mapping bar_;
	base::Mapping completion_;
	base::Mapping client_;
	uint32_t sequence_ = 0;
	uint32_t next_semaphore_ = UNPU_SEM_FIRST_FREE;
	uint64_t next_va_ = uint64_t{1} << 32;
	uint64_t doorbells_ = 0;
	uint64_t kicks_ = 0;
};

/* class Channel - a ring and its timeline. The host must outlive it. */
class Channel {
public:
	explicit Channel(Host &host) : host_(host) {}

	Status open();
	Status close();
	Status control(uint32_t actions);

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
	uint64_t published() const { return ring_.next(); }
	uint64_t retired() const { return timeline_ ? host_.value(timeline_) : 0; }
	uint32_t timeline() const { return timeline_; }

private:
	Host &host_;
	Memory memory_;
	base::RingProducer ring_;
	unpu_sem_device failure_{};
	uint32_t timeline_ = UNPU_SEM_NONE;
	uint32_t index_ = 0;
	uint32_t rung_ = 0;
};

} // namespace self_test

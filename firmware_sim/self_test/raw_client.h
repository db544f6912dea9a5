// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/os/shm.h"
#include "base/sync/arming.h"
#include "base/sync/ring.h"
#include "uapi/regs.h"

/* A client with nothing between it and the wire: no hal, no driver, no check of what the caller sends. The
 * self-test, the unit tests, the fuzz targets and the hostile clients derive theirs from it. */
namespace raw {

using base::Status;

constexpr uint32_t SLOTS = 64;

/** struct Memory - a segment of the firmware that this side maps. */
struct Memory {
	uint64_t segment = 0;
	uint64_t va = 0; /* 0: not mapped into the context */
	uint64_t bytes = 0;
	base::Fd fd;
	base::Mapping window;

	template <class T> T *as() const { return window.as<T>(); }
	template <class T> T *at(uint64_t offset) const
	{
		return reinterpret_cast<T *>(window.data() + offset);
	}
};

/** class Attachment - the segments that a client shares with a firmware, and its requests.
 * Context: one thread. */
class Attachment {
public:
	virtual ~Attachment() = default;

	const unpu_bar &bar() const { return *bar_.as<const unpu_bar>(); }
	const unpu_completion &completion() const
	{
		return *completion_.as<const unpu_completion>();
	}
	unpu_client &shared() const { return *client_.as<unpu_client>(); }
	const unpu_sem_device &line(uint32_t sem) const { return completion().semaphores[sem]; }
	uint64_t value(uint32_t sem) const { return base::load_acquire(line(sem).value); /* A3 */ }
	Status status(uint32_t sem) const
	{
		return static_cast<Status>(base::load_acquire(line(sem).status));
	}
	/** broken() - why the firmware has cut this client off; OK if it has not. */
	Status broken() const
	{
		return static_cast<Status>(base::load_acquire(completion().status.broken));
	}

	/** new_semaphore() - a semaphore that was not used yet. */
	uint32_t new_semaphore() { return next_semaphore_++; }

	/** ring() - a doorbell. */
	void ring(uint32_t channel);

	/** post() - puts a request into the mailbox and rings. */
	void post(unpu_message &message);
	/** is_answered() - whether the last request was; @message becomes the reply. */
	bool is_answered(unpu_message &message) const;
	/** call() - post(), and waits for the answer.
	 * Return: its status; TIMEOUT without an answer, BAD_MESSAGE if it answers another request. */
	Status call(unpu_message &message);
	/** skip_requests() - the next request has a number that is so much larger. */
	void skip_requests(uint32_t count) { number_ += count; }

	Status create_segment(uint32_t kind, uint64_t bytes, uint32_t pages, uint64_t &id,
			      uint32_t flags = 0);
	Status destroy_segment(uint64_t id);
	Status map_segment(uint64_t va, uint64_t bytes, uint64_t segment, uint64_t offset,
			   uint32_t access);
	Status unmap(uint64_t va, uint64_t bytes);

	/** create() - creates a segment and maps it on this side.
	 * Return: NO_MEMORY if it has other pages than @pages. */
	Status create(uint32_t kind, uint64_t bytes, Memory &memory,
		      unpu_page_kind pages = UNPU_PAGE_4K, uint32_t flags = 0);
	/** take() - maps memory.segment on this side. */
	Status take(Memory &memory);
	/** place() - gives @memory an address in the context, with a hole behind it. */
	Status place(Memory &memory, uint32_t access = UNPU_ACCESS_READ | UNPU_ACCESS_WRITE);
	/** drop() - unmaps @memory from the context and destroys it. */
	Status drop(Memory &memory);

protected:
	/** map_shared() - maps the completion and the client segment of an attachment with room for @quota
	 * semaphores; 0: for all. */
	Status map_shared(const base::Fd &completion, const base::Fd &client, uint32_t quota = 0);
	Status map_bar(const base::Fd &bar);

private:
	/** wake() - after a doorbell: wakes a device that may sleep. */
	virtual void wake() = 0;
	/** await() - waits until a semaphore has a value, or gives up. Return: whether it has. */
	virtual bool await(uint32_t sem, uint64_t value) = 0;
	/** fetch() - asks for the descriptor of a segment. */
	virtual Status fetch(uint64_t segment, base::Fd &fd, uint64_t &bytes) = 0;

	base::Mapping bar_;
	base::Mapping completion_;
	base::Mapping client_;
	uint64_t number_ = 0; /* number of the last request */
	uint32_t next_semaphore_ = UNPU_SEM_FIRST_FREE;
	uint64_t next_va_ = uint64_t{1} << 32;
};

/** class Channel - a ring and its timeline. The attachment must outlive it. */
class Channel {
public:
	/** struct Wishes - for open(). */
	struct Wishes {
		uint32_t slots = SLOTS;
		uint32_t timeline = UNPU_SEM_NONE; /* NONE: a new semaphore */
		uint64_t timeline_base = 0;
		uint32_t priority = 0;
		uint32_t group = 0;
	};

	Status open(Attachment &client, const Wishes &wishes);
	Status destroy();

	/** publish() - one packet, and a doorbell if the firmware asked for one.
	 * Return: the value of the timeline when the packet has retired. */
	uint64_t publish(const unpu_packet &packet, const unpu_operator *op = nullptr);

	Status control(uint32_t actions, uint32_t value = 0);
	Status clear() { return control(UNPU_CHANNEL_CLEAR_STATUS); }
	/** abort() - aborts the packets published so far, or those before @upto. */
	Status abort() { return abort(0, ring_.next()); }
	Status abort(uint32_t flags, uint64_t upto);

	uint64_t retired() const { return client_->value(timeline_) - base_; }
	uint32_t index() const { return index_; }
	uint32_t timeline() const { return timeline_; }
	const Memory &memory() const { return memory_; }
	base::RingProducer &ring() { return ring_; }
	unpu_packet *slots() const { return memory_.as<unpu_packet>(); }
	/** page() - the descriptor page of a slot. */
	unpu_descriptor *page(uint64_t slot) const
	{
		return reinterpret_cast<unpu_descriptor *>(slots() + slots_) + slot;
	}

protected:
	Attachment &client() const { return *client_; }

private:
	Attachment *client_ = nullptr;
	Memory memory_;
	base::RingProducer ring_;
	base::ArmingSeen arming_;
	uint64_t base_ = 0;
	uint32_t slots_ = 0;
	uint32_t timeline_ = UNPU_SEM_NONE;
	uint32_t index_ = 0;
};

} // namespace raw

/* SPDX-License-Identifier: MIT */
/*
 * DOC: Shape
 *
 * A shape is something that a program does in one thread, again and again, and that found a bug
 * once. It creates what it needs, uses it, checks the results and destroys everything.
 */
#ifndef UNPU_TESTS_STRESS_SOAK_SHAPE_H
#define UNPU_TESTS_STRESS_SOAK_SHAPE_H

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "acl/acl.h"

namespace soak {

using Clock = std::chrono::steady_clock;

/* struct Episode - what the threads of an episode share. */
struct Episode {
	bool has_misuse = false;
	std::atomic<bool> stop{false};
	std::atomic<uint64_t> faults{0};
	std::atomic<uint64_t> refusals{0}; /* failed calls of an episode with misuse */
	std::atomic<uint64_t> rounds{0};
};

/* class Seat - one thread of an episode. */
class Seat {
public:
	Seat(Episode &episode, const char *shape, int32_t device, uint64_t seed)
		: shape_(shape), random_(seed), episode_(episode), device_(device)
	{
	}

	int32_t device() const { return device_; }
	bool stops() const { return episode_.stop.load(); }
	bool has_misuse() const { return episode_.has_misuse; }

	/* draw() - a number from @least to @most. */
	uint64_t draw(uint64_t least, uint64_t most)
	{
		return std::uniform_int_distribution<uint64_t>(least, most)(random_);
	}

	/* check() - whether a call succeeded. A failure is a fault of an episode without misuse. */
	bool check(aclError code, const char *call);
	/* expect() - reports a fault when @good is false, and in an episode without misuse only. */
	bool expect(bool good, const char *what);
	/* fault() - reports a fault, whatever the episode is. */
	void fault(const std::string &what);

	/* begin_round() - the seat is at work from now on. */
	void begin_round();
	/* round_age_ms() - how long the round has run. Context: any thread. */
	uint64_t round_age_ms() const;
	const char *shape() const { return shape_; }

private:
	const char *shape_;
	std::mt19937_64 random_;
	Episode &episode_;
	int32_t device_;
	std::atomic<int64_t> begun_ms_{0};
};

/* SOAK_TRY - ends the round when the call fails. */
#define SOAK_TRY(call) \
	do { \
		if (!seat.check((call), #call)) \
			return; \
	} while (0)

/* struct Shape - a row of the table of shapes. */
struct Shape {
	const char *name;
	void (*round)(Seat &seat);
	/* Destroys handles that other threads use, or resets their device. */
	bool is_misuse;
	/* No other thread uses its device. */
	bool has_own_device;
	unsigned threads; /* it wants at least so many of its kind beside each other */
};

/* shapes() - the table. */
const std::vector<Shape> &shapes();

/* class DeviceUse - the thread has the device set until the end of the scope. */
class DeviceUse {
public:
	explicit DeviceUse(Seat &seat);
	~DeviceUse();
	DeviceUse(const DeviceUse &) = delete;
	DeviceUse &operator=(const DeviceUse &) = delete;
	explicit operator bool() const { return is_set_; }

private:
	Seat &seat_;
	bool is_set_;
};

/* class Stream - a stream until the end of the scope. */
class Stream {
public:
	explicit Stream(Seat &seat);
	~Stream();
	Stream(const Stream &) = delete;
	Stream &operator=(const Stream &) = delete;
	explicit operator bool() const { return stream_ != nullptr; }
	operator aclrtStream() const { return stream_; }
	/* release() - the caller destroys it. */
	aclrtStream release();

private:
	Seat &seat_;
	aclrtStream stream_ = nullptr;
};

/* class Event - an event until the end of the scope. */
class Event {
public:
	enum class Kind { SNAPSHOT, FLAG, TIME };
	explicit Event(Seat &seat, Kind kind = Kind::SNAPSHOT);
	~Event();
	Event(const Event &) = delete;
	Event &operator=(const Event &) = delete;
	explicit operator bool() const { return event_ != nullptr; }
	operator aclrtEvent() const { return event_; }

private:
	Seat &seat_;
	aclrtEvent event_ = nullptr;
};

/* class Memory - device memory until the end of the scope. */
class Memory {
public:
	Memory(Seat &seat, size_t bytes);
	~Memory();
	Memory(const Memory &) = delete;
	Memory &operator=(const Memory &) = delete;
	explicit operator bool() const { return address_ != nullptr; }
	void *get() const { return address_; }
	size_t bytes() const { return bytes_; }

private:
	Seat &seat_;
	void *address_ = nullptr;
	size_t bytes_;
};

/* await_stream() - polls by queries until the stream is done, without a wait that could help.
 * Return: false when the seat failed or the stream is still busy after half a minute, a fault. */
bool await_stream(Seat &seat, aclrtStream stream);

/* synchronise_device() - with a limit of @timeout_ms, or without one for -1. Return: the call's code, where
 * a refusal because another thread captures in the same context counts as @refused. */
aclError synchronise_device(int32_t timeout_ms, aclError refused);

/* holds_only() - whether the device memory holds nothing but @value; reported when not. */
bool holds_only(Seat &seat, const Memory &memory, unsigned char value);

/* The rounds, by theme. */
void copy_and_query(Seat &seat);
void wait_with_limits(Seat &seat);
void use_events(Seat &seat);
void make_streams(Seat &seat);
void copy_now(Seat &seat);
void run_host_functions(Seat &seat);

void cycle_device(Seat &seat);
void allocate(Seat &seat);
void free_after_reset(Seat &seat);
void handle_faults(Seat &seat);
void fork_children(Seat &seat);

void capture_alone(Seat &seat);
void share_model(Seat &seat);
void query_gated_stream(Seat &seat);

void destroy_twice(Seat &seat);
void use_dying_stream(Seat &seat);
void use_dying_event(Seat &seat);
void reset_by_force(Seat &seat);
void finalize_all(Seat &seat);

} // namespace soak

#endif

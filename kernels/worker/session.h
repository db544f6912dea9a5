// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "home.h"
#include "kernels/abi/worker.h"
#include "kernels/runner/launch.h"
#include "loaded_image.h"
#include "memory/objects.h"

namespace worker {

using runner::CUBE_CORES;
using runner::Instance;
using runner::Launch;
using runner::page_bytes;

class Lane;
class Session;

/** class LaneLaunch - a launch that the firmware has posted. */
class LaneLaunch final : public Launch {
public:
	/** @number: of the launch in its lane, not 0 */
	LaneLaunch(const unpu_kernel_entry &entry, const unpu_kernel_launch &head,
		   const unsigned char *args, Session &its_session, Lane &its_lane,
		   uint64_t number);

	/** place() - where its blocks are now, as "vector block 0 at k.cpp:34, which reads 0x...; ...".
	 * Context: another thread. */
	std::string place() const;

	/** of() - the launch of an instance. */
	static LaneLaunch &of(const Instance &instance)
	{
		return static_cast<LaneLaunch &>(*instance.launch);
	}

	/** current() - that of the instance which runs on the calling thread. */
	static LaneLaunch *current() { return &of(*Launch::current()); }

	Session &session;
	Lane &lane;
};

/** class Pool - threads that help with a launch. */
class Pool {
public:
	/** start() - @helpers: how many. Return: false: the kernel has no thread left. */
	bool start(uint32_t helpers, Home &home);

	/** stop() - ends the threads. Context: no launch runs. */
	void stop();

	/** run() - executes a launch on as many threads as it has use for. While they help with another launch it has
	 * the calling thread alone. */
	void run(Launch &launch);

private:
	void work();

	std::vector<std::thread> helpers_;
	std::mutex mutex_;
	bool is_stopping_ = false;
	std::condition_variable wanted_;
	std::condition_variable left_;
	Launch *launch_ = nullptr;
	uint32_t places_ = 0; /* helpers that may still enter */
	uint32_t inside_ = 0;
};

/** class Lane - the worker's half of a lane: a thread that takes launches from the board and answers them. */
class Lane {
public:
	/** start() - @number: of the lane. @spins: it polls for the next launch before it sleeps
	 * Return: false: the kernel has no thread left. */
	bool start(Session &session, unsigned char *board, uint32_t number, bool spins);

	/** stop() - stops the launch that runs, which then gets no answer, and ends the thread. A kernel that neither
	 * ends nor waits is waited for. Context: the firmware posts no launch any more. */
	void stop();

	/** await_begin() - until the launch that is posted has found its kernel, unless it waits for messages beyond
	 * the first @messages. */
	void await_begin(uint64_t messages) const;

	/** tell_place() - stores where the blocks of launch @launch are, and what they have printed so far, if it runs.
	 * Context: the session's thread. */
	void tell_place(uint32_t launch);

	/** answer() - ends the launch that runs, unless it has an answer already. Safe in a signal handler. */
	void answer(const unpu_worker_answer &answer);

	/** fail() - the same with what @launch has printed so far. */
	void fail(unpu_worker_answer answer, const LaneLaunch &launch);

private:
	void work();
	bool poll(uint32_t done) const;
	void await(uint32_t done);
	void run();
	void execute(LaneLaunch &launch);
	unpu_worker_lane &line() const { return *reinterpret_cast<unpu_worker_lane *>(at_); }

	Session *session_ = nullptr;
	unpu_worker_board *board_ = nullptr;
	uint32_t lane_ = 0;
	unsigned char *at_ = nullptr;
	bool spins_ = false;
	std::thread thread_;
	std::mutex mutex_; /* guards @launch_ */
	LaneLaunch *launch_ = nullptr;
	uint32_t is_stopping_ = 0;
	uint32_t number_ = 0; /* of the launch that runs */
	uint32_t vain_ = 0;   /* polls in a row that found nothing */
	uint32_t is_answered_ = 1;
};

/** class Session - handles the messages of the firmware. Context: one thread, unless it says otherwise. */
class Session {
public:
	/** @where: the process. @socket: to the firmware; the session closes it */
	Session(Home &where, int socket) : home(where), socket_(socket) {}

	/* Ends the threads, and gives back what the session has mapped and opened. */
	~Session();

	/** run() - until the firmware closes the socket. Return: the process's exit status. */
	int run();

	/** kick() - wakes the firmware. Context: a signal handler. @armed: number of the firmware's wish for it */
	void kick(uint32_t armed);

	/** find_image() - the image that has the code at @pc, which becomes an offset in its file; 0: none.
	 * Context: any thread; a signal handler. */
	uint32_t find_image(uint64_t &pc) const;

	/** is_memory() - whether @address is device memory. Context: a signal handler. */
	bool is_memory(uint64_t address) const;

	/** find_line() - the line of code in an image; empty: not known. @is_users: as Image::find_line().
	 * Context: the session's thread. */
	std::string find_line(uint64_t pc, bool &is_users) const;

	/** find_memory() - see struct unpu_kernel_services.
	 * @freed: of the launch. @is_exact: @range ends with the last block that the program asked for a part of.
	 * Context: any thread. */
	bool find_memory(uint64_t address, uint64_t freed, unpu_kernel_memory_range &range,
			 bool is_exact = false);
	/** asked_bytes() - see struct unpu_kernel_services. Context: any thread. */
	uint64_t asked_bytes(const unpu_kernel_memory_range &range);

	/** await_messages() - until so many messages were handled. Context: any thread. */
	void await_messages(uint64_t count) const;

	/** find_entry() - the kernel of a launch; nullptr: there is none, or its arguments do not fit.
	 * @image: keeps its image, which may be unloaded meanwhile. Context: any thread. */
	const unpu_kernel_entry *find_entry(const unpu_kernel_launch &head,
					    std::shared_ptr<Image> &image) const;

	/** cube_cores() - of the chip. Context: after the first message. */
	uint32_t cube_cores() const { return cube_cores_; }

	Home &home;
	Pool pool;

private:
	struct Mapped {
		uint64_t bytes;
		uint64_t offset;  /* of the range before its page */
		bool is_own;	  /* not the program's */
		bool is_reserved; /* by the program, which may not see another mapping there later */
	};
	struct Message;

	bool handle(Message &message);
	bool hello(Message &message);
	void map(Message &message);
	void unmap(const unpu_worker_message &head);
	static void release(uint64_t va, const Mapped &mapped);
	void protect(const unpu_worker_message &head);
	bool load(Message &message);
	void unload(uint32_t image);
	bool resolve(const unpu_worker_message &head);
	bool answer(unpu_worker_answer &reply, const std::string &text = {});
	bool find_mapped(uint64_t address, unpu_kernel_memory_range &range) const;

	const int socket_;
	int kick_ = -1;
	uint32_t cube_cores_ = CUBE_CORES;
	uint32_t kicked_ = 0; /* the last wish that was fulfilled */
	unpu_worker_board *board_ = nullptr;
	Lane lanes_[UNPU_WORKER_LANES];
	uint64_t handled_ = 0;	   /* messages */
	mutable std::mutex mutex_; /* guards those below */
	std::map<uint32_t, std::shared_ptr<Image>> images_;
	std::map<uint64_t, Mapped> memory_; /* by device address */
	Objects objects_;
};

/** services() - what images may call. */
const unpu_kernel_services &services();

/** begin_to_observe() - from now on, images report the accesses of their kernels. Context: any thread. */
void begin_to_observe();

} // namespace worker

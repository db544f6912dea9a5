// SPDX-License-Identifier: MIT
/**
 * DOC: Process
 *
 * The owner of everything in the user-mode driver that there is once in a process. An object is made on
 * first use and never destroyed, because programs free things from static destructors. A fork makes all
 * of them anew: the child finds none of the parent's objects, whose locks may be held by threads that
 * the child does not have.
 */
#pragma once

#include <memory>
#include <string>

#include "base/mutex.h"
#include "base/ordering.h"
#include "base/status.h"
#include "umd/settings.h"

namespace umd {

/** class Process - owns the single objects, and counts initialisations. */
class Process {
public:
	/** find() - the process's T, or nullptr before the first own<T>(). */
	template <class T> static T *find()
	{
		return static_cast<T *>(base::load_acquire(Place<T>::slot.object));
	}

	/** own() - the process's T, which is made if need be. A constructor of T has no effect outside of
	 * the object: two threads may both make one, and one of the two is deleted. */
	template <class T> static T &own()
	{
		T *made = find<T>();
		return made ? *made : make<T>();
	}

	static Process &get() { return own<Process>(); }

	/** begin_use() - the program uses devices from now on: a fork is refused them, and UNPU_TRACE
	 * begins its trace. Calls after the first do nothing. */
	static void begin_use();

	/** check_fork() - begin_use(). Return: NOT_INITIALISED with the sentence set in a fork of a process
	 * that used devices. */
	static base::Status check_fork();

	/** init() - counts. Return: ALREADY_INITIALISED (which also counts), BAD_FILE, BAD_CONFIG,
	 * CONFIG_CHANGED. */
	base::Status init(const char *config_path);
	/** cancel_init() - takes back an init() that returned OK, as if it had not been called. */
	void cancel_init();
	uint64_t init_count();
	/** config_text() - what the file of the last init() said, "" without one. */
	std::string config_text();
	/** finalize() - count to zero and everything closed. Return: ALREADY_FINALISED. */
	base::Status finalize();
	/** finalize_reference() - one less; the last one closes everything. */
	base::Status finalize_reference(uint64_t *left);

	Settings<OPTIONS> options;
	Settings<LIMITS> limits;

private:
	/* Where one object is, in a list of all that were made. */
	struct Slot {
		void *object;
		Slot *next;
	};
	template <class T> struct Place {
		static inline constinit Slot slot{};
	};

	template <class T> [[gnu::noinline, gnu::cold]] static T &make()
	{
		auto made = std::make_unique<T>();
		void *kept = keep(Place<T>::slot, made.get());
		if (kept == made.get())
			(void)made.release();
		return *static_cast<T *>(kept);
	}

	static void *keep(Slot &slot, void *made);
	static void renew_in_fork();
	base::Status end(std::unique_lock<base::Mutex> &lock);

	/* Held while init() asks a firmware how many devices it has. */
	base::Mutex mutex_{"Process::mutex_", base::HeldOver::ANSWERS}; /* protects the following */
	uint64_t init_count_ = 0;
	bool ever_initialised_ = false;
	bool initialised_before_ = false; /* the last init() */
	bool ever_finalised_ = false;
	uint64_t config_hash_ = 0;
	std::string config_text_;
};

} // namespace umd

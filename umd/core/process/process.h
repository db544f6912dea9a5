// SPDX-License-Identifier: MIT
/**
 * DOC: Process
 *
 * Owns all objects of the user-mode driver that exist once in a process. An object is created at its first
 * use and never destroyed, because programs call the library from static destructors. A forked child
 * creates new objects, because threads that do not exist in the child may hold the locks of the old ones.
 */
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "base/sync/mutex.h"
#include "base/sync/ordering.h"
#include "settings.h"

namespace umd {

/** class Process - owns the single objects, and counts initialisations. */
class Process {
public:
	/** find() - the process's T, or nullptr before the first own<T>(). */
	template <class T> static T *find()
	{
		return static_cast<T *>(base::load_acquire(Place<T>::slot.object));
	}

	/** own() - the process's T; the first call creates it. Two threads may both create one, and one of
	 * the two is deleted; so a constructor of T must have no effect outside of the object. */
	template <class T> static T &own()
	{
		T *made = find<T>();
		return made ? *made : make<T>();
	}

	static Process &get() { return own<Process>(); }

	/** begin_checks() - reads UNPU_CHECK, once. Calls that only query something begin with it. */
	static void begin_checks();

	/** check_fork() - calls begin_checks(). Return: NOT_INITIALISED in a forked child whose parent had
	 * begun to use the library; sets the error message. */
	static base::Status check_fork();

	/** begin_use() - notes that the process has state that a forked child can't have. So children forked
	 * later can't use devices. With UNPU_TRACE it begins the trace. Later calls do nothing. Return: as
	 * check_fork(). */
	static base::Status begin_use();

	/** init() - adds 1 to the count. Return: ALREADY_INITIALISED (which also counts), BAD_FILE,
	 * BAD_CONFIG, CONFIG_CHANGED. */
	base::Status init(const char *config_path);
	/** cancel_init() - undoes an init() that returned OK. */
	void cancel_init();
	uint64_t init_count();
	/** config_text() - contents of the configuration file of the last init(), or "". */
	std::string config_text();
	/** finalize() - sets the count to 0 and closes everything. Return: ALREADY_FINALISED. */
	base::Status finalize();
	/** is_finalised() - whether finalize() has ended the library, and nothing has begun it again. */
	bool is_finalised();
	/** finalize_reference() - subtracts 1 from the count; at 0 closes everything. */
	base::Status finalize_reference(uint64_t *left);

	Settings<OPTIONS> options;
	Settings<LIMITS> limits;

private:
	/* The pointer to one object; the slots of all created objects form a list. */
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
	/* Defined in notes/traces.cpp, because that file may include the recorder. */
	static void begin_traces();
	static void leave_traces_in_fork();
	base::Status end() REQUIRES(mutex_);

	/* Held while init() asks a firmware how many devices it has. */
	base::Mutex mutex_{"Process::mutex_", base::HeldOver::ANSWERS};
	uint64_t init_count_ GUARDED_BY(mutex_) = 0;
	bool ever_initialised_ GUARDED_BY(mutex_) = false;
	bool initialised_before_ GUARDED_BY(mutex_) = false; /* result of the last init() */
	bool ever_finalised_ GUARDED_BY(mutex_) = false;
	uint64_t config_hash_ GUARDED_BY(mutex_) = 0;
	std::string config_text_ GUARDED_BY(mutex_);
};

} // namespace umd

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/sync/mutex.h"
#include "check.h"
#include "process.h"

namespace umd::check {

/** struct Site - where the program made a call. */
struct Site {
	const void *address = nullptr; /* the return address of the call */
	std::string told; /* the line of a program in another language; "" for a call of C */

	/** here() - that of a call of this thread. */
	static Site here(const void *address);

	/** text() - "FILE:LINE in FUNCTION()" as the program told it; or "PROGRAM+0xOFFSET", for addr2line, with the
	 * function's name where the program exports it. */
	std::string text() const;
};

/** struct Owned - an object that the program made and has to free. */
struct Owned {
	const char *kind = ""; /* "device memory", "a stream": a literal */
	uint64_t bytes = 0;    /* size, for memory */
	int32_t device = 0;
	Site site;		 /* of the call that made it */
	uint32_t references = 1; /* that the program has to drop */
};

/** live_objects() - how many live objects a table of handles of the process has. */
template <class Table> uint32_t live_objects()
{
	auto *table = Process::find<Table>();
	return table ? table->live() : 0;
}

/** class OwnedObjects - all such objects of the process while checks are on. Context: any thread. */
class OwnedObjects {
public:
	static OwnedObjects &get() { return Process::own<OwnedObjects>(); }

	/** add() - adds an object. @object: the address or the handle that the program got */
	void add(const void *object, const Owned &owned);
	/** add_reference() - adds the object; if it is in the list already, adds a reference. */
	void add_reference(const void *object, const Owned &owned);
	/** remove() - drops a reference, and the object with the last one. @site: the return address of the call that
	 * freed it, or nullptr */
	void remove(const void *object, const void *site);

	/** report() - writes a line for each object of @device, or of all devices for -1, and removes them
	 * from the list.
	 * @call: the call that destroys them */
	void report(const char *call, int32_t device);

	/** using Count - counts the live objects of a kind that are not in the list. */
	using Count = uint32_t (*)();
	/** count() - a report of all devices tells from now on how many objects @kind there are, too.
	 * @kind: a literal, for one object */
	void count(const char *kind, Count count);

	/** find() - describes the memory that contains @address, or did until it was freed; "" if there is none, or if
	 * the lock is taken. Context: any thread; may be called in a signal handler. */
	std::string find(uint64_t address);

	/** find_freed() - the same for recently freed memory: "4096 bytes of ..., freed by a call at ...". */
	std::string find_freed(uint64_t address);

	/** maker() - ", made on device 0 by a call at PLACE" for the object at @address; "" if it is not known. */
	std::string maker(uint64_t address);

private:
	struct Freed {
		uint64_t address = 0;
		Owned owned;
		Site site;
	};

	std::string freed_at(uint64_t address) const REQUIRES(mutex_);
	size_t add_counted(std::vector<std::string> &lines);

	base::Mutex mutex_{"OwnedObjects::mutex_"};
	std::map<uint64_t, Owned> objects_ GUARDED_BY(mutex_);
	std::vector<std::pair<const char *, Count>> counts_ GUARDED_BY(mutex_);
	std::deque<Freed> freed_ GUARDED_BY(mutex_); /* the newest first */
};

/** gone() - removes it, or drops one reference. @site: the return address of the call, of memory */
inline void gone(const void *object, const void *site = nullptr)
{
	if (is_on()) [[unlikely]]
		OwnedObjects::get().remove(object, site);
}

} // namespace umd::check

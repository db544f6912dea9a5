// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <map>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/sync/mutex.h"
#include "base/sync/ordering.h"
#include "call_stack.h"
#include "ended_children.h"
#include "insert_table.h"
#include "operands.h"
#include "record_file.h"
#include "san/trace/record.h"
#include "umd/core/process/call.h"
#include "umd/core/process/reported_stack.h"
#include "umd/core/record/entry.h"

namespace umd::recorder {

/** NO_SITE - the call site of a record that reports never show. */
constexpr uint32_t NO_SITE = UINT32_MAX;

/** HostCheck - which checks of pinned memory in flight are made; see UNPU_SANITIZE_HOST. */
enum HostCheck : uint32_t {
	HOST_DIGEST = 1, /* compares sources with their contents at the call */
	HOST_LATE = 2,	 /* compares targets with a pattern */
};

/** struct Draft - the fields of a record; san/trace/record.h says which ones a kind has. */
struct Draft {
	san::Kind kind;
	uint16_t flags = 0;
	uint32_t stream = san::HOST;
	uint64_t object = 0;
	uint64_t address = 0;
	uint64_t bytes = 0;
	uint64_t value = 0;
	uint32_t label = 0;
	uint32_t site = 0; /* call site; 0: where the program is now */
};

/**
 * class Recorder - writes the API calls of the program into the trace file of the process.
 *
 * Exists while UNPU_SANITIZE names a folder. Context: any thread; takes a lock only for new texts.
 */
class Recorder {
public:
	/** begin_if_asked() - makes the recorder if UNPU_SANITIZE is set. Prints problems to stderr. */
	static void begin_if_asked();
	/** forget_in_fork() - called in the child after fork(), so that it does not write into the trace of
	 * its parent. */
	static void forget_in_fork();

	/** get() - the recorder; nullptr if no trace is recorded. */
	static Recorder *get() { return base::load_acquire(active_); }

	/** reserve() - reserves a record and fills it. */
	Entry reserve(const Draft &draft, const Operands *operands = nullptr);
	/** write() - the same, and publishes the record at once. */
	void write(const Draft &draft, const Operands *operands = nullptr)
	{
		reserve(draft, operands).publish();
	}

	/** begin_sharing() - called when the process shares memory, events or notifies with others. From now
	 * on a record of the time comes before each record about shared objects, so that the traces of
	 * several processes can be merged. */
	void begin_sharing() { base::store_relaxed(is_sharing_, uint32_t{1}); }

	/** mark_now() - records that a part of the program begins, such as a test. If the recorder does not
	 * exist yet, the name is kept for it. */
	static void mark_now(const std::string &part);

	/** site() - the number of the present call stack. */
	[[gnu::noinline]] uint32_t site();
	/** site_of() - the number of the call stack of an interrupted thread. */
	uint32_t site_of(const StackCopy &copy) { return site_of(walker_.walk_copy(copy)); }
	/** label() - the number of a text. @word: a literal, such as "$record_event" or "source" */
	uint32_t label(const char *word);
	/** name() - the number of a text that is made at run time, such as the name of a kernel. */
	uint32_t name(const std::string &text);
	/** call_label() - the number of the text with the name of an API call. @call: as in a packet's
	 * cookie */
	uint32_t call_label(uint16_t call);

	/** next_number() - a new number for a command, a block or a graph. It is unique in all processes of
	 * the machine. */
	uint64_t next_number()
	{
		return uint64_t{client_} << 40 | base::fetch_add(numbers_, uint64_t{1});
	}
	/** next_stream() - a new number for a stream. It is unique in the process. */
	uint32_t next_stream() { return base::fetch_add(streams_, uint32_t{1}); }
	/** number_of() - the number of an object with a handle. It is unique in all processes. */
	uint64_t number_of(uint64_t handle) const { return mix(handle ^ mix(client_)) | 1; }

	/** set_latch() - maps a semaphore of a device to the number of a notify, because graph tasks have
	 * only the semaphore. latch() - looks the number up; 0 if it is not known */
	void set_latch(const void *device, uint32_t sem, uint64_t number);
	uint64_t latch(const void *device, uint32_t sem);

	/** set_contract() - sets by the rules of which API the program is judged.
	 * @orders_default: the default stream is ordered with all other streams */
	void set_contract(san::Profile profile, bool orders_default);
	/** host_checks() - the active HostCheck bits. */
	uint32_t host_checks() const { return host_checks_; }
	bool orders_default() const { return base::load_relaxed(orders_default_) != 0; }

private:
	Recorder(std::unique_ptr<RecordFile> file, const std::string &folder, uint32_t client)
		: file_(std::move(file)), client_(client), ended_(folder, client)
	{
	}
	static Recorder *open(const std::string &folder);
	base::Status prepare();
	void note_time();
	void mark(const std::string &part) { (void)write_text(san::Kind::MARK, 0, part); }
	static std::string first_part();
	static uint32_t wanted_checks();
	bool write_text(san::Kind kind, uint64_t object, const std::string &text);
	uint32_t site_of(const CallStack &stack);
	uint32_t intern(const std::string &text) REQUIRES(mutex_);
	uint32_t number_of_text(InsertTable &table, uint64_t key, const std::string &text);
	uint64_t *place(uint32_t bytes);

	static inline constinit Recorder *active_ = nullptr; /* atomic */
	/* The part of the program that was named before the recorder existed. The thread that exchanges this
	 * pointer owns the old string. */
	static inline constinit std::string *part_ = nullptr; /* atomic */

	const std::unique_ptr<RecordFile> file_;
	const uint32_t client_;
	EndedChildren ended_;
	uint64_t numbers_ = 1;	      /* atomic */
	uint32_t streams_ = 1;	      /* atomic */
	uint32_t orders_default_ = 0; /* atomic */
	uint32_t is_sharing_ = 0;     /* atomic */
	uint32_t host_checks_ = 0;    /* fixed after prepare() */
	StackWalker walker_;
	InsertTable sites_;  /* hash of a call stack -> number of its text */
	InsertTable labels_; /* address of a literal, or hash -> number of its text */
	std::array<uint32_t, CALL_NUMBERS> calls_{};			 /* atomic */
	std::array<uint32_t, static_cast<size_t>(Role::COUNT)> roles_{}; /* fixed after prepare() */
	base::Mutex mutex_{"Recorder::mutex_"};
	uint32_t texts_ GUARDED_BY(mutex_) = 0;
	/* Notifies that graphs use, by device and semaphore. */
	std::map<std::pair<const void *, uint32_t>, uint64_t> latches_ GUARDED_BY(mutex_);
};

/** site_now() - the number of the present call stack; 0 if no trace is recorded. */
inline uint32_t site_now()
{
	Recorder *recorder = Recorder::get();
	return recorder ? recorder->site() : 0;
}

} // namespace umd::recorder

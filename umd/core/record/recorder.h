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
#include "umd/core/process/told_stack.h"

namespace umd::recorder {

/** NO_SITE - for a record that is of no interest to reports. */
constexpr uint32_t NO_SITE = UINT32_MAX;

/** HostCheck - what is compared of pinned memory in flight; see UNPU_SANITIZE_HOST. */
enum HostCheck : uint32_t {
	HOST_DIGEST = 1, /* sources, with what they were at the call */
	HOST_LATE = 2,	 /* targets, with a pattern */
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
	uint32_t site = 0; /* 0: where the program is now */
};

/**
 * class Entry - a record that has its place in the trace, and is not published yet. A call that submits work
 * takes the place before the work, so that whatever sees the work has a later place; it publishes when the
 * work is submitted. If it fails, the entry stays a hole.
 */
class Entry {
public:
	Entry() = default;
	Entry(uint64_t *word, uint64_t head) : word_(word), head_(head) {}

	/** publish() - does nothing for an empty entry. */
	void publish()
	{
		if (word_) [[unlikely]]
			base::store_release(*word_, head_);
	}
	/** publish_task() - the same, of what is @task of its stream. */
	void publish_task(uint64_t task)
	{
		const auto kind = static_cast<san::Kind>(static_cast<uint16_t>(head_));
		if (word_ && san::has_task_in_value(kind)) [[unlikely]]
			word_[VALUE_WORD] = task + 1;
		else if (word_ && san::has_task_in_bytes(kind)) [[unlikely]]
			word_[BYTES_WORD] = task + 1;
		publish();
	}

private:
	/* See san/trace/record.h. */
	static constexpr size_t BYTES_WORD = 4;
	static constexpr size_t VALUE_WORD = 5;

	uint64_t *word_ = nullptr;
	uint64_t head_ = 0;
};

/**
 * class Recorder - writes what the program asks of the runtime into the trace file of the process.
 *
 * Exists while UNPU_SANITIZE names a folder. Context: any thread; takes no lock but for texts that are new.
 */
class Recorder {
public:
	/** begin_if_asked() - makes the recorder if UNPU_SANITIZE is set. Problems are told on stderr. */
	static void begin_if_asked();
	/** forget_in_fork() - the child does not write into its parent's trace. */
	static void forget_in_fork();

	/** get() - nullptr if nothing is recorded. */
	static Recorder *get() { return base::load_acquire(active_); }

	/** reserve() - takes the place of a record. */
	Entry reserve(const Draft &draft, const Operands *operands = nullptr);
	/** write() - the same, and publishes it. */
	void write(const Draft &draft, const Operands *operands = nullptr)
	{
		reserve(draft, operands).publish();
	}

	/** begin_sharing() - the process shares memory, events or notifies with others. From now on each record has its
	 * time before it, so that the traces of several processes can be put in order. */
	void begin_sharing() { base::store_relaxed(is_sharing_, uint32_t{1}); }

	/** mark_now() - says which part of the program begins, as the name of a test. Before the recorder exists, it
	 * is kept for it. */
	static void mark_now(const std::string &part);

	/** site() - the number of the call stack of now. */
	[[gnu::noinline]] uint32_t site();
	/** label() - the number of a text. @word: a literal, as "$record_event" or "source" */
	uint32_t label(const char *word);
	/** name() - the number of a text that is made at run time, as the name of a kernel. */
	uint32_t name(const std::string &text);
	/** call_label() - the name of an API call. @call: as in a packet's cookie */
	uint32_t call_label(uint16_t call);

	/** next_number() - for a command, a block, a graph: unique in all processes of a machine. */
	uint64_t next_number()
	{
		return uint64_t{client_} << 40 | base::fetch_add(numbers_, uint64_t{1});
	}
	/** next_stream() - for a stream: unique in the process. */
	uint32_t next_stream() { return base::fetch_add(streams_, uint32_t{1}); }
	/** number_of() - the number of an object that has a handle: unique in all processes. */
	uint64_t number_of(uint64_t handle) const { return mix(handle ^ mix(client_)) | 1; }

	/** set_latch() - tasks of graphs know a notify by its semaphore on a device. latch() - 0: not known */
	void set_latch(const void *device, uint32_t sem, uint64_t number);
	uint64_t latch(const void *device, uint32_t sem);

	/** set_contract() - by which interface's rules the program is judged: a san::Profile.
	 * @orders_default: the default stream and the others order each other */
	void set_contract(san::Profile profile, bool orders_default);
	/** host_checks() - of HostCheck. */
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
	/* The part of the program that was named before there was a recorder. Whoever exchanges it owns it. */
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
	/* By device and semaphore: notifies that graphs use. */
	std::map<std::pair<const void *, uint32_t>, uint64_t> latches_ GUARDED_BY(mutex_);
};

/** site_now() - the number of the call stack of now; 0 if nothing is recorded. */
inline uint32_t site_now()
{
	Recorder *recorder = Recorder::get();
	return recorder ? recorder->site() : 0;
}

/** is_on() - whether calls are recorded. */
inline bool is_on()
{
	return Recorder::get() != nullptr;
}

} // namespace umd::recorder

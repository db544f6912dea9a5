// SPDX-License-Identifier: MIT
/**
 * DOC: notes
 *
 * The runtime calls these functions to record calls of the program. They do nothing if no trace is recorded.
 * A begin_...() function reserves a record and returns it as an Entry; the caller publishes the Entry when
 * the call has succeeded. A note_...() function writes a complete record.
 *
 * A stream of a process that records has Stream::WATCHED set, so a submit in other processes executes no
 * additional instruction.
 */
#pragma once

#include "recorder.h"
#include "uapi/mailbox.h"
#include "umd/core/process/call.h"

namespace umd {

struct Box;
struct Context;
struct Event;
struct GraphTask;
struct Notify;
struct Stream;

} // namespace umd

namespace umd::recorder {

/** struct CallNotes - what a front end knows about the current call of this thread; the records of the call
 * use it. */
struct CallNotes {
	/* the API does not guarantee that this call waits, so its waits are not recorded */
	bool is_quiet = false;
	uint16_t command_flags = 0;  /* CommandFlag bits for all commands of the call */
	uint16_t memory_flags = 0;   /* AllocFlag of an allocation, or WAITS of a free */
	uint32_t stream = san::HOST; /* the stream in whose order memory is allocated or freed */
	/* the call reads pageable sources before it returns, and the copy may happen later */
	bool stages_sources = false;
	/* The API function that records or waits for an event; OTHER: the name follows from the kind of the
	 * record. */
	Call event_call = Call::OTHER;

	/** mine() - the notes of the calling thread. */
	static CallNotes &mine();
};

/** class CallScope - sets the CallNotes of the thread during its lifetime. */
class CallScope {
public:
	explicit CallScope(const CallNotes &notes)
	{
		if (is_on()) [[unlikely]] {
			is_set_ = true;
			before_ = CallNotes::mine();
			CallNotes::mine() = notes;
		}
	}
	~CallScope()
	{
		if (is_set_) [[unlikely]]
			CallNotes::mine() = before_;
	}
	CallScope(const CallScope &) = delete;
	CallScope &operator=(const CallScope &) = delete;

private:
	bool is_set_ = false;
	CallNotes before_;
};

/** shape_of() - the shape of a copy, from which its operands are made. */
CopyShape shape_of(const Box &box);

/** stream_number() - the number of a stream. The first call records the stream. */
uint32_t stream_number(Stream &stream);

/** begin_packet() - records a packet that is submitted to the stream. The Entry is empty if the packet is no
 * command of the program.
 * @page: the operator, list or descriptor of the packet, with @bytes bytes; or nullptr
 * @flags: CommandFlag bits, in addition to those of CallNotes. @number: number of the command; 0: a new
 * number */
Entry begin_packet(Stream &stream, const unpu_packet &packet, const void *page, size_t bytes,
		   uint16_t flags = 0, uint64_t number = 0);

/** begin_box() - records a copy in the order of the stream that the host makes.
 * @is_now: the call first waits for the stream, and then copies; else the copy runs when the stream reaches
 * it */
Entry begin_box(Stream &stream, const Box &box, uint16_t call, bool is_now);
/** begin_host_task() - records a host function, or a copy or fill that the host makes when the stream reaches
 * it. A host function gets the number by which note_callback() refers to it. */
Entry begin_host_task(Stream &stream, GraphTask &task);

/** begin_host_copy(), begin_host_fill() - record a copy or a fill that the call makes at once, outside of any
 * stream.
 * @call: a literal, the name of the API function */
Entry begin_host_copy(const Box &box, const char *call);
Entry begin_host_fill(uint64_t dst, uint64_t bytes, const char *call);

/** note_stream() - records a wait for a stream, or a query of it. @kind: BLOCKED before a wait, STREAM_SYNC
 * after it; STREAM_DONE after a query */
void note_stream(san::Kind kind, Stream &stream);

/** forget_sources() - stops the comparison of the sources of all copies so far, because pinned memory will be
 * freed, or work was dropped. Context: any lock may be held. */
void forget_sources();

/** note_dropped() - records that the work of the stream was dropped, and uses no memory any more. */
void note_dropped(Stream &stream);
/** note_order() - orders the later work of @to after the work of @from so far. The runtime implies this
 * order; the program made no call for it. */
void note_order(Stream &from, Stream &to);
/** note_order() - @from: handle of a stream, which may have ended */
void note_order(uint64_t from, Stream &to);
/** note_stream_end() - @waits: the call has waited for the stream's work */
void note_stream_end(Stream &stream, bool waits);
/** note_context_wait(), note_context() - record that a call begins to wait, or has waited, for all work of a
 * context.
 * @is_device: the wait also covers the other contexts of its device */
void note_context_wait();
void note_context(Context &context);

/** note_event_created() - sets the event's number in the trace. note_event_end() - records that the event is
 * destroyed. */
void note_event_created(Event &event);
void note_event_end(const Event &event);
/** begin_event() - @kind: EVENT_RECORD, EVENT_WAIT, EVENT_RESET */
Entry begin_event(san::Kind kind, const Event &event, Stream &stream);
/** note_event() - records a wait for an event, or a query of it. @kind: BLOCKED before a wait, EVENT_SYNC
 * after it; EVENT_DONE after a query */
void note_event(san::Kind kind, const Event &event);

/** note_point() - makes an event that exists only in the trace, and records it at the last record of @event.
 * Return: its number; 0 if no trace is recorded. note_point_wait() - records that @stream waits for it.
 * note_point_end() - destroys it. */
uint64_t note_point(const Event &event);
void note_point_wait(uint64_t point, Stream &stream);
void note_point_end(uint64_t point);

/** note_notify_created() - sets the notify's number in the trace. note_notify_shared() - sets it to one that
 * all processes that know @key have. */
void note_notify_created(Notify &notify);
void note_notify_shared(Notify &notify, const unpu_export_key &key);
/** begin_signal() - records a task that changes the latch by @op and @value. begin_await() - records a task
 * that waits for it. */
Entry begin_signal(const Notify &notify, Stream &stream, uint8_t op, uint64_t value);
Entry begin_await(const Notify &notify, Stream &stream, const unpu_sem_wait &wait);
/** note_notify_cleared() - records that the host has set the notify to 0. */
void note_notify_cleared(const Notify &notify);
/** note_captured() - records that a graph task uses the notify. @sem: its semaphore on the stream's device;
 * from now on no other notify gets this semaphore */
void note_captured(const Notify &notify, const Stream &stream, uint32_t sem);
/** begin_word_signal(), begin_word_await() - the same for a word of memory. */
Entry begin_word_signal(Stream &stream, const unpu_packet &packet);
Entry begin_word_await(Stream &stream, const unpu_packet &packet);

/** note_allocation() - records an allocation. @flags: AllocFlag bits, in addition to those of CallNotes.
 * @block: number of the block; 0: a new one
 * @padding: number of bytes after those that the program asked for */
void note_allocation(const void *address, uint64_t bytes, uint16_t flags = 0, uint64_t block = 0,
		     uint64_t padding = 0);
/** begin_free() - records the free of an allocation. @word: the call that frees it, such as "$free" */
Entry begin_free(const void *address, const char *word);
/** note_given_back() - records that the program owns the memory again, for example after it was
 * unregistered. */
void note_given_back(const void *address, uint64_t bytes);
/** note_block() - records physical memory without an address. Return: its number; 0 if nothing is
 * recorded. */
uint64_t note_block(uint64_t bytes, bool host);
/** begin_map(), begin_unmap() - record that a block is mapped at an address, or unmapped.
 * @in_stream: in the order of the stream of CallNotes */
Entry begin_map(uint64_t address, uint64_t bytes, uint64_t block);
Entry begin_unmap(uint64_t address, uint64_t bytes, bool in_stream = false);

/** number_of_key() - the number of an object that processes share. It is the same in all of them. */
uint64_t number_of_key(const unpu_export_key &key);
/** note_export(), note_import() - record that other processes can import the memory by @key, or that this
 * process has imported it. */
void note_export(const void *address, uint64_t bytes, const unpu_export_key &key);
void note_import(uint64_t address, uint64_t bytes, const unpu_export_key &key);

/** note_callback() - records that a host function begins or ends. @kind: CALLBACK_BEGIN, CALLBACK_END.
 * @number: number of the host function, or 0 */
void note_callback(san::Kind kind, uint64_t number);

} // namespace umd::recorder

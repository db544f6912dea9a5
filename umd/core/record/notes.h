// SPDX-License-Identifier: MIT
/**
 * DOC: notes
 *
 * What the rest of the runtime calls to have something recorded. Each function does nothing if nothing is
 * recorded. A begin_...() function takes the place of the record and returns it; the caller publishes it when
 * the call has had success. A note_...() function writes a whole record.
 *
 * A stream of a process that records has Stream::WATCHED set, so a submit that is not recorded has no
 * instruction more than without this room.
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

/** struct CallNotes - what a front end says of the call that the thread makes, for the records of it. */
struct CallNotes {
	bool is_quiet = false; /* waits of this call are no waits that the interface promises */
	uint16_t command_flags = 0;  /* CommandFlag, for all commands */
	uint16_t memory_flags = 0;   /* AllocFlag of an allocation; WAITS of a free */
	uint32_t stream = san::HOST; /* in which memory is allocated or freed */
	bool stages_sources =
		false; /* pageable sources are read in the call, and the copy may be later */
	/* How the interface names a record of an event, or a wait for one; OTHER: by its kind. */
	Call event_call = Call::OTHER;

	/** mine() - of the calling thread. */
	static CallNotes &mine();
};

/** class CallScope - sets the thread's CallNotes until its end. */
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

/** shape_of() - a copy, as operands are made of it. */
CopyShape shape_of(const Box &box);

/** stream_number() - the number of a stream; the first call tells of the stream. */
uint32_t stream_number(Stream &stream);

/** begin_packet() - a packet that goes into the stream. Empty if it is no command of the program.
 * @page: the operator, list or descriptor that the packet wants, of @bytes bytes, or nullptr
 * @flags: CommandFlag, beside those of CallNotes. @number: of the command; 0 for a new one */
Entry begin_packet(Stream &stream, const unpu_packet &packet, const void *page, size_t bytes,
		   uint16_t flags = 0, uint64_t number = 0);

/** begin_box() - a copy in the order of the stream that the host makes.
 * @is_now: in the call, which first waits for the stream; else when the stream comes to it */
Entry begin_box(Stream &stream, const Box &box, uint16_t call, bool is_now);
/** begin_host_task() - a host function, or a copy or fill that the host makes when the stream comes to it. A
 * host function gets the number by which its run is known. */
Entry begin_host_task(Stream &stream, GraphTask &task);

/** begin_host_copy(), begin_host_fill() - a copy or a fill that the call makes at once, in no stream.
 * @call: a literal, the name of the API function */
Entry begin_host_copy(const Box &box, const char *call);
Entry begin_host_fill(uint64_t dst, uint64_t bytes, const char *call);

/** note_stream() - @kind: BLOCKED before a wait, STREAM_SYNC after it; STREAM_DONE after a query */
void note_stream(san::Kind kind, Stream &stream);

/** forget_sources() - pinned memory goes away, or work was dropped: the sources of the copies so far are no longer
 * compared. Context: any lock may be held. */
void forget_sources();

/** note_dropped() - the stream's work was dropped, and uses no memory any more. */
void note_dropped(Stream &stream);
/** note_order() - what @to does from now on is after what @from has done, without a call of the program. */
void note_order(Stream &from, Stream &to);
/** note_order() - @from: handle of a stream, which may have ended */
void note_order(uint64_t from, Stream &to);
/** note_stream_end() - @waits: the call has waited for the stream's work */
void note_stream_end(Stream &stream, bool waits);
/** note_context_wait(), note_context() - a call begins to wait, and has waited, for all work of a context.
 * @is_device: and of the other contexts of its device */
void note_context_wait();
void note_context(Context &context);

/** note_event_created() - sets the event's number in the trace. note_event_end() - it is destroyed. */
void note_event_created(Event &event);
void note_event_end(const Event &event);
/** begin_event() - @kind: EVENT_RECORD, EVENT_WAIT, EVENT_RESET */
Entry begin_event(san::Kind kind, const Event &event, Stream &stream);
/** note_event() - @kind: BLOCKED before a wait, EVENT_SYNC after it; EVENT_DONE after a query */
void note_event(san::Kind kind, const Event &event);

/** note_point() - an event of the trace alone, which is recorded where @event is now. Return: its number; 0 if nothing
 * is recorded. note_point_wait() - @stream waits for it. note_point_end() - nothing will wait for it. */
uint64_t note_point(const Event &event);
void note_point_wait(uint64_t point, Stream &stream);
void note_point_end(uint64_t point);

/** note_notify_created() - sets the notify's number in the trace. note_notify_shared() - sets it to one that
 * all processes that know @key have. */
void note_notify_created(Notify &notify);
void note_notify_shared(Notify &notify, const unpu_export_key &key);
/** begin_signal() - a task changes the latch by @op with @value. begin_await() - a task waits for it. */
Entry begin_signal(const Notify &notify, Stream &stream, uint8_t op, uint64_t value);
Entry begin_await(const Notify &notify, Stream &stream, const unpu_sem_wait &wait);
/** note_notify_cleared() - the host has set the notify to 0. */
void note_notify_cleared(const Notify &notify);
/** note_captured() - a task of a graph uses the notify. @sem: its semaphore on the stream's device, which no other
 * notify gets from now on */
void note_captured(const Notify &notify, const Stream &stream, uint32_t sem);
/** begin_word_signal(), begin_word_await() - the same for a word of memory. */
Entry begin_word_signal(Stream &stream, const unpu_packet &packet);
Entry begin_word_await(Stream &stream, const unpu_packet &packet);

/** note_allocation() - @flags: AllocFlag, beside those of CallNotes. @block: 0 for a new one
 * @padding: bytes behind those that the program asked for */
void note_allocation(const void *address, uint64_t bytes, uint16_t flags = 0, uint64_t block = 0,
		     uint64_t padding = 0);
/** begin_free() - memory at its start. @word: the call that frees it, as "$free" */
Entry begin_free(const void *address, const char *word);
/** note_given_back() - memory is the program's own again, which may use it as it did before. */
void note_given_back(const void *address, uint64_t bytes);
/** note_block() - physical memory without an address. Return: its number; 0 if nothing is recorded. */
uint64_t note_block(uint64_t bytes, bool host);
/** begin_map(), begin_unmap() - it gets an address, or loses it.
 * @in_stream: in the order of the stream of CallNotes */
Entry begin_map(uint64_t address, uint64_t bytes, uint64_t block);
Entry begin_unmap(uint64_t address, uint64_t bytes, bool in_stream = false);

/** number_of_key() - the number of what processes share, the same in all of them. */
uint64_t number_of_key(const unpu_export_key &key);
/** note_export(), note_import() - other processes reach the memory by @key, or this process does. */
void note_export(const void *address, uint64_t bytes, const unpu_export_key &key);
void note_import(uint64_t address, uint64_t bytes, const unpu_export_key &key);

/** note_callback() - @kind: CALLBACK_BEGIN, CALLBACK_END. @number: of the host function, or 0 */
void note_callback(san::Kind kind, uint64_t number);

} // namespace umd::recorder

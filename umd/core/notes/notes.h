// SPDX-License-Identifier: MIT
#pragma once

#include "uapi/mailbox.h"
#include "umd/core/record/call_notes.h"
#include "umd/core/record/observer.h"
#include "umd/core/recorder/recorder.h"

namespace umd::recorder {

/** observe_streams(), observe_events() ... - each file fills its part of the observer's table. */
void observe_streams();
void observe_events();
void observe_memory();
void observe_comparisons();
void observe_submits();
void observe_graphs();
void observe_kernels();

/** stream_number(), begin_event(), number_of_key() - as in the table. */
uint32_t stream_number(Stream &stream);
Entry begin_event(san::Kind kind, const Event &event, Stream &stream);
uint64_t number_of_key(const unpu_export_key &key);

/** shape_of() - the shape of a copy, from which its operands are made. */
CopyShape shape_of(const Box &box);

/** begin_packet() - records a packet that is submitted to the stream. The Entry is empty if the packet is no
 * command of the program.
 * @page: the operator, list or descriptor of the packet, with @bytes bytes; or nullptr
 * @flags: CommandFlag bits, in addition to those of CallNotes. @number: number of the command; 0: a new
 * number */
Entry begin_packet(Stream &stream, const unpu_packet &packet, const void *page, size_t bytes,
		   uint16_t flags, uint64_t number);

/** begin_word_signal(), begin_word_await() - record a task that changes a word of memory, or waits for it. */
Entry begin_word_signal(Stream &stream, const unpu_packet &packet);
Entry begin_word_await(Stream &stream, const unpu_packet &packet);

} // namespace umd::recorder

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "san/memory/shadow.h"

namespace san {

/* X(name, text, severity, sentence). The texts are part of the interface, because suppressions refer to
 * them. */
#define SAN_RULE_LIST(X) \
	X(RACE_RAW, "RACE-RAW", ERROR, "reads memory that the other may still be writing") \
	X(RACE_WAR, "RACE-WAR", ERROR, "writes memory that the other may still be reading") \
	X(RACE_WAW, "RACE-WAW", ERROR, "writes memory that the other may still be writing") \
	X(RACE_XCLIENT, "RACE-XCLIENT", ERROR, \
	  "uses memory that another process may still be using") \
	X(RACE_PARTIAL, "RACE-PARTIAL", WARNING, "may touch bytes that the other may be writing") \
	X(USE_BEFORE_ALLOC, "USE-BEFORE-ALLOC", ERROR, \
	  "uses memory that may not be allocated by then") \
	X(UAF, "UAF", ERROR, "uses memory that is freed") \
	X(UAF_STREAM, "UAF-STREAM", ERROR, "uses memory that a stream may have freed by then") \
	X(UAF_HOST, "UAF-HOST", ERROR, "uses pinned memory of the host that is freed") \
	X(UAF_GRAPH, "UAF-GRAPH", ERROR, "names memory freed after the graph was made") \
	X(HOST_READ_INFLIGHT, "HOST-READ-INFLIGHT", ERROR, \
	  "the host reads memory that a command may still write") \
	X(HOST_WRITE_INFLIGHT, "HOST-WRITE-INFLIGHT", ERROR, \
	  "the host writes memory that a command may still use") \
	X(GRAPH_RACE, "GRAPH-RACE", ERROR, "and another node lack an edge in their graph") \
	X(GRAPH_UPDATE_RACE, "GRAPH-UPDATE-RACE", ERROR, \
	  "races with an update of the graph's parameters") \
	X(EVT_RESET_BEFORE_WAIT, "EVT-RESET-BEFORE-WAIT", ERROR, \
	  "waits for an event that may be reset first") \
	X(DEADLOCK, "DEADLOCK", ERROR, "waits for something that can't happen") \
	X(UNINIT, "UNINIT", ERROR, "reads memory that was never written") \
	X(UNINIT_PART, "UNINIT-PART", WARNING, "reads memory of which a part was never written") \
	X(OVERRUN, "OVERRUN", WARNING, "ends behind what the program asked for") \
	X(OVERRUN_OTHER, "OVERRUN-OTHER", ERROR, "goes on behind the memory in which it begins") \
	X(CALLBACK_API, "CALLBACK-API", WARNING, "is called in a host function") \
	X(EVT_NOOP_WAIT, "EVT-NOOP-WAIT", NOTE, "waits for an event that was never recorded") \
	X(EVT_LOST_RECORD, "EVT-LOST-RECORD", NOTE, \
	  "records an event again before anything waited for it")

enum class Rule : uint8_t {
#define SAN_RULE_ENUM(name, text, severity, sentence) name,
	SAN_RULE_LIST(SAN_RULE_ENUM)
#undef SAN_RULE_ENUM
};

/** enum class Severity - how bad a mistake is. Notes never decide an exit code. */
enum class Severity : uint8_t { NOTE, WARNING, ERROR };

const char *rule_text(Rule rule);
const char *rule_sentence(Rule rule);
Severity rule_severity(Rule rule);
const char *severity_text(Severity severity);

/** struct Side - one of the two calls of a finding, as texts. */
struct Side {
	uint64_t command = 0; /* the recorder's number of the command */
	uint64_t order = 0;   /* place in the trace */
	uint64_t task = 0;    /* its number in the stream, plus 1; 0: not known */
	uint32_t client = 0;
	std::string stream; /* name and number of the stream; "host" */
	std::string label;  /* the function that was called */
	std::string role;   /* role of the operand */
	std::string site;   /* where the call is in the program */
	std::string use;    /* "reads", "writes", "frees" */
	std::string launch; /* for a node of a graph: the call that launched the graph */
	std::string launch_site;
};

/** struct MemoryText - the bytes that a finding is about. */
struct MemoryText {
	bool is_known = false;
	std::string label;
	std::string site; /* where the program allocated the memory */
	uint64_t address = 0;
	uint64_t bytes = 0;
	Range overlap; /* offsets in the block of the bytes that both calls use */
};

/** struct Hint - a sentence that may help to repair the program. @code is the same in all versions. */
struct Hint {
	std::string code;
	std::string text;
	std::string site{}; /* call site of the record or wait that the hint is about */
};

/** struct Step - one thing that happened on one of the two streams of a finding, near it. */
struct Step {
	enum class What : uint8_t { COMMAND, RECORD, WAIT, WAIT_WITHOUT_RECORD };
	What what = What::COMMAND;
	bool is_later = false; /* it happened on the stream of the later access */
	uint64_t order = 0;    /* place in the trace */
	uint64_t number = 0;   /* number of the command */
	uint64_t record = 0;   /* for a wait: place in the trace of the record that it waits for */
	std::string label;     /* the function that was called; for records and waits, the event */
	std::string site;
	uint64_t task = 0; /* for a command: as in Side */
};

/**
 * struct Finding - one mistake of the program.
 *
 * @number: number of the finding in the trace, from 1 on.
 * @repeats: 0, or the number of an earlier finding with the same calls, operands and sites. With
 * Options::brief, such a repeat has only the rule, later.order and later.client.
 */
struct Finding {
	Rule rule = Rule::RACE_RAW;
	uint64_t number = 0;
	uint64_t repeats = 0;
	Side later;
	Side earlier; /* if its label is empty, the finding has only one side */
	MemoryText memory;
	std::string order; /* the last point at which the two sides were ordered */
	std::vector<Hint> hints;
	/* for a deadlock: a sentence for each wait of the circle */
	std::vector<std::string> circle;
	std::vector<Step> steps; /* steps of both streams, in the order of the trace */
};

} // namespace san

/* SPDX-License-Identifier: MIT */
/**
 * DOC: Interface of a wire's engine
 *
 * libunpu.so has an engine over sockets, umd/hccl/wire/streams. With UNPU_HCCL_WIRE=ucx it loads libhccl_wire_ucx.so
 * when the first communicator has ranks of several firmwares, and calls it through the functions of this file alone.
 * So libunpu.so itself needs no UCX. All functions are called by one thread at a time, and the engine calls back only
 * inside of them.
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WIRE_ENGINE_VERSION 3u
/* The library has this one symbol: a function of the type wire_engine_get. */
#define WIRE_ENGINE_SYMBOL "unpu_wire_engine"

/** struct WireUpcalls - what an engine calls. */
struct WireUpcalls {
	void *user;
	/* A message has come with all its data, which are valid during the call. */
	void (*take)(void *user, const void *head, uint64_t head_bytes, const void *data,
		     uint64_t bytes);
	/* A message has come whose data wait at the sender. Return: where they go; NULL: they are dropped.
	 * @receipt: receives what arrived() gets */
	void *(*place)(void *user, const void *head, uint64_t head_bytes, uint64_t bytes,
		       void **receipt);
	/* @is_whole: 0: the connection failed before, and nothing more is written */
	void (*arrived)(void *user, void *receipt, int is_whole);
	/* The data of a message are no longer read. */
	void (*sent)(void *user, void *token);
	/* A connection failed. It still has to be disconnected. @text: a part of a sentence */
	void (*failed)(void *user, uint32_t link, const char *text);
	/* What disconnect() began has ended. */
	void (*parted)(void *user, uint32_t link);
};

/** struct WireEngine - the functions of an engine. Texts are parts of a sentence. */
struct WireEngine {
	uint32_t version;
	/* @settings: pairs of a name and a value, then NULL. Return: the engine; NULL with @text. */
	void *(*open)(const struct WireUpcalls *upcalls, const char *const *settings, char *text,
		      uint64_t text_bytes);
	/* All connections are disconnected before. */
	void (*close)(void *engine);
	/* Return: the bytes of the address, of which it copied at most @most. */
	uint64_t (*address)(void *engine, void *bytes, uint64_t most);
	/* The door of the meetings listens at a struct TcpPlace for this engine, too, which is part of the address from
	 * now on. NULL: the engine listens by itself. */
	void (*reach)(void *engine, const void *place);
	/* A descriptor that becomes readable when there is something to do, after arm(). */
	int (*event_fd)(void *engine);
	/* Return: whether something was done. */
	int (*progress)(void *engine);
	/* Return: 0: there is something to do; call progress() before sleep. */
	int (*arm)(void *engine);
	/* Ends connections whose other side has not answered for seconds. Return: whether data wait for an answer. */
	int (*check)(void *engine);
	/* @link: the number for failed() and parted(). Return: the connection; NULL with @text. */
	void *(*connect)(void *engine, const void *address, uint64_t bytes, uint32_t link,
			 char *text, uint64_t text_bytes);
	/* @is_flushed: sends what was given to send(); otherwise that ends at once. parted() comes later, or in it. */
	void (*disconnect)(void *engine, void *connection, int is_flushed);
	/* Ends the sockets of all connections, so that those which wait for their other sides end. */
	void (*sever)(void *engine);
	/* @is_placed: the data stay here until the receiver has said where they go
	 * Return: 1: done; 0: sent() comes later; -1: the connection has failed, with @text. */
	int (*send)(void *engine, void *connection, const void *head, uint64_t head_bytes,
		    const void *data, uint64_t bytes, int is_placed, void *token, char *text,
		    uint64_t text_bytes);
};

typedef const struct WireEngine *wire_engine_get(void);

#ifdef __cplusplus
}
#endif

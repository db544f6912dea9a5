/* SPDX-License-Identifier: MIT */
/**
 * DOC: Interface of a wire's engine
 *
 * libunpu.so has an engine over sockets, umd/hccl/wire/streams. With UNPU_HCCL_WIRE=ucx it loads
 * libhccl_wire_ucx.so when the first communicator has ranks of several firmwares, and calls it only through
 * the functions of this file. So libunpu.so itself needs no UCX. Only one thread at a time calls these
 * functions. The engine calls back only while one of them runs.
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WIRE_ENGINE_VERSION 3u
/* The library has this one symbol: a function of the type wire_engine_get. */
#define WIRE_ENGINE_SYMBOL "unpu_wire_engine"

/** struct WireUpcalls - the functions that an engine calls. */
struct WireUpcalls {
	void *user;
	/* A message has arrived with all its data. The data are valid during the call. */
	void (*take)(void *user, const void *head, uint64_t head_bytes, const void *data,
		     uint64_t bytes);
	/* A message has arrived whose data still wait at the sender. Return: where to store them; NULL: drop
	 * them.
	 * @receipt: receives the argument for arrived() */
	void *(*place)(void *user, const void *head, uint64_t head_bytes, uint64_t bytes,
		       void **receipt);
	/* The data of place() have arrived. @is_whole: 0: the connection failed before the end; the engine
	 * writes nothing more */
	void (*arrived)(void *user, void *receipt, int is_whole);
	/* The engine no longer reads the data of a message. */
	void (*sent)(void *user, void *token);
	/* A connection has failed. The caller still has to disconnect it. @text: a part of an error
	 * message */
	void (*failed)(void *user, uint32_t link, const char *text);
	/* The connection of a disconnect() has ended. */
	void (*parted)(void *user, uint32_t link);
};

/** struct WireEngine - the functions of an engine. The texts that they return become parts of error messages. */
struct WireEngine {
	uint32_t version;
	/* @settings: pairs of a name and a value, then NULL. Return: the engine; NULL with @text. */
	void *(*open)(const struct WireUpcalls *upcalls, const char *const *settings, char *text,
		      uint64_t text_bytes);
	/* The caller has disconnected all connections before. */
	void (*close)(void *engine);
	/* Copies at most @most bytes of the engine's address. Return: the length of the address. */
	uint64_t (*address)(void *engine, void *bytes, uint64_t most);
	/* @place: a struct TcpPlace. The listener of the meetings listens there for this engine, too, so it
	 * becomes a part of the engine's address. NULL: the engine listens by itself. */
	void (*reach)(void *engine, const void *place);
	/* A descriptor that becomes readable when there is something to do, after arm(). */
	int (*event_fd)(void *engine);
	/* Does all work that is possible without blocking. Return: whether it did something. */
	int (*progress)(void *engine);
	/* Prepares the descriptor of event_fd(). Return: 0 if there is work: call progress() before
	 * sleeping. */
	int (*arm)(void *engine);
	/* Ends connections whose other side has not answered for seconds. Return: whether data wait for an answer. */
	int (*check)(void *engine);
	/* Connects to an address. @link: the number for failed() and parted(). Return: the connection; NULL
	 * with @text. */
	void *(*connect)(void *engine, const void *address, uint64_t bytes, uint32_t link,
			 char *text, uint64_t text_bytes);
	/* Ends a connection. @is_flushed: first sends everything that was given to send(); otherwise drops
	 * it. The engine calls parted() later, or during this call. */
	void (*disconnect)(void *engine, void *connection, int is_flushed);
	/* Shuts down the sockets of all connections, so that connections that wait for the other side end. */
	void (*sever)(void *engine);
	/* Sends a message. @is_placed: the data stay with the sender until the receiver has said where to
	 * store them
	 * Return: 1: the data were sent or copied; 0: the engine calls sent() later; -1: the connection has
	 * failed, see @text. */
	int (*send)(void *engine, void *connection, const void *head, uint64_t head_bytes,
		    const void *data, uint64_t bytes, int is_placed, void *token, char *text,
		    uint64_t text_bytes);
};

typedef const struct WireEngine *wire_engine_get(void);

#ifdef __cplusplus
}
#endif

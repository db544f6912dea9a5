// SPDX-License-Identifier: MIT
/*
 * DOC: costly requests
 *
 * Each request is one that a client may send, made as expensive as the firmware allows.
 */
#ifndef UNPU_TESTS_ATTACKER_COSTLY_H
#define UNPU_TESTS_ATTACKER_COSTLY_H

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "tests/adversarial/hostile/hostile_peer.h"

/* CHECK() - ends the request with what does not hold. */
#define CHECK(...) \
	do { \
		if (!(__VA_ARGS__)) \
			return #__VA_ARGS__; \
	} while (0)

namespace attacker {

/* A client that attacks. */
struct Attack {
	std::string socket;
	std::unique_ptr<hostile::Peer> peer;
	hostile::Channel channel;
};

struct Costly {
	const char *name;
	/* prepare() - what the request needs; nullptr when it needs nothing. Return: whether it is there. */
	bool (*prepare)(Attack &attack);
	/* run() - the request, whose cost others may feel. Return: nullptr, or what does not hold. */
	const char *(*run)(Attack &attack);
};

/* make() - device memory that is mapped. */
base::Status make(hostile::Peer &peer, uint64_t bytes, hostile::Memory &memory);

/* load() - loads a graph. @memory: out, where its image is */
base::Status load(hostile::Peer &peer, const std::vector<std::byte> &image, hostile::Memory &memory,
		  uint32_t &graph);

/* load_placed() - the same, of an image that is there already. */
base::Status load_placed(hostile::Peer &peer, const hostile::Memory &memory, uint64_t bytes,
			 uint32_t &graph);

/* Of several clients. */
bool prepare_crowd(Attack &attack);
const char *crowd_leaves(Attack &attack);
bool prepare_loaders(Attack &attack);
const char *load_beside_loads(Attack &attack);
const char *wake_many_waiters(Attack &attack);

/* Of graphs. */
bool prepare_dormant_lines(Attack &attack);
const char *start_dormant_lines(Attack &attack);
bool prepare_unused_nodes(Attack &attack);
const char *map_beside_nodes(Attack &attack);
bool prepare_edges(Attack &attack);
const char *follow_edges(Attack &attack);
bool prepare_long_lines(Attack &attack);
bool prepare_file_lines(Attack &attack);
bool prepare_operators(Attack &attack);
const char *grow_operators(Attack &attack);

const std::vector<Costly> &costly_requests();

} // namespace attacker

#endif

// SPDX-License-Identifier: MIT
/**
 * DOC: sample programs of AscendCL
 *
 * Small forms of what real programs do with streams: loaders with two buffers, pipelines of stages, workers whose
 * results are joined, staging memory that is used again, captured steps. All are correct.
 */
#include "san/programs/acl.h"

static constexpr int STEPS = 6;

static void host_sync(aclrtEvent event)
{
	OK(aclrtSynchronizeEvent(event));
}

/* A loader fills one of two buffers while a step computes with the other. */
CORRECT(P01_loader_with_two_buffers)
{
	aclrtStream load = new_stream(), compute = new_stream();
	char *staging[2] = {new_pinned(), new_pinned()}, *input[2] = {new_memory(), new_memory()};
	char *sum = new_memory();
	aclrtEvent loaded[2] = {new_event(), new_event()}, used[2] = {new_event(), new_event()};
	OK(aclrtSynchronizeDevice());
	for (int i = 0; i < STEPS; i++) {
		const int k = i % 2;
		if (i >= 2)
			host_sync(loaded[k]);
		host_write(staging[k]);
		if (i >= 2)
			wait(load, used[k]);
		copy(load, input[k], staging[k]);
		record(loaded[k], load);
		wait(compute, loaded[k]);
		add(compute, sum, sum, input[k]);
		record(used[k], compute);
	}
	char *result = new_pinned();
	copy(compute, result, sum);
	sync(compute);
	host_read(result);
	for (char *memory : input)
		OK(aclrtFree(memory));
}

/* Load, compute and store in three streams, with a ring of three buffers between each two. */
CORRECT(P02_three_stages)
{
	constexpr int RING = 3;
	aclrtStream load = new_stream(), compute = new_stream(), store = new_stream();
	aclrtEvent loaded[RING], computed[RING], stored[RING];
	char *source = new_pinned(STEPS * BYTES), *target = new_pinned(STEPS * BYTES);
	char *in[RING], *out[RING];
	for (int k = 0; k < RING; k++) {
		loaded[k] = new_event();
		computed[k] = new_event();
		stored[k] = new_event();
		in[k] = new_memory();
		out[k] = new_memory();
	}
	host_write(source, STEPS * BYTES);
	for (int i = 0; i < STEPS; i++) {
		const int k = i % RING;
		if (i >= RING)
			wait(load, computed[k]);
		copy(load, in[k], source + i * BYTES);
		record(loaded[k], load);
		wait(compute, loaded[k]);
		if (i >= RING)
			wait(compute, stored[k]);
		add(compute, out[k], in[k], in[k]);
		record(computed[k], compute);
		wait(store, computed[k]);
		copy(store, target + i * BYTES, out[k]);
		record(stored[k], store);
	}
	sync(store);
	host_read(target, STEPS * BYTES);
}

/* Workers compute parts in streams of their own; the main stream waits for all of them. */
CORRECT(P03_workers_that_are_joined)
{
	constexpr int WORKERS = 4;
	aclrtStream main = new_stream();
	char *input = new_memory(), *sum = new_memory();
	aclrtEvent ready = new_event();
	fill(main, input);
	record(ready, main);
	for (int i = 0; i < WORKERS; i++) {
		aclrtStream worker = new_stream();
		aclrtEvent done = new_event();
		char *part = new_memory();
		wait(worker, ready);
		add(worker, part, input, input);
		record(done, worker);
		wait(main, done);
		add(main, sum, sum, part);
	}
	char *result = new_pinned();
	copy(main, result, sum);
	sync(main);
	host_read(result);
	OK(aclrtFree(input));
}

/* A ring of pinned buffers for input and one for results, each used again after its event. */
CORRECT(P04_staging_rings)
{
	constexpr int RING = 2;
	aclrtStream stream = new_stream();
	char *in[RING] = {new_pinned(), new_pinned()}, *out[RING] = {new_pinned(), new_pinned()};
	aclrtEvent done[RING] = {new_event(), new_event()};
	char *x = new_memory(), *y = new_memory();
	for (int i = 0; i < STEPS + RING; i++) {
		const int k = i % RING;
		if (i >= RING) {
			host_sync(done[k]);
			host_read(out[k]);
		}
		if (i >= STEPS)
			continue;
		host_write(in[k]);
		copy(stream, x, in[k]);
		add(stream, y, x, x);
		copy(stream, out[k], y);
		record(done[k], stream);
	}
	for (char *memory : in)
		OK(aclrtFreeHost(memory));
	for (char *memory : out)
		OK(aclrtFreeHost(memory));
}

/* Layers that run in two streams, each one needing the last one's two halves. */
CORRECT(P05_halves_that_meet_in_each_layer)
{
	aclrtStream a = new_stream(), b = new_stream();
	aclrtEvent left = new_event(), right = new_event();
	char *now = new_memory(), *next = new_memory();
	for (int i = 0; i < STEPS; i++) {
		add(a, next, now, now, BYTES / 2);
		add(b, next + BYTES / 2, now + BYTES / 2, now, BYTES / 2);
		record(left, a);
		record(right, b);
		wait(a, right);
		wait(b, left);
		std::swap(now, next);
	}
	sync(a);
	sync(b);
	host_read(now, 64);
	OK(aclrtFree(now));
	OK(aclrtFree(next));
}

/* A captured step with a side branch; its input changes between the launches. */
CORRECT(P06_captured_step)
{
	aclrtStream main = new_stream(), side = new_stream();
	aclrtEvent fork = new_event(), join = new_event();
	char *input = new_memory(), *a = new_memory(), *b = new_memory(), *out = new_memory();
	char *staging = new_pinned(), *result = new_pinned();
	aclmdlRI step = nullptr;
	OK(aclmdlRICaptureBegin(main, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	add(main, a, input, input);
	record(fork, main);
	wait(side, fork);
	add(side, b, a, input);
	record(join, side);
	add(main, out, a, a);
	wait(main, join);
	add(main, out, out, b);
	OK(aclmdlRICaptureEnd(main, &step));
	for (int i = 0; i < STEPS; i++) {
		host_write(staging);
		copy(main, input, staging);
		OK(aclmdlRIExecuteAsync(step, main));
		copy(main, result, out);
		sync(main);
		host_read(result);
	}
	OK(aclmdlRIDestroy(step));
}

/* Flags: each stage waits for one, and resets it before the next round. */
CORRECT(P07_flags_that_are_reset)
{
	aclrtStream producer = new_stream(), consumer = new_stream();
	aclrtEvent full = new_flag(), empty = new_flag();
	char *buffer = new_memory(), *result = new_memory();
	record(empty, consumer);
	for (int i = 0; i < STEPS; i++) {
		wait(producer, empty);
		OK(aclrtResetEvent(empty, producer));
		fill(producer, buffer);
		record(full, producer);
		wait(consumer, full);
		OK(aclrtResetEvent(full, consumer));
		copy(consumer, result, buffer);
		record(empty, consumer);
	}
	sync(consumer);
	sync(producer);
	OK(aclrtFree(buffer));
}

static char *prepared;

/* A host function prepares what the next copy of its stream takes. */
CORRECT(P08_host_function_prepares)
{
	aclrtStream stream = new_stream(), other = new_stream();
	aclrtEvent copied = new_event();
	char *x = new_memory(), *y = new_memory();
	prepared = new_pinned();
	for (int i = 0; i < STEPS; i++) {
		OK(aclrtLaunchHostFunc(
			stream, [](void *) { prepared[0]++; }, nullptr));
		copy(stream, x, prepared);
		record(copied, stream);
		wait(other, copied);
		add(other, y, x, y);
		record(copied, other);
		wait(stream, copied);
	}
	sync(other);
	sync(stream);
	host_write(prepared);
	OK(aclrtFreeHost(prepared));
}

/* A notify for each direction, as between the devices of a collective. */
CORRECT(P09_notifies)
{
	aclrtStream a = new_stream(), b = new_stream();
	aclrtNotify there = nullptr, back = nullptr;
	char *x = new_memory(), *y = new_memory();
	OK(aclrtCreateNotify(&there, 0));
	OK(aclrtCreateNotify(&back, 0));
	for (int i = 0; i < STEPS; i++) {
		fill(a, x);
		OK(aclrtRecordNotify(there, a));
		OK(aclrtWaitAndResetNotify(there, b, 0));
		copy(b, y, x);
		OK(aclrtRecordNotify(back, b));
		OK(aclrtWaitAndResetNotify(back, a, 0));
	}
	sync(a);
	sync(b);
	OK(aclrtDestroyNotify(there));
	OK(aclrtDestroyNotify(back));
	OK(aclrtFree(x));
}

/* Tokens: the cache grows in a stream of its own while the next token's input is copied. */
CORRECT(P10_tokens_and_a_cache)
{
	aclrtStream main = new_stream(), cache_stream = new_stream(), copies = new_stream();
	aclrtEvent made = new_event(), kept = new_event(), here = new_event(), read = new_event();
	char *cache = new_memory(STEPS * BYTES), *key = new_memory(), *token = new_memory();
	char *out = new_memory(), *host = new_pinned(STEPS * BYTES);
	host_write(host, STEPS * BYTES);
	for (int i = 0; i < STEPS; i++) {
		if (i > 0)
			wait(copies, read);
		copy(copies, token, host + i * BYTES);
		record(here, copies);
		wait(main, here);
		if (i > 0)
			wait(main, kept);
		add(main, key, token, token);
		record(read, main);
		record(made, main);
		wait(cache_stream, made);
		copy(cache_stream, cache + i * BYTES, key);
		record(kept, cache_stream);
		wait(main, kept);
		add(main, out, out, cache + i * BYTES);
	}
	char *result = new_pinned();
	copy(main, result, out);
	sync(main);
	host_read(result);
	OK(aclrtFree(cache));
}

/* The host decides after each step whether there is another one. */
CORRECT(P11_host_in_the_loop)
{
	aclrtStream compute = new_stream(), back = new_stream();
	aclrtEvent computed = new_event(), copied = new_event();
	char *x = new_memory(), *norm = new_pinned(64);
	for (int i = 0; i < STEPS; i++) {
		add(compute, x, x, x);
		record(computed, compute);
		wait(back, computed);
		copy(back, norm, x, 64);
		record(copied, back);
		host_sync(copied);
		host_read(norm, 64);
	}
	OK(aclrtSynchronizeDevice());
	OK(aclrtFree(x));
	OK(aclrtFreeHost(norm));
}

int main(int argc, char **argv)
{
	return programs::main_of(
		argc, argv,
		[] {
			OK(aclInit(nullptr));
			OK(aclrtSetDevice(0));
		},
		[] {
			OK(aclrtResetDevice(0));
			OK(aclFinalize());
		});
}

// SPDX-License-Identifier: MIT
/**
 * DOC: Tasks and events
 *
 * The smallest task of the API is an asynchronous memset of 32 bytes. In all rows it is "a task": the
 * device fetches, checks and executes it.
 */
#include "tasks.h"

#include <string>

namespace bench {

/* A batch of @tasks from the first submit to the end of the last task, by task. */
static void measure_batch(const Client &client, const char *key, unsigned tasks, unsigned samples,
			  Round &round)
{
	const auto sample = [&] {
		const uint64_t start_ns = base::now_ns();
		for (unsigned k = 0; k < tasks; k++)
			client.task(client.first);
		Client::sync(client.first);
		return static_cast<double>(base::now_ns() - start_ns) / tasks;
	};
	for (unsigned i = 0; i < 2; i++)
		(void)sample();
	std::vector<double> each_ns = take_samples(samples, sample);
	const double median_ns = quantile(each_ns, 0.5);
	round.push_back({key,
			 "a task of " + std::to_string(tasks) + " + synchronize",
			 {median_ns, quantile(each_ns, 0.99), each_ns},
			 KEY_RING_BY_8});
}

void measure_submit(const Client &client, const Effort &effort, Round &round)
{
	const Plan plan{Client::QUEUE_TASKS, effort.scaled(200), Client::QUEUE_TASKS,
			effort.scaled(8) * Client::QUEUE_TASKS};
	const Summary summary = measure(
		plan, [&] { client.task(client.first); }, [&] { client.sync(client.first); });
	round.push_back({"task.submit", "submit a task (of 1000 back to back)", summary, KEY_RING});
	/* The kernel takes tens of milliseconds to move both threads apart. */
	measure_batch(client, "task.stream", Client::QUEUE_TASKS, effort.scaled(4000), round);
	measure_batch(client, "task.stream.long", 100 * Client::QUEUE_TASKS, effort.scaled(40),
		      round);
}

void measure_trip(const Client &client, const Effort &effort, const char *how, Round &round)
{
	const Plan plan{100, effort.scaled(200), 20, effort.scaled(4000)};
	const Summary summary = measure(plan, [&] {
		client.task(client.first);
		client.sync(client.first);
	});
	round.push_back({std::string("task.trip.") + how, std::string("task + synchronize, ") + how,
			 summary});
}

namespace {

/* Long enough that events recorded behind it stay open while waits are queued. */
constexpr size_t LONG_TASK_BYTES = 8u << 20;
constexpr unsigned QUEUED_WAITS = 256;

class Events {
public:
	Events(const Client &client, const Effort &effort, Round &round);
	~Events();

	void record();
	void query();
	void wait_done();
	void create();
	void wait_open();
	void synchronize();
	void cross();
	void hop();

private:
	void add(const char *key, const char *title, const Summary &summary,
		 const char *base = KEY_DESCRIPTOR)
	{
		round_.push_back({key, title, summary, base});
	}

	void drain() const
	{
		Client::sync(client_.first);
		Client::sync(client_.second);
	}

	const Client &client_;
	const Effort &effort_;
	Round &round_;
	aclrtEvent plain_ = nullptr;   /* without time stamp */
	aclrtEvent stamped_ = nullptr; /* with one */
	void *long_task_ = nullptr;
};

Events::Events(const Client &client, const Effort &effort, Round &round)
	: client_(client), effort_(effort), round_(round)
{
	CHECK(aclrtCreateEventExWithFlag(&plain_, ACL_EVENT_SYNC));
	CHECK(aclrtCreateEvent(&stamped_));
	CHECK(aclrtMalloc(&long_task_, LONG_TASK_BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK(aclrtMemset(long_task_, LONG_TASK_BYTES, 0, LONG_TASK_BYTES));
}

Events::~Events()
{
	CHECK(aclrtFree(long_task_));
	CHECK(aclrtDestroyEvent(stamped_));
	CHECK(aclrtDestroyEvent(plain_));
}

void Events::record()
{
	const Plan plan{256, effort_.scaled(100), 256, effort_.scaled(4) * 256};
	auto done = [&] { drain(); };
	add("event.record", "record an event",
	    measure(
		    plan, [&] { CHECK(aclrtRecordEvent(plain_, client_.first)); }, done),
	    KEY_CALL);
	auto both = [&] {
		client_.task(client_.first);
		CHECK(aclrtRecordEvent(plain_, client_.first));
	};
	add("event.task_record", "submit a task, record an event", measure(plan, both, done));
	add("event.record_stamp", "record an event with time stamp",
	    measure(
		    plan, [&] { CHECK(aclrtRecordEvent(stamped_, client_.first)); }, done));
}

void Events::query()
{
	aclrtEventRecordedStatus status;
	client_.task(client_.first);
	CHECK(aclrtRecordEvent(plain_, client_.first));
	drain();
	const Plan plan{256, effort_.scaled(200), 256, effort_.scaled(4) * 256};
	add("event.query", "query an event that is done",
	    measure(plan, [&] { CHECK(aclrtQueryEventStatus(plain_, &status)); }), KEY_CALL);
}

void Events::wait_done()
{
	const Plan plan{256, effort_.scaled(200), 256, effort_.scaled(4) * 256};
	add("event.wait_done", "stream waits for an event that is done",
	    measure(plan, [&] { CHECK(aclrtStreamWaitEvent(client_.second, plain_)); }), KEY_CALL);
}

void Events::create()
{
	const Plan plan{256, effort_.scaled(200), 256, effort_.scaled(4) * 256};
	add("event.create_destroy", "make an event and destroy it", measure(plan, [&] {
		    aclrtEvent event;
		    CHECK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
		    CHECK(aclrtDestroyEvent(event));
	    }));
}

void Events::wait_open()
{
	std::vector<double> samples;
	for (unsigned i = 0; i < effort_.scaled(20); i++) {
		CHECK(aclrtMemsetAsync(long_task_, LONG_TASK_BYTES, 0, LONG_TASK_BYTES,
				       client_.first));
		CHECK(aclrtRecordEvent(plain_, client_.first));
		const uint64_t start_ns = base::now_ns();
		for (unsigned k = 0; k < QUEUED_WAITS; k++)
			CHECK(aclrtStreamWaitEvent(client_.second, plain_));
		const uint64_t end_ns = base::now_ns();
		samples.push_back(static_cast<double>(end_ns - start_ns) / QUEUED_WAITS);
		drain();
	}
	const double median_ns = quantile(samples, 0.5);
	add("event.wait_open", "stream waits for an event that is open",
	    {median_ns, quantile(samples, 0.99)});
}

void Events::synchronize()
{
	const Plan plan{100, effort_.scaled(200), 20, effort_.scaled(2000)};
	add("event.trip", "task + record + synchronize event", measure(plan, [&] {
		    client_.task(client_.first);
		    CHECK(aclrtRecordEvent(plain_, client_.first));
		    CHECK(aclrtSynchronizeEvent(plain_));
	    }));
}

void Events::cross()
{
	const Plan plan{100, effort_.scaled(200), 20, effort_.scaled(2000)};
	add("event.cross", "task, record | wait, task + synchronize", measure(plan, [&] {
		    client_.task(client_.first);
		    CHECK(aclrtRecordEvent(plain_, client_.first));
		    CHECK(aclrtStreamWaitEvent(client_.second, plain_));
		    client_.task(client_.second);
		    client_.sync(client_.second);
	    }));
}

/* Two streams that wait for each other by turns, long enough for both to be under way all the time. */
void Events::hop()
{
	constexpr unsigned HOPS = 256;
	const Plan plan{2, effort_.scaled(4000), 1, 0};
	const aclrtStream streams[] = {client_.first, client_.second};
	Measure hops{"event.hop", "256 records and waits between two streams", measure(plan, [&] {
			     for (unsigned i = 0; i < HOPS; i++) {
				     client_.task(streams[i % 2]);
				     CHECK(aclrtRecordEvent(plain_, streams[i % 2]));
				     CHECK(aclrtStreamWaitEvent(streams[(i + 1) % 2], plain_));
			     }
			     drain();
		     })};
	hops.items = HOPS;
	round_.push_back(hops);
}

} // namespace

void measure_events(const Client &client, const Effort &effort, Round &round)
{
	Events events(client, effort, round);
	events.record();
	events.query();
	events.wait_done();
	events.create();
	events.wait_open();
	events.synchronize();
	events.cross();
	events.hop();
}

} // namespace bench

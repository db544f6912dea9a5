// SPDX-License-Identifier: MIT
/**
 * DOC: Many streams
 *
 * A program that uses one of its streams should not pay for the others. The others have had one task each,
 * and are then idle or blocked in a wait. In the row for all streams in turn, no cache line of a stream is
 * in a near cache when its turn comes, as in such a program.
 */
#include "scale.h"

#include <unistd.h>
#include <vector>

#include "process/client.h"

namespace bench {

namespace {

constexpr unsigned STREAMS[] = {1, 4, 16, 64, 256, 1024, 4096};
constexpr unsigned QUICK_STREAMS[] = {1, 64, 4096};
/* Calls of a batch; a ring holds more. */
constexpr unsigned BATCH = 512;

/* class Lines - places of a page each, of which some lines are written by turns: what the machine alone
 * takes from a program that goes round so many streams. */
class Lines {
public:
	explicit Lines(unsigned count) : memory_(size_t{count} * PLACE_WORDS, 1) {}

	/* A submit writes its ring's slot, the thread's note of it, its channel's lock and counters, and
	 * reads the stream, the handle's entry and the channel's arming line. */
	void touch()
	{
		uint64_t *place = &memory_[next_];
		for (unsigned line = 0; line < LINES; line++)
			place[line * APART_WORDS]++;
		next_ += PLACE_WORDS;
		if (next_ == memory_.size())
			next_ = 0;
	}

private:
	static constexpr unsigned LINES = 6;
	static constexpr size_t PLACE_WORDS = 512;
	/* Not next to each other: they are in several objects. */
	static constexpr size_t APART_WORDS = 72;

	std::vector<uint64_t> memory_;
	size_t next_ = 0;
};

class Streams {
public:
	Streams(const Effort &effort, Round &round) : effort_(effort), round_(round)
	{
		CHECK(aclInit(nullptr));
		CHECK(aclrtSetDevice(0));
		CHECK(aclrtMalloc(&client_.scratch, Client::SCRATCH_BYTES,
				  ACL_MEM_MALLOC_HUGE_FIRST));
		CHECK(aclrtCreateEventExWithFlag(&event_, ACL_EVENT_SYNC));
		CHECK(aclrtCreateEventWithFlag(&gate_, ACL_EVENT_SYNC));
	}
	~Streams()
	{
		for (aclrtStream stream : streams_)
			CHECK(aclrtDestroyStream(stream));
		CHECK(aclrtDestroyEvent(gate_));
		CHECK(aclrtDestroyEvent(event_));
		CHECK(aclrtFree(client_.scratch));
		CHECK(aclrtResetDevice(0));
		CHECK(aclFinalize());
	}
	Streams(const Streams &) = delete;
	Streams &operator=(const Streams &) = delete;

	void run(unsigned count)
	{
		grow(count);
		one_of("streams", "streams", count);
		device(count);
		lives(count);
		all_by_turns(count);
		park();
		one_of("parked", "streams, the others parked", count);
		release();
	}

private:
	void grow(unsigned count)
	{
		const double before = memory_of(getpid());
		const size_t had = streams_.size();
		while (streams_.size() < count) {
			aclrtStream stream = nullptr;
			CHECK(aclrtCreateStream(&stream));
			client_.task(stream);
			streams_.push_back(stream);
		}
		for (aclrtStream stream : streams_)
			Client::sync(stream);
		if (streams_.size() > had)
			bytes_ = (memory_of(getpid()) - before) /
				 static_cast<double>(streams_.size() - had);
	}

	void park()
	{
		for (size_t i = 1; i < streams_.size(); i++)
			CHECK(aclrtStreamWaitEvent(streams_[i], gate_));
	}

	void release()
	{
		CHECK(aclrtRecordEvent(gate_, streams_[0]));
		for (aclrtStream stream : streams_)
			Client::sync(stream);
		CHECK(aclrtResetEvent(gate_, streams_[0]));
		Client::sync(streams_[0]);
	}

	void add(const std::string &series, const std::string &title, unsigned count,
		 const Summary &summary)
	{
		round_.push_back(scaled_measure(series, title, count, 1, summary));
	}

	/* Calls on one stream, the first. */
	void one_of(const std::string &series, const std::string &among, unsigned count)
	{
		aclrtStream mine = streams_[0];
		const Plan many{BATCH, effort_.scaled(60), BATCH, 0};
		const Plan few{20, effort_.scaled(40), 20, 0};
		auto drain = [&] { Client::sync(mine); };
		add(series + ".submit", "submit on one of so many " + among, count,
		    measure(
			    many, [&] { client_.task(mine); }, drain));
		add(series + ".record", "record on one of so many " + among, count,
		    measure(
			    many, [&] { CHECK(aclrtRecordEvent(event_, mine)); }, drain));
		add(series + ".wait", "wait for an event on one of so many " + among, count,
		    measure(
			    many, [&] { CHECK(aclrtStreamWaitEvent(mine, event_)); }, drain));
		add(series + ".query", "query on one of so many " + among, count,
		    measure(many, [&] {
			    aclrtStreamStatus status;
			    CHECK(aclrtStreamQuery(mine, &status));
		    }));
		add(series + ".trip", "task and synchronize on one of so many " + among, count,
		    measure(few, [&] {
			    client_.task(mine);
			    Client::sync(mine);
		    }));
		add(series + ".buffer", "allocate and free beside so many " + among, count,
		    measure(few, [&] {
			    void *memory = nullptr;
			    CHECK(aclrtMalloc(&memory, 256, ACL_MEM_MALLOC_NORMAL_ONLY));
			    CHECK(aclrtFree(memory));
		    }));
	}

	/* All are waited for, and one of them had something to do. */
	void device(unsigned count)
	{
		add("streams.device", "task and synchronize the device, beside so many streams",
		    count, measure({20, effort_.scaled(40), 20, 0}, [&] {
			    client_.task(streams_[0]);
			    CHECK(aclrtSynchronizeDevice());
		    }));
	}

	/* The last stream goes, and another one comes. */
	void lives(unsigned count)
	{
		aclrtStream &last = streams_.back();
		add("streams.life", "destroy and create one of so many streams", count,
		    measure({2, effort_.scaled(16), 4, 0}, [&] {
			    CHECK(aclrtDestroyStream(last));
			    CHECK(aclrtCreateStream(&last));
		    }));
		round_.back().object_bytes = bytes_;
		client_.task(last);
		Client::sync(last);
	}

	void all_by_turns(unsigned count)
	{
		size_t next = 0;
		auto turn = [&] { return streams_[next++ % count]; };
		auto drain = [&] {
			for (unsigned i = 0; i < count && i < BATCH; i++)
				Client::sync(turn());
		};
		Lines lines(count);
		add("turns.lines", "write to 6 lines in each of so many places by turns", count,
		    measure({BATCH, effort_.scaled(40), BATCH, 0}, [&] { lines.touch(); }));
		add("turns.submit", "submit on so many streams by turns", count,
		    measure(
			    {BATCH, effort_.scaled(40), BATCH, 0}, [&] { client_.task(turn()); },
			    drain));
		add("turns.trip", "task and synchronize on so many streams by turns", count,
		    measure({20, effort_.scaled(40), 64, 0}, [&] {
			    aclrtStream stream = turn();
			    client_.task(stream);
			    Client::sync(stream);
		    }));
	}

	const Effort &effort_;
	Round &round_;
	Client client_;
	std::vector<aclrtStream> streams_;
	aclrtEvent event_ = nullptr;
	aclrtEvent gate_ = nullptr;
	double bytes_ = 0;
};

} // namespace

void measure_streams(const Effort &effort, Round &round)
{
	Streams streams(effort, round);
	if (effort.quick) {
		for (unsigned count : QUICK_STREAMS)
			streams.run(count);
	} else {
		for (unsigned count : STREAMS)
			streams.run(count);
	}
}

} // namespace bench

// SPDX-License-Identifier: MIT
/**
 * DOC: Small work beside large
 *
 * One stream always copies blocks of 64 MiB. Meanwhile the program measures round trips of small
 * tasks on another stream, which does not depend on the first.
 */
#include "scale.h"

#include <vector>

#include "process/client.h"

namespace bench {

namespace {

constexpr size_t COPY_BYTES = size_t{64} << 20;
/* Copies that are under way at least, and tasks after which that is looked at. */
constexpr unsigned AHEAD = 4;
constexpr unsigned LOOK_TASKS = 64;

class Copies {
public:
	Copies()
	{
		for (void *&buffer : buffers_) {
			CHECK(aclrtMalloc(&buffer, COPY_BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
			CHECK(aclrtMemset(buffer, COPY_BYTES, 1, COPY_BYTES));
		}
		CHECK(aclrtCreateStream(&stream_));
		for (aclrtEvent &event : events_)
			CHECK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
	}
	~Copies()
	{
		Client::sync(stream_);
		for (aclrtEvent event : events_)
			CHECK(aclrtDestroyEvent(event));
		CHECK(aclrtDestroyStream(stream_));
		for (void *buffer : buffers_)
			CHECK(aclrtFree(buffer));
	}
	Copies(const Copies &) = delete;
	Copies &operator=(const Copies &) = delete;

	void one()
	{
		CHECK(aclrtMemcpyAsync(buffers_[0], COPY_BYTES, buffers_[1], COPY_BYTES,
				       ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
		CHECK(aclrtRecordEvent(events_[begun_++ % AHEAD], stream_));
	}

	/* As many are under way again as should be. */
	void keep_up()
	{
		while (done_ < begun_ && is_done(events_[done_ % AHEAD]))
			done_++;
		while (begun_ - done_ < AHEAD)
			one();
	}

	uint64_t done() const { return done_; }
	void wait()
	{
		Client::sync(stream_);
		done_ = begun_;
	}

private:
	static bool is_done(aclrtEvent event)
	{
		aclrtEventRecordedStatus status;
		CHECK(aclrtQueryEventStatus(event, &status));
		return status == ACL_EVENT_RECORDED_STATUS_COMPLETE;
	}

	void *buffers_[2] = {};
	aclrtStream stream_ = nullptr;
	aclrtEvent events_[AHEAD] = {};
	uint64_t begun_ = 0;
	uint64_t done_ = 0;
};

Summary summary_of(std::vector<double> samples)
{
	const double median_ns = quantile(samples, 0.5);
	return {median_ns, quantile(samples, 0.99)};
}

} // namespace

void measure_engines(const Effort &effort, Round &round)
{
	Client client;
	client.open();
	{
		Copies copies;
		std::vector<double> alone;
		std::vector<double> beside;
		std::vector<double> copied;
		auto trip = [&] {
			const uint64_t start_ns = base::now_ns();
			client.task(client.first);
			Client::sync(client.first);
			return static_cast<double>(base::now_ns() - start_ns);
		};
		copies.wait();
		for (unsigned i = 0; i < effort.scaled(20000); i++)
			alone.push_back(trip());
		for (unsigned i = 0; i < effort.scaled(16); i++) {
			const uint64_t start_ns = base::now_ns();
			copies.one();
			copies.wait();
			copied.push_back(static_cast<double>(base::now_ns() - start_ns));
		}
		const uint64_t start_ns = base::now_ns();
		const uint64_t limit_ns = effort.quick ? 500000000 : 2000000000;
		const uint64_t before = copies.done();
		while (base::now_ns() - start_ns < limit_ns) {
			copies.keep_up();
			for (unsigned i = 0; i < LOOK_TASKS; i++)
				beside.push_back(trip());
		}
		const auto spent_ns = static_cast<double>(base::now_ns() - start_ns);
		const auto during = static_cast<double>(copies.done() - before);
		copies.wait();
		round.push_back({"scale.engines.alone", "task and synchronize, nothing else",
				 summary_of(alone), ""});
		round.push_back({"scale.engines.beside",
				 "task and synchronize beside copies of 64 MiB", summary_of(beside),
				 "scale.engines.alone"});
		round.push_back({"scale.engines.copy", "copy of 64 MiB, nothing else",
				 summary_of(copied), "", Against::TIME, 1, COPY_BYTES});
		const double each_ns = during > 0 ? spent_ns / during : spent_ns;
		round.push_back({"scale.engines.copy beside",
				 "copy of 64 MiB beside tasks",
				 {each_ns, each_ns},
				 "scale.engines.copy",
				 Against::TIME,
				 1,
				 COPY_BYTES});
	}
	client.close();
}

} // namespace bench

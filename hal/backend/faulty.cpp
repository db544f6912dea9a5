// SPDX-License-Identifier: MIT
/**
 * DOC: Fault injection on the host
 *
 * A decorator over any backend. It injects the faults of a host process: no descriptor, a failed mapping, a
 * lost kick, late scheduling.
 */
#include "faulty.h"

namespace hal {

using base::Result;
using base::Status;
using Call = base::FaultRule::Call;

namespace {

class FaultyDevice final : public Device {
public:
	FaultyDevice(std::unique_ptr<Device> inner, std::unique_ptr<HostFaults> faults)
		: inner_(std::move(inner)), faults_(std::move(faults))
	{
		copy_state_of(*inner_);
		watch_connection();
	}

	~FaultyDevice() override
	{
		for (base::Mapping *mapping : {&bar_, &completion_, &client_})
			mapping->release();
	}

	Result<SharedSegment> take_segment(uint64_t segment) override
	{
		TRY(faults_->inject(Call::TAKE).status);
		return inner_->take_segment(segment);
	}

	Result<base::Mapping> map(const base::Fd &fd, uint64_t bytes, unpu_page_kind pages,
				  void *where) override
	{
		TRY(faults_->inject(Call::MAP).status);
		return inner_->map(fd, bytes, pages, where);
	}

	/* Passing a file passes a descriptor, so the rules for TAKE apply, as for a segment. */
	Result<GivenFile> give_file(const base::Fd &file, const base::Fd &direct,
				    uint32_t flags) override
	{
		TRY(faults_->inject(Call::TAKE).status);
		return inner_->give_file(file, direct, flags);
	}

	void kick() override
	{
		if (!faults_->inject(Call::KICK).is_dropped)
			inner_->kick();
	}

	void waited() override { faults_->inject(Call::WAIT); }
	bool serves_others() const override { return inner_->serves_others(); }
	base::Fd end_of_firmware() const override { return inner_->end_of_firmware(); }
	Result<std::string> snapshot() override { return inner_->snapshot(); }

private:
	bool connected() override { return inner_->alive(); }

	const std::unique_ptr<Device> inner_;
	const std::unique_ptr<HostFaults> faults_;
};

} // namespace

std::unique_ptr<Device> make_faulty(std::unique_ptr<Device> device,
				    std::unique_ptr<HostFaults> faults)
{
	return std::make_unique<FaultyDevice>(std::move(device), std::move(faults));
}

} // namespace hal

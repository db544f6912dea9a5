/* SPDX-License-Identifier: MIT */
#ifndef FIRMWARE_SIM_FIRMWARE_H
#define FIRMWARE_SIM_FIRMWARE_H

#include "sim_device.h"

#include <atomic>
#include <mutex>
#include <vector>

#include "explorer.h"
#include "firmware_sim/client/client.h"
#include "firmware_sim/client/hang_search.h"
#include "firmware_sim/core/core.h"
#include "firmware_sim/schedule/cpu.h"
#include "firmware_sim/schedule/looks.h"
#include "firmware_sim/schedule/naps.h"
#include "firmware_sim/schedule/step_token.h"
#include "firmware_sim/schedule/wakeup.h"

namespace fw {

/* The device: device.cpp has the steps, device_thread.cpp the thread that calls them in a loop. */
class Firmware final : public Device, private Moved {
public:
	explicit Firmware(const Config &config)
		: core_(
			  config, [this] { kick(); },
			  [this](const base::Fd &fd) { return wakeup_.watch_kick(fd); })
	{
	}
	~Firmware() override;

	base::Status init();
	base::Result<Attachment> attach(uint32_t pid, base::FenceScope fence,
					std::shared_ptr<Account> user) override;
	bool detach(uint32_t client) override;
	base::Result<base::SealedFile> take_segment(uint32_t client, uint64_t segment) override;
	base::Result<GivenFile> give_file(uint32_t client, base::Fd file, base::Fd direct,
					  bool always_direct,
					  std::shared_ptr<Closer> closer) override;
	void run() override;
	void stop() override;
	void kick() override;
	bool step(uint64_t deadline_ns) override;
	Turn turn(bool many) override;
	bool run_at_once() override;
	bool help(const uint64_t &word, uint64_t value, uint64_t deadline_ns) override;
	void leave_to_callers(Callers callers) override;
	void leave_cpu(uint32_t cpu) override { cpu_.leave(cpu); }
	std::string snapshot() override;
	void describe_client(uint32_t id, nlohmann::ordered_json &all);
	base::Status record(uint32_t entries) override;
	base::DeviceTrace recorded() override;
	uint64_t next_deadline_ns() override;

private:
	enum class Step { WORKED, POLLED, IDLE };

	/** enum class BurstEnd - how the device's thread goes on after a burst. */
	enum class BurstEnd {
		MORE,	   /* more turns; another thread may want the token */
		IDLE,	   /* every channel is armed */
		GIVES_WAY, /* see Cpu::give_way() */
		YIELDS,	   /* offers its CPU to others */
		RESTS,	   /* the same, and it has polled long enough */
	};

	class Token;

	bool move_here() override;
	void move_alone() override;

	/* explore_thread.cpp */
	void explore();
	bool explore_some();
	void explore_rest();

	bool look_around();
	void look_again();
	void confirm_asked();
	void cut_off(const Runner &runner);
	uint32_t patience(bool is_patient) const;
	/** @turns: most turns of one runner while no other runner has work; long work ends them earlier
	 * @is_patient: channels are polled for a while before they are armed */
	Step step_locked(unsigned turns = 1, bool is_patient = true);
	Step step_and_beat(unsigned turns = 1, bool is_patient = true)
	{
		core_.beat();
		return step_locked(turns, is_patient);
	}

	/** enum class Phase - the states of the device's thread. */
	enum class Phase {
		BURST, /* takes turns under the step token */
		SLEEP, /* every channel is armed: waits for a kick */
		DOZE,  /* waiting host threads move the device: naps, then looks for work left */
		STEP_ASIDE, /* shares its CPU with a producer: naps, then looks for work */
		REST,	    /* arms each channel at its next empty turn */
		END,
	};

	Phase run_phase(Phase phase);
	Phase active_phase();
	Phase move();
	BurstEnd burst();
	void resume_requests();
	void free_left();
	bool housekeeping();
	bool poll_clients();
	void look_at_words();
	void look_for_pages();
	void watch(Client &client);
	void watch_kicked();
	void note_watched();
	void wake_up(bool slept);
	void announce_cpu();
	/** shown_cpu() - the CPU on which waiting threads do not poll, plus 1. */
	uint32_t shown_cpu() const { return movers_.is_crowded() ? 0 : cpu_.number(); }
	bool is_own_thread() const;
	bool expects_more();
	bool is_moved_by_kicker();
	void give();
	bool dozes() const;
	bool owes_wake() const;
	void nap(uint64_t ns, bool announced = false);
	bool moved_away();
	Phase step_aside();
	bool sweep();
	void rest();
	Phase doze();
	void sleep();

	/* Must outlive core_: engine threads kick until the destructor of Core has joined them. */
	Wakeup wakeup_;
	Core core_;
	HangSearch hang_search_;
	std::unique_ptr<Explorer> explorer_; /* nullptr: the device does not explore */
	base::SealedFile bar_file_;
	base::Mapping bar_;
	std::vector<std::unique_ptr<Client>> clients_; /* indexed by client number */
	/* detached clients with objects that are not destroyed yet */
	std::vector<std::unique_ptr<Client>> leaving_;
	std::vector<Client *> watched_;
	StepToken token_;
	std::atomic<uint32_t> token_wanted_{0};
	std::atomic<bool> stopping_{false};
	std::atomic<Callers> callers_{Callers::NOTHING};
	unsigned collected_ = 0;  /* value of Core::steps when kicks were last collected */
	uint32_t lost_count_ = 0; /* PageGuard::lost_count() at the last look_for_pages() */
	Cpu cpu_;
	Looks looks_{core_.config.idle_polls};
	Naps naps_;
	Movers &movers_ = core_.exchange->movers();
	Handover handover_{movers_, core_.config.index, *this};
	unsigned attached_ = 0;	  /* number of clients; under the token */
	uint64_t turns_ = 0;	  /* turns that callers took; under the token */
	uint64_t at_once_ns_ = 0; /* time of the last run_at_once() */
	/* Deadline of the sleeping thread. 0: it naps, and wakes soon in any case. Under the token. */
	uint64_t sleeps_until_ns_ = 0;
};

/*
 * The step token for a thread that is not the device's own. run() releases the token when another
 * thread wants it. Such a thread releases it only in this destructor. So the destructor wakes the
 * device's thread if that sleeps and has not seen the remaining work (K1).
 */
class Firmware::Token {
public:
	explicit Token(Firmware &device) : device_(device), held_(true)
	{
		device_.token_wanted_++;
		device_.token_.lock();
		device_.token_wanted_--;
	}
	Token(Firmware &device, std::try_to_lock_t)
		: device_(device), held_(device.token_.try_lock())
	{
	}
	~Token()
	{
		if (!held_)
			return;
		const bool owes = owes_ || (device_.wakeup_.asleep() && device_.owes_wake());
		device_.token_.unlock();
		if (owes) [[unlikely]]
			device_.kick();
	}
	Token(const Token &) = delete;
	Token &operator=(const Token &) = delete;

	bool held() const { return held_; }

	/* owe_wake() - makes the destructor wake the device's thread in any case. */
	void owe_wake() { owes_ = true; }

private:
	Firmware &device_;
	const bool held_;
	bool owes_ = false;
};

} // namespace fw

#endif

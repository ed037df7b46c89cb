#pragma once

#include "dse/netsim/astra/program.hpp"
#include "dse/netsim/astra/schedule.hpp"

namespace dse::netsim {

/// A member's part of a collective from trace files: a step starts as soon as the steps it depends on have
/// ended. No endpoint delay is charged.
class AstraScheduled final : public AstraProgram {
  public:
    /// \param schedule  must outlive this object
    /// \param member    has a program in the schedule
    AstraScheduled(const AstraSchedule& schedule, std::int64_t member);

    void start(Host& host) override { begin_ready(host); }
    void ready(Host& host) override;
    void received(Host& host) override;
    void ended(Host& host, std::uint32_t step) override;

  private:
    void begin_ready(Host& host);

    const ScheduleProgram& program_;
    const AstraScheduleOrder& order_;
    std::unordered_set<std::uint64_t> ready_;
    std::vector<std::uint32_t> waits_;
    std::size_t at_work_{0};
};

}  // namespace dse::netsim

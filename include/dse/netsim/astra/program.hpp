#pragma once

#include <memory>

#include "dse/netsim/astra/bus.hpp"
#include "dse/netsim/astra/plan.hpp"
#include "dse/netsim/schedule/schedule.hpp"

namespace dse::netsim {

/// What a member does during one phase of one chunk, driven by its events: the parts of ASTRA-sim's
/// collective algorithms that decide when something is sent.
class AstraProgram {
  public:
    /// What a program can have done for it.
    class Host {
      public:
        virtual ~Host() = default;
        /// Comes back as `ready` after the endpoint delay, or what the device's bus takes; where the bundle
        /// is reduced, after the time to add its bytes as well.
        virtual void prepare(const AstraBundle& bundle) = 0;
        /// \param to  index of a member
        virtual void send(std::int64_t to, std::int64_t bytes) = 0;
        /// Comes back as `received` once the message is there, at once if it is already.
        virtual void receive(std::int64_t from, std::int64_t bytes) = 0;
        /// A step of a schedule, to or from a member. Comes back as `ended` with its number.
        virtual void begin(const ScheduleStep& step, std::uint32_t number) = 0;
        /// Nothing more to do in this phase.
        virtual void finish() = 0;
    };

    AstraProgram() = default;
    AstraProgram(const AstraProgram&) = delete;
    AstraProgram& operator=(const AstraProgram&) = delete;
    virtual ~AstraProgram() = default;

    virtual void start(Host& host) = 0;
    virtual void ready(Host& host) = 0;
    virtual void received(Host& host) = 0;
    /// \pre it has begun this step of a schedule
    virtual void ended(Host& host, std::uint32_t step);
};

/// \param index  of the member, in [0, phase.nodes)
/// \param turn   the two trees of a double binary tree take turns: the second one where it is odd
std::unique_ptr<AstraProgram> make_program(const AstraPhase& phase, std::int64_t index, std::int64_t turn);

}  // namespace dse::netsim

#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dse/netsim/astra/bus.hpp"
#include "dse/netsim/astra/plan.hpp"
#include "dse/netsim/astra/post.hpp"
#include "dse/netsim/astra/program.hpp"

namespace dse::netsim {

/// Which collective of a rank has precedence if chunks of several wait for a dimension ("scheduling-policy").
enum class AstraPolicy : std::uint8_t {
    lifo,       ///< the latest
    fifo,       ///< the earliest
    by_number,  ///< the one of the highest priority ("EXPLICIT")
};

/// A group of ranks for collectives.
struct AstraMembers {
    std::vector<std::int64_t> ranks;  ///< in the order of the group; empty: all
    /// Stream number of their first chunk, incremented for each further one, which distinguishes chunks of
    /// groups.
    std::int64_t first_stream{0};
    /// Whether the group lists its ranks in ascending order.
    bool ascending{true};
};

/// The ranks of a job with their queues, and the network between them. Simulates any number of concurrent
/// collectives and messages, rank by rank and message by message, in ASTRA-sim's order of events: events of
/// the same tick run in the order in which they were scheduled, and those that one rank schedules for a tick
/// run together.
class AstraFabric {
  public:
    struct Rules {
        AstraNetwork network{AstraNetwork::unaware};
        AstraProtocol protocol{AstraProtocol::eager};
        AstraPolicy policy{AstraPolicy::lifo};
        /// Bus of every device; without one, transfers within a device take the endpoint delay.
        std::optional<AstraBusRules> bus{};
    };

    /// \param system, groups  must outlive this object; for groups see `begin`
    /// \throws ModelError if the network does not support the topology
    AstraFabric(const AstraSystem& system, Rules rules, std::span<const AstraMembers> groups);
    ~AstraFabric();
    AstraFabric(const AstraFabric&) = delete;
    AstraFabric& operator=(const AstraFabric&) = delete;

    [[nodiscard]] AstraEvents& events() { return events_; }
    [[nodiscard]] AstraPost& post() { return post_; }

    /// Sets the initial value of every rank's turns. \pre nothing has started
    void set_turns(const AstraTurns& turns);

    /// A rank joins the next collective of its group.
    /// \param plan   with at least one phase
    /// \param group  index into the groups
    /// \param done   called when the rank has finished its last chunk
    void begin(std::int64_t rank, const AstraPlan& plan, std::size_t group, std::int64_t priority,
               AstraEvents::Action done);

  private:
    struct Job;
    struct Stream;
    class Host;
    /// Chunks in a dimension, active ones first.
    struct Queue {
        std::vector<Stream*> streams;
        std::size_t working{0};
    };
    struct Rank {
        std::array<Queue, AstraSystem::most_dimensions> queues;
        AstraTurns turns{};
        std::vector<std::int64_t> streams;  ///< by group: number of chunks so far
        std::vector<std::unique_ptr<Job>> jobs;
        std::int64_t collectives{0};
    };

    [[nodiscard]] std::int64_t priority(Rank& rank, std::int64_t given) const;
    void go_on(Stream& stream);
    void join(Stream& stream);
    void work(Queue& queue);
    void run(Stream& stream, void (AstraProgram::*step)(AstraProgram::Host&));
    void end_step(Stream& stream, std::uint32_t number);
    void end_phase_if_done(Stream& stream);
    [[nodiscard]] const AstraPhase& phase(const Stream& stream) const;
    [[nodiscard]] std::int64_t index(const Stream& stream) const;
    [[nodiscard]] std::int64_t peer(const Stream& stream, std::int64_t index) const;

    const AstraSystem& system_;
    Rules rules_;
    std::span<const AstraMembers> groups_;
    AstraEvents events_;
    AstraPost post_;
    std::vector<Rank> ranks_;
    std::vector<AstraBus> buses_;  ///< by rank; empty if there are none
};

}  // namespace dse::netsim

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

/// Which of the collectives of a rank goes first where their chunks wait for a dimension
/// ("scheduling-policy").
enum class AstraPolicy : std::uint8_t {
    lifo,       ///< the latest
    fifo,       ///< the earliest
    by_number,  ///< the one of the highest priority ("EXPLICIT")
};

/// Some ranks that meet in collectives.
struct AstraMembers {
    std::vector<std::int64_t> ranks;  ///< in the group's order; empty: all
    /// Of their first chunk, and of those that follow one more each: what tells chunks of groups apart.
    std::int64_t first_stream{0};
    /// Whether the group lists its ranks in ascending order.
    bool ascending{true};
};

/// The ranks of a job with their queues, and the network between them: plays any number of collectives and
/// messages at once, every rank for itself and message by message, in the order of ASTRA-sim's events: what
/// is due at the same tick runs in the order in which it was asked for, and what one rank has asked for at a
/// tick runs together.
class AstraFabric {
  public:
    struct Rules {
        AstraNetwork network{AstraNetwork::unaware};
        AstraProtocol protocol{AstraProtocol::eager};
        AstraPolicy policy{AstraPolicy::lifo};
        /// Of every device; none: what a collective moves inside a device takes its endpoint delay.
        std::optional<AstraBusRules> bus{};
    };

    /// \param groups  see `begin`; they and the system outlive it
    /// \throws ModelError where the network has no such topology
    AstraFabric(const AstraSystem& system, Rules rules, std::span<const AstraMembers> groups);
    ~AstraFabric();
    AstraFabric(const AstraFabric&) = delete;
    AstraFabric& operator=(const AstraFabric&) = delete;

    [[nodiscard]] AstraEvents& events() { return events_; }
    [[nodiscard]] AstraPost& post() { return post_; }

    using Turns = std::array<std::int64_t, AstraSystem::most_dimensions>;
    /// What every rank counts its turns from (see Rank::turns). \pre nothing has begun
    void set_turns(const Turns& turns);

    /// A rank takes part in its group's next collective.
    /// \param plan   of at least one phase
    /// \param group  index into the groups
    /// \param done   once the rank has ended its last chunk
    void begin(std::int64_t rank, const AstraPlan& plan, std::size_t group, std::int64_t priority,
               AstraEvents::Action done);

  private:
    struct Job;
    struct Stream;
    class Host;
    /// Chunks in a dimension, those at work first.
    struct Queue {
        std::vector<Stream*> streams;
        std::size_t working{0};
    };
    struct Rank {
        std::array<Queue, AstraSystem::most_dimensions> queues;
        /// By dimension: chunks that took a double binary tree, which takes turns with its mirror image.
        Turns turns{};
        std::vector<std::int64_t> streams;  ///< by group: chunks so far
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
    std::vector<AstraBus> buses_;  ///< by rank, where there are any
};

}  // namespace dse::netsim

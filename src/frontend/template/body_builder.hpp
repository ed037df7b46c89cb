#pragma once

#include <optional>
#include <vector>

#include "block_state.hpp"

namespace dse::frontend {

/// The pass of one microbatch that a body runs. A backward pass runs as a whole, or as `input` and `weight`.
enum class BodyPass : std::uint8_t { forward, backward, input, weight };

/// What data parallelism and offloading add to a pass of a block.
struct BodyVariant {
    std::uint16_t gather_ports{0};       ///< number of gathers in flight: ZeRO-3's prefetch distance
    std::optional<std::size_t> gathers;  ///< block whose parameters this body prefetches
    bool gathers_own{false};             ///< gathers its own parameters (first microbatch, or no prefetch)
    bool copies_own{false};              ///< copies its gathered parameters to their tensors
    /// Block outside of layers whose parameters arrive with this one's in a forward pass, and whose gradients
    /// are reduced with this one's in a backward pass.
    std::optional<std::size_t> root;
    bool reduced_later{false};              ///< its own gradients are reduced behind those of a later block
    bool gathers_last{false};               ///< prefetches behind its own reductions
    bool gather_after_entry{false};         ///< gathers wait for the block's input, which bounds their number
    bool allocates_gathered{false};         ///< gathered parameters have their own memory (ZeRO-3)
    bool frees_gathered{false};             ///< its gathered parameters are freed after use (ZeRO-3)
    bool holds_gathered{false};             ///< they are held since the first microbatch's forward pass
    bool reduces_dp{false};                 ///< gradients are reduced over dp
    bool reduces_replicas{false};           ///< their shards are then reduced over the replicas
    bool reduces_tp{false};                 ///< gradients that are partial sums over tp are reduced there
    bool sends_gradients{false};            ///< gradients are copied to the host
    std::uint16_t come_ports{0};            ///< number of activation copies in flight from the host
    std::optional<std::size_t> comes;       ///< block whose activations this body fetches back
    bool waits_for_leave{false};            ///< waits for the previous block's copy to the host
    std::optional<std::size_t> frees_left;  ///< the previous block, whose activations are freed after that
    bool waits_for_reduction{false};  ///< waits for the previous block's gradient reduction (ZeRO-2 and -3)
    std::optional<std::size_t> frees_unreduced;  ///< earlier block whose gradients are freed after that

    // Ports of the body: the boundary value; the gathers in flight, oldest first; the activation copies in
    // flight from the host, oldest first; then, if bodies wait for them, the previous copy to the host and
    // the previous reduction. The outputs have the same order.
    [[nodiscard]] std::uint16_t come_port() const { return static_cast<std::uint16_t>(1 + gather_ports); }
    [[nodiscard]] std::uint16_t leave_port() const {
        return static_cast<std::uint16_t>(come_port() + come_ports);
    }
    [[nodiscard]] std::uint16_t reduction_port() const {
        return static_cast<std::uint16_t>(leave_port() + (waits_for_leave ? 1 : 0));
    }
    [[nodiscard]] std::uint16_t ports() const {
        return static_cast<std::uint16_t>(reduction_port() + (waits_for_reduction ? 1 : 0));
    }

    friend bool operator==(const BodyVariant&, const BodyVariant&) = default;
};

/// A work that waits for the compute stream but takes no time.
ComputeFormula no_work();

/// Turns the plan of a pass into a region: one iteration of a row of equal blocks.
class BodyBuilder {
  public:
    BodyBuilder(const Block& block, const PassPlan& plan, BodyPass pass, Structure& structure);

    /// \param states  by block
    graph::Region build(const BodyVariant& variant, std::size_t own, const std::vector<BlockState>& states,
                        bool host_launches) const;

  private:
    class Body;
    void add_works();
    void find_last_uses();
    void add_buffers();  ///< of values, which depend on their last uses
    /// Whether a version outlives passes: the pass that produces it does not free it, and passes that use it
    /// do not allocate it.
    [[nodiscard]] bool is_state(std::size_t version) const;

    const Block& block_;
    const PassPlan& plan_;
    BodyPass pass_;
    Structure* structure_;                        ///< provides the streams
    std::vector<std::vector<VersionId>> memory_;  ///< by version: the versions that own its memory
    std::vector<graph::WorkId> works_;            ///< by step
    std::vector<graph::NameId> names_;            ///< by step
    std::vector<std::optional<graph::BufferId>> workspaces_;  ///< by step
    std::vector<graph::BufferId> buffers_;                    ///< by version
    std::vector<std::size_t> last_use_;  ///< by version: step after which it is freed; SIZE_MAX: none
    graph::WorkId launch_;
    std::optional<graph::WorkId> drop_;  ///< without duration, if all of the block is frozen
    /// Names of nodes that are not steps of the pass.
    struct Helpers {
        graph::NameId launch, gather, come, leave, reduce, replicate, send_gradients, drop, copy_out, copy_in;
    };
    Helpers helpers_{};
};

}  // namespace dse::frontend

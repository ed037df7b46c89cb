#pragma once

#include <optional>
#include <vector>

#include "block_state.hpp"

namespace dse::frontend {

/// What a body does for one microbatch. A backward pass is done whole, or as the two others.
enum class BodyPass : std::uint8_t { forward, backward, input, weight };

/// What data parallelism adds to a pass of a block.
struct BodyVariant {
    std::uint16_t gather_ports{0};       ///< gathers in flight: ZeRO-3's prefetch distance
    std::optional<std::size_t> gathers;  ///< block whose parameters this body sends for
    bool gathers_own{false};  ///< its own parameters arrive inside it (first microbatch, or no prefetch)
    bool gather_after_entry{false};    ///< a gather waits for what enters the block (bounds what is gathered)
    bool allocates_gathered{false};    ///< what is gathered takes memory of its own (ZeRO-3)
    bool frees_gathered{false};        ///< its parameters are dropped after use (ZeRO-3)
    bool holds_gathered{false};        ///< they have been there since the first microbatch's forward pass
    bool reduces_dp{false};            ///< gradients are reduced over dp
    bool reduces_replicas{false};      ///< and what is left of them over the replicas of the shards
    bool reduces_tp{false};            ///< those that are partial over tp are reduced there
    bool sends_gradients{false};       ///< to the host
    std::uint16_t come_ports{0};       ///< activations on their way back: how far ahead they are called
    std::optional<std::size_t> comes;  ///< block whose activations this body calls back
    bool waits_for_leave{false};       ///< until what the block before sends to the host is there
    std::optional<std::size_t> frees_left;  ///< the block before, whose activations then go
    bool waits_for_reduction{false};  ///< of the block before, so that its gradients can go (ZeRO-2 and -3)
    std::optional<std::size_t> frees_unreduced;  ///< the block before, whose gradients then go
    friend bool operator==(const BodyVariant&, const BodyVariant&) = default;
};

/// Turns the plan of a pass into a region: one iteration of a row of equal blocks.
/// Ports: 0 boundary value; then the gathers in flight, oldest first; then the activations on their way back,
/// likewise; then the copy to the host before and the reduction before, where bodies wait for them. Outputs
/// likewise.
class BodyBuilder {
  public:
    BodyBuilder(const Block& block, const PassPlan& plan, BodyPass pass, Structure& structure);

    /// \param states  by block
    graph::Region build(const BodyVariant& variant, std::size_t own, const std::vector<BlockState>& states,
                        bool host_launches) const;

  private:
    class Body;
    /// What is neither freed by the pass that made it nor allocated by the one that finds it.
    [[nodiscard]] bool is_state(std::size_t version) const;

    const Block& block_;
    const PassPlan& plan_;
    BodyPass pass_;
    Structure* structure_;                                    ///< whose streams it asks for
    std::vector<graph::WorkId> works_;                        ///< by step
    std::vector<graph::NameId> names_;                        ///< likewise
    std::vector<std::optional<graph::BufferId>> workspaces_;  ///< by step
    std::vector<std::vector<VersionId>> memory_;  ///< by version: those with a buffer of their own behind it
    std::vector<graph::BufferId> buffers_;        ///< by version
    std::vector<std::size_t> last_use_;  ///< by version: step after which it goes; SIZE_MAX: it stays
    graph::WorkId launch_;
    /// Names of what is no step of the pass.
    struct Helpers {
        graph::NameId launch, gather, come, leave, reduce, replicate, send_gradients;
    };
    Helpers helpers_{};
};

}  // namespace dse::frontend

#include "layer_policy.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace dse::frontend {
namespace {

using graph::Offload;
using graph::Recompute;
using graph::SoftwareStack;

bool offloads_activations(const SoftwareStack& stack) {
    return stack.offload == Offload::activations || stack.offload == Offload::both;
}

/// How a layer keeps what its backward pass needs.
struct Policy {
    bool recomputes{true};  ///< recomputes according to the stack, if its block allows it
    bool offloads{false};
    friend auto operator<=>(const Policy&, const Policy&) = default;
};

class LayerSplitter {
  public:
    LayerSplitter(const SoftwareStack& stack, std::vector<Block>& blocks) : stack_{stack}, blocks_{blocks} {}

    /// The units of a chunk, split where the policy changes.
    std::vector<Unit> split(const std::vector<Unit>& units) {
        std::vector<Unit> result;
        std::int64_t layer = 0;
        for (const Unit& unit : units) {
            const bool inner = blocks_[unit.block].input && blocks_[unit.block].output;
            if (!inner) {
                result.push_back(unit);
                continue;
            }
            for (std::int64_t left = unit.count; left > 0;) {
                const std::int64_t here = std::min(left, run(layer));
                result.push_back({variant(unit.block, policy(layer)), here});
                layer += here;
                left -= here;
            }
        }
        return result;
    }

  private:
    static bool is_among(std::int64_t layer, std::int64_t first) { return first == 0 || layer < first; }

    [[nodiscard]] Policy policy(std::int64_t layer) const {
        return {stack_.recompute == Recompute::none || is_among(layer, stack_.recompute_layers),
                offloads_activations(stack_) && is_among(layer, stack_.offload_layers)};
    }

    /// Number of layers with the same policy, from this one on.
    [[nodiscard]] std::int64_t run(std::int64_t layer) const {
        std::int64_t end = std::numeric_limits<std::int64_t>::max();
        for (const std::int64_t cut : {stack_.recompute_layers, stack_.offload_layers}) {
            if (cut > layer) end = std::min(end, cut);
        }
        return end - layer;
    }

    std::size_t variant(std::size_t block, const Policy& policy) {
        if (policy == Policy{}) return block;
        const auto [known, is_new] = variants_.try_emplace({block, policy}, blocks_.size());
        if (is_new) {
            Block copy = blocks_[block];
            copy.recomputable = copy.recomputable && policy.recomputes;
            copy.offloaded = policy.offloads;
            blocks_.push_back(std::move(copy));
        }
        return known->second;
    }

    const SoftwareStack& stack_;
    std::vector<Block>& blocks_;
    std::map<std::pair<std::size_t, Policy>, std::size_t> variants_;
};

}  // namespace

bool varies_by_layer(const SoftwareStack& stack) {
    return offloads_activations(stack) || (stack.recompute != Recompute::none && stack.recompute_layers > 0);
}

void apply_layer_policies(const SoftwareStack& stack, std::vector<Block>& blocks,
                          std::vector<StageUnits>& stages) {
    LayerSplitter splitter(stack, blocks);
    for (StageUnits& stage : stages) {
        for (std::vector<Unit>& chunk : stage) chunk = splitter.split(chunk);
    }
}

}  // namespace dse::frontend

#include "layer_policy.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "dse/base/check.hpp"

namespace dse::frontend {
namespace {

using graph::Offload;
using graph::Recompute;
using graph::SoftwareStack;

bool offloads_activations(const SoftwareStack& stack) {
    return stack.offload == Offload::activations || stack.offload == Offload::both;
}

bool is_layer(const Block& block) {
    return block.input && block.output;
}

/// How a layer runs, and keeps what its backward pass needs.
struct Policy {
    bool recomputes{true};  ///< recomputes according to the stack, if its block allows it
    bool offloads{false};
    bool wide{false};  ///< Block::wide
    friend auto operator<=>(const Policy&, const Policy&) = default;
};

/// The layers of a chunk among those of its model.
struct Range {
    std::int64_t first{0};
    std::int64_t model{0};  ///< number of the model's layers
};

/// A layer whose products run in 16 bits: its weights are kept as all other parameters.
Block widened(Block block) {
    block.wide = true;
    for (Tensor& tensor : block.tensors) {
        if (tensor.storage == Storage::weight) tensor.storage = Storage::parameter;
    }
    return block;
}

class LayerSplitter {
  public:
    LayerSplitter(const SoftwareStack& stack, std::vector<Block>& blocks, std::span<const Block> wide)
        : stack_{stack},
          blocks_{blocks},
          wide_{wide},
          wide_first_{wide.empty() ? 0 : stack.bf16_first_layers},
          wide_last_{wide.empty() ? 0 : stack.bf16_last_layers} {}

    /// The units of a chunk, split where the policy changes.
    std::vector<Unit> split(const std::vector<Unit>& units, const Range& range) {
        std::vector<Unit> result;
        std::int64_t layer = 0;
        for (const Unit& unit : units) {
            if (!is_layer(blocks_[unit.block])) {
                result.push_back(unit);
                continue;
            }
            for (std::int64_t left = unit.count; left > 0;) {
                const std::int64_t here = std::min(left, run(layer, range));
                result.push_back({variant(unit.block, policy(layer, range)), here});
                layer += here;
                left -= here;
            }
        }
        return result;
    }

  private:
    static bool is_among(std::int64_t layer, std::int64_t first) { return first == 0 || layer < first; }

    /// \param layer  of the chunk
    [[nodiscard]] Policy policy(std::int64_t layer, const Range& range) const {
        const std::int64_t of_model = range.first + layer;
        return {stack_.recompute == Recompute::none || is_among(layer, stack_.recompute_layers),
                offloads_activations(stack_) && is_among(layer, stack_.offload_layers),
                of_model < wide_first_ || of_model >= range.model - wide_last_};
    }

    /// Number of layers with the same policy, from this one of the chunk on.
    [[nodiscard]] std::int64_t run(std::int64_t layer, const Range& range) const {
        std::int64_t end = std::numeric_limits<std::int64_t>::max();
        for (const std::int64_t cut : {stack_.recompute_layers, stack_.offload_layers,
                                       wide_first_ - range.first, range.model - wide_last_ - range.first}) {
            if (cut > layer) end = std::min(end, cut);
        }
        return end - layer;
    }

    std::size_t variant(std::size_t block, const Policy& policy) {
        if (policy == Policy{}) return block;
        const auto [known, is_new] = variants_.try_emplace({block, policy}, blocks_.size());
        if (is_new) {
            Block copy = policy.wide ? widened(wide_[block]) : blocks_[block];
            copy.recomputable = copy.recomputable && policy.recomputes;
            copy.offloaded = policy.offloads;
            blocks_.push_back(std::move(copy));
        }
        return known->second;
    }

    const SoftwareStack& stack_;
    std::vector<Block>& blocks_;
    std::span<const Block> wide_;
    std::int64_t wide_first_;
    std::int64_t wide_last_;
    std::map<std::pair<std::size_t, Policy>, std::size_t> variants_;
};

std::int64_t layers_of(const std::vector<Unit>& units, const std::vector<Block>& blocks) {
    return std::accumulate(units.begin(), units.end(), std::int64_t{0},
                           [&](std::int64_t sum, const Unit& unit) {
                               return sum + (is_layer(blocks[unit.block]) ? unit.count : 0);
                           });
}

}  // namespace

SoftwareStack of_wide_layers(SoftwareStack stack) {
    stack.precision = graph::Precision::bf16;
    return stack;
}

bool varies_by_layer(const SoftwareStack& stack) {
    return offloads_activations(stack) || has_wide_layers(stack) ||
           (stack.recompute != Recompute::none && stack.recompute_layers > 0);
}

void apply_layer_policies(const SoftwareStack& stack, std::vector<Block>& blocks, std::span<const Block> wide,
                          graph::Placement placement, std::vector<StageUnits>& stages) {
    DSE_EXPECT(wide.empty() || wide.size() == blocks.size());
    const auto count = static_cast<std::uint32_t>(stages.size());
    const auto piece = [&](std::uint32_t stage, std::size_t chunk) {
        return graph::piece_of(placement, stage, static_cast<std::uint32_t>(chunk), count);
    };
    // Number of layers by piece, then the first layer of each. Two copies of a model (Placement::mirrored)
    // have the same pieces.
    std::map<std::uint32_t, std::int64_t> layers;
    for (std::uint32_t stage = 0; stage < count; ++stage) {
        for (std::size_t chunk = 0; chunk < stages[stage].size(); ++chunk)
            layers[piece(stage, chunk)] = layers_of(stages[stage][chunk], blocks);
    }
    std::int64_t model = 0;
    for (auto& [at, first] : layers) first = std::exchange(model, model + first);
    LayerSplitter splitter(stack, blocks, wide);
    for (std::uint32_t stage = 0; stage < count; ++stage) {
        for (std::size_t chunk = 0; chunk < stages[stage].size(); ++chunk) {
            std::vector<Unit>& units = stages[stage][chunk];
            units = splitter.split(units, {layers[piece(stage, chunk)], model});
        }
    }
}

}  // namespace dse::frontend

#include "dse/frontend/template/sharding.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include <fmt/format.h>

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::MeshAxis;

std::size_t slot(char letter) {
    return static_cast<std::size_t>(std::tolower(static_cast<unsigned char>(letter)) - 'a');
}

bool has_letter(std::string_view letters, char letter) {
    for (const char other : letters) {
        if (slot(other) == slot(letter)) return true;
    }
    return false;
}

Layout only(const Layout& layout, AxisSet active) {
    Layout result = layout;
    for (AxisSet& axes : result.split) axes = axes & active;
    return result;
}

/// Adopts the splits of an operand that the operation can keep.
void adopt(const Operation& operation, const Operation::Operand& operand, const Layout& layout,
           LetterAxes& letters) {
    for (std::size_t i = 0; i < operand.letters.size(); ++i) {
        const char letter = operand.letters[i];
        AxisSet axes = layout.split[i];
        if (has_letter(operation.whole, letter))
            axes = has_letter(operation.context_split, letter) ? axes & MeshAxis::context : AxisSet{};
        for (std::size_t a = 0; a < graph::mesh_axis_count; ++a) {
            const AxisSet axis{static_cast<MeshAxis>(a)};
            // Circulating shards are combined with every shard of the other operands.
            const bool free = !letters.uses(axis) || letter == operation.circulating;
            if (axes.contains(axis) && free) letters.add(letter, axis);
        }
    }
}

/// The foldings whose axes split a letter of the operation.
AxisSet foldings(const LetterAxes& letters) {
    const AxisSet used = letters.used();
    AxisSet found;
    if (!(used & graph::attention_axes).empty()) found = found | graph::attention_axes;
    if (!(used & graph::expert_axes).empty()) found = found | graph::expert_axes;
    return found;
}

void check_folding(const Block& block, const Operation& operation, const LetterAxes& letters,
                   config::Diagnostics& diagnostics) {
    const AxisSet both = graph::attention_axes | graph::expert_axes;
    if (foldings(letters) == both) {
        diagnostics.error(
            operation.where, block.name,
            fmt::format("{} mixes tensors distributed over tp, cp, dp with tensors distributed over etp, ep, "
                        "edp (dispatch moves tokens to the experts, combine moves them back)",
                        operation.kind));
        return;
    }
    if (foldings(letters) != graph::expert_axes) return;
    for (const Operation::Operand& operand : operation.operands) {
        const Tensor& tensor = block.tensor(operand.tensor);
        if (tensor.role != TensorRole::parameter || !(replicas_of(tensor) & graph::expert_axes).empty())
            continue;
        diagnostics.error(operation.where, block.name,
                          fmt::format("parameter '{}' works on rows of experts, but its split names none of "
                                      "their axes (ep along the experts, etp inside one)",
                                      tensor.name));
    }
}

void add_rows(const Operation::Refolding& refolding, AxisSet active, RoutedTokens routed,
              LetterAxes& letters) {
    letters.set_refolding();
    if (routed == RoutedTokens::own) return letters.add(refolding.row, active & graph::expert_axes);
    letters.add(refolding.expert, active & MeshAxis::expert);
    letters.add(refolding.row, active & MeshAxis::expert_data);
    letters.withhold(MeshAxis::tensor);
}

LetterAxes assign(const Block& block, const Operation& operation, const std::vector<Layout>& layouts,
                  AxisSet active, RoutedTokens routed, config::Diagnostics& diagnostics) {
    LetterAxes letters;
    if (operation.refolding) add_rows(*operation.refolding, active, routed, letters);
    for (const Operation::Operand& operand : operation.operands) {
        const Tensor& tensor = block.tensor(operand.tensor);
        if (tensor.role != TensorRole::parameter) continue;
        const Layout& layout = layouts[operand.tensor.index()];
        adopt(operation, operand, layout, letters);
        if (letters.layout(operand.letters) != layout) {
            diagnostics.error(
                operation.where, block.name,
                fmt::format("parameter '{}' is split so that {} cannot use it where it lies (a mesh axis "
                            "splits one dimension of an operation, and none that it must have whole)",
                            tensor.name, operation.kind));
        }
    }
    for (const Operation::Move& move : operation.moves) {
        if (!letters.uses(move.axes)) letters.add(move.letter, move.axes & active);
    }
    for (const Operation::Operand& operand : operation.operands) {
        if (block.tensor(operand.tensor).role != TensorRole::parameter) {
            adopt(operation, operand, layouts[operand.tensor.index()], letters);
        }
    }
    if (operation.refolding) {
        letters.add(operation.refolding->token, (active & graph::attention_axes) - letters.used());
    } else {
        check_folding(block, operation, letters, diagnostics);
    }
    return letters;
}

/// The axes over which a linear operation works on partial sums without reducing them. A parameter is whole
/// on every device of a group, of which one adds it.
AxisSet unreduced_axes(const Block& block, const Operation& operation, const std::vector<Layout>& layouts,
                       const LetterAxes& letters) {
    if (!operation.linear) return {};
    const AxisSet partial = layouts[operation.operands.front().tensor.index()].partial;
    for (const Operation::Operand& operand : operation.operands) {
        if (block.tensor(operand.tensor).role == TensorRole::parameter) continue;
        Layout wanted = letters.layout(operand.letters);
        wanted.partial = partial;
        if (layouts[operand.tensor.index()] != wanted || block.readers(operand.tensor) != 1) return {};
    }
    return partial;
}

/// The layout in which all readers of a tensor need it, operations and the next block; none if they differ,
/// or if one of them moves tokens to other devices.
std::optional<Layout> wanted_by_readers(const Block& block, const Sharding& sharding, TensorId tensor) {
    std::optional<Layout> wanted;
    if (block.output == tensor) wanted = sharding.exit;
    for (std::size_t i = 0; i < block.operations.size(); ++i) {
        const Operation& operation = block.operations[i];
        if (!operation.reads(tensor)) continue;
        Layout layout = sharding.letters[i].layout(operation.letters_of(tensor));
        if (operation.refolding || (wanted && *wanted != layout)) return std::nullopt;
        wanted = std::move(layout);
    }
    return wanted;
}

bool is_read_unreduced(const Block& block, const Sharding& sharding, TensorId tensor) {
    for (std::size_t i = 0; i < block.operations.size(); ++i) {
        if (block.operations[i].reads(tensor) && !sharding.unreduced[i].empty()) return true;
    }
    return false;
}

/// Adds a parameter to a partial sum behind the reduction that its readers need, so that each device adds it
/// to its own part, and sums the gradient of that part alone (Megatron-Core, core/tensor_parallel/layers.py,
/// RowParallelLinear). One device still adds it before if its reader adds up partial sums, or if the
/// parameter would have to be split otherwise.
void add_behind_reduction(const Block& block, std::size_t index, Sharding& sharding) {
    const Operation& operation = block.operations[index];
    const auto is_parameter = [&](const Operation::Operand& operand) {
        return block.tensor(operand.tensor).role == TensorRole::parameter;
    };
    const auto added = std::find_if(operation.operands.begin(), operation.operands.end(), is_parameter);
    if (sharding.unreduced[index].empty() || added == operation.operands.end()) return;
    const Operation::Operand& result = operation.results.front();
    if (is_read_unreduced(block, sharding, result.tensor)) return;
    // Readers that differ derive what they need from one reduced sum.
    const Layout wanted = wanted_by_readers(block, sharding, result.tensor)
                              .value_or(sharding.letters[index].layout(result.letters));
    LetterAxes letters;
    for (std::size_t d = 0; d < result.letters.size(); ++d) letters.add(result.letters[d], wanted.split[d]);
    if (letters.layout(added->letters) != sharding.layouts[added->tensor.index()]) return;
    sharding.letters[index] = letters;
    sharding.unreduced[index] = {};
    sharding.layouts[result.tensor.index()] = wanted;
}

/// Whether an operation sums the results of a group's experts for its tokens.
bool adds_up_experts(const Operation& operation, RoutedTokens routed) {
    if (!operation.refolding || routed == RoutedTokens::own) return false;
    return has_letter(operation.results.front().letters, operation.refolding->token);
}

/// Combines partial sums over the parts of experts and over the experts into one over the group.
void add_up_experts(const Operation& operation, Sharding& sharding) {
    sharding.unreduced.back() = sharding.layouts[operation.operands.front().tensor.index()].partial;
    for (const Operation::Operand& result : operation.results)
        sharding.layouts[result.tensor.index()].partial = sharding.active & MeshAxis::tensor;
}

}  // namespace

AxisSet LetterAxes::of(char letter) const {
    return axes_[slot(letter)];
}

void LetterAxes::add(char letter, AxisSet axes) {
    axes_[slot(letter)] = axes_[slot(letter)] | axes;
    used_ = used_ | axes;
}

Layout LetterAxes::layout(std::string_view letters) const {
    Layout result;
    result.split.reserve(letters.size());
    for (const char letter : letters) result.split.push_back(of(letter));
    return result;
}

AxisSet LetterAxes::partial(std::string_view letters) const {
    if (refolding_) return {};
    AxisSet axes = used_;
    for (const char letter : letters) axes = axes - of(letter);
    return axes;
}

AxisSet replicas_of(const Tensor& parameter) {
    const bool of_experts = !(parameter.layout.split_axes() & graph::expert_axes).empty();
    return of_experts ? AxisSet{MeshAxis::expert_data} : graph::replica_axes;
}

Sharding shard(const Block& block, AxisSet active, config::Diagnostics& diagnostics, RoutedTokens routed) {
    Sharding sharding;
    sharding.active = active;
    sharding.entry = only(block.entry, active);
    sharding.exit = only(block.exit, active);
    for (const Tensor& tensor : block.tensors) sharding.layouts.push_back(only(tensor.layout, active));
    for (const Operation& operation : block.operations) {
        const LetterAxes letters = assign(block, operation, sharding.layouts, active, routed, diagnostics);
        const AxisSet unreduced = unreduced_axes(block, operation, sharding.layouts, letters);
        sharding.unreduced.push_back(unreduced);
        for (const Operation::Operand& result : operation.results) {
            Layout layout = letters.layout(result.letters);
            layout.partial = letters.partial(result.letters) | unreduced;
            sharding.layouts[result.tensor.index()] = std::move(layout);
        }
        if (adds_up_experts(operation, routed)) add_up_experts(operation, sharding);
        sharding.letters.push_back(letters);
    }
    for (std::size_t i = block.operations.size(); i-- > 0;) add_behind_reduction(block, i, sharding);
    return sharding;
}

}  // namespace dse::frontend

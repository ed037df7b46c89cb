#include "ir/partition/contraction_factors.hpp"

#include <array>
#include <utility>

namespace dse::ir::partition {
namespace {

using Kind = FactorRule::Kind;
using Number = FactorRule::Number;

std::size_t at(std::int64_t number) {
    return static_cast<std::size_t>(number);
}

// Adds the factors of a spatial dimension: windows, along input and output, and positions in a window, along
// input and kernel. `sizes` are those of the input and of a window, and the number of windows.
void add_spatial(FactorRule& rule, std::size_t input, std::size_t kernel, std::size_t output,
                 const std::array<std::int64_t, 3>& sizes) {
    std::int64_t rest = sizes[0];
    const std::int64_t window_size = sizes[1];
    const std::int64_t windows = sizes[2];
    const auto add = [&](std::int64_t size, FactorRule::Numbers& other, Kind kind) {
        size = std::min(rest, size);
        if (size <= 1) return;
        const Number factor = rule.add(size, kind);
        rule.operands[0][input].push_back(factor);
        other.push_back(factor);
        rest /= size;
    };
    const auto add_windows = [&] { add(windows, rule.results[0][output], Kind::permutation); };
    const auto add_positions = [&] { add(window_size, rule.operands[1][kernel], Kind::whole); };
    if (windows >= window_size) {
        add_windows();
        add_positions();
    } else {
        add_positions();
        add_windows();
    }
}

bool fits(const ConvolutionDimensions& dims, const Subject& subject) {
    const std::size_t input = subject.operand(0).sizes.size();
    const std::size_t kernel = subject.operand(1).sizes.size();
    const std::size_t output = subject.result().sizes.size();
    return in_range({dims.input_batch, dims.input_feature}, input) && in_range(dims.input_spatial, input) &&
           in_range({dims.kernel_input_feature, dims.kernel_output_feature}, kernel) &&
           in_range(dims.kernel_spatial, kernel) &&
           in_range({dims.output_batch, dims.output_feature}, output) &&
           in_range(dims.output_spatial, output) && dims.input_spatial.size() == dims.kernel_spatial.size() &&
           dims.input_spatial.size() == dims.output_spatial.size() && dims.feature_groups > 0 &&
           dims.batch_groups > 0;
}

}  // namespace

std::optional<FactorRule> dot_rule(const Subject& subject) {
    const auto* dims = subject.attribute<DotDimensions>();
    if (dims == nullptr || subject.operands() < 2) return std::nullopt;
    const Type& lhs = subject.operand(0);
    const Type& rhs = subject.operand(1);
    if (!in_range(dims->lhs_batch, lhs.sizes.size()) || !in_range(dims->rhs_batch, rhs.sizes.size()) ||
        !in_range(dims->lhs_contracting, lhs.sizes.size()) ||
        !in_range(dims->rhs_contracting, rhs.sizes.size()))
        return std::nullopt;
    FactorRule rule;
    rule.operands = {no_factors(lhs), no_factors(rhs)};
    FactorRule::Tensor result;
    for (std::size_t i = 0; i < dims->lhs_batch.size(); ++i) {
        const std::size_t l = at(dims->lhs_batch[i]);
        const Number factor = rule.add(lhs.sizes[l]);
        rule.operands[0][l] = rule.operands[1][at(dims->rhs_batch[i])] = {factor};
        result.push_back({factor});
    }
    for (std::size_t side = 0; side < 2; ++side) {
        const Type& type = side == 0 ? lhs : rhs;
        const Sizes& batch = side == 0 ? dims->lhs_batch : dims->rhs_batch;
        const Sizes& contracting = side == 0 ? dims->lhs_contracting : dims->rhs_contracting;
        for (std::size_t d = 0; d < type.sizes.size(); ++d) {
            if (contains(batch, d) || contains(contracting, d)) continue;
            rule.operands[side][d] = {rule.add(type.sizes[d])};
            result.push_back(rule.operands[side][d]);
        }
    }
    for (std::size_t i = 0; i < dims->lhs_contracting.size(); ++i) {
        const std::size_t l = at(dims->lhs_contracting[i]);
        rule.operands[0][l] =
            rule.operands[1][at(dims->rhs_contracting[i])] = {rule.add(lhs.sizes[l], Kind::reduction)};
    }
    rule.results = {std::move(result)};
    return rule;
}

std::optional<FactorRule> convolution_rule(const Subject& subject) {
    const auto* dims = subject.attribute<ConvolutionDimensions>();
    if (dims == nullptr || subject.operands() < 2 || !fits(*dims, subject)) return std::nullopt;
    const Type& input = subject.operand(0);
    const Type& kernel = subject.operand(1);
    const Type& output = subject.result();
    FactorRule rule;
    rule.operands = {no_factors(input), no_factors(kernel)};
    for (std::size_t i = 2; i < subject.operands(); ++i)
        rule.operands.push_back(no_factors(subject.operand(i)));
    rule.results = {no_factors(output)};
    auto& input_batch = rule.operands[0][at(dims->input_batch)];
    auto& input_feature = rule.operands[0][at(dims->input_feature)];
    auto& kernel_output = rule.operands[1][at(dims->kernel_output_feature)];
    auto& output_feature = rule.results[0][at(dims->output_feature)];
    // A group is computed on one device as a whole, since the local operation would have fewer groups.
    const auto add_groups = [&](std::int64_t groups, FactorRule::Numbers& of_input) {
        if (groups == 1) return;
        const Number factor = rule.add(groups, Kind::whole);
        for (auto* dimension : {&of_input, &kernel_output, &output_feature}) dimension->push_back(factor);
    };
    add_groups(dims->batch_groups, input_batch);
    const Number batch = rule.add(output.sizes[at(dims->output_batch)]);
    input_batch.push_back(batch);
    rule.results[0][at(dims->output_batch)].push_back(batch);
    for (std::size_t i = 0; i < dims->input_spatial.size(); ++i) {
        const std::size_t in = at(dims->input_spatial[i]);
        const std::size_t window = at(dims->kernel_spatial[i]);
        const std::size_t out = at(dims->output_spatial[i]);
        add_spatial(rule, in, window, out, {input.sizes[in], kernel.sizes[window], output.sizes[out]});
    }
    add_groups(dims->feature_groups, input_feature);
    const bool grouped = dims->feature_groups != 1 || dims->batch_groups != 1;
    const Number features =
        rule.add(kernel.sizes[at(dims->kernel_input_feature)], grouped ? Kind::whole : Kind::reduction);
    input_feature.push_back(features);
    rule.operands[1][at(dims->kernel_input_feature)].push_back(features);
    const std::int64_t outputs =
        output.sizes[at(dims->output_feature)] / (dims->feature_groups * dims->batch_groups);
    if (outputs > 1) {
        const Number factor = rule.add(outputs, grouped ? Kind::whole : Kind::parallel);
        kernel_output.push_back(factor);
        output_feature.push_back(factor);
    }
    return rule;
}

std::optional<FactorRule> reduce_rule(const Subject& subject) {
    const auto* dims = subject.attribute<Dimensions>();
    if (dims == nullptr || subject.operands() == 0 || subject.operands() % 2 != 0) return std::nullopt;
    FactorRule rule;
    const std::size_t inputs = subject.operands() / 2;
    const Type& shape = subject.operand(0);
    FactorRule::Tensor input;
    FactorRule::Tensor result;
    for (std::size_t d = 0; d < shape.sizes.size(); ++d) {
        const bool reduced = contains(dims->numbers, d);
        input.push_back({rule.add(shape.sizes[d], reduced ? Kind::reduction : Kind::parallel)});
        if (!reduced) result.push_back(input.back());
    }
    for (std::size_t i = 0; i < inputs; ++i) rule.operands.push_back(input);
    for (std::size_t i = inputs; i < 2 * inputs; ++i) rule.operands.push_back(no_factors(subject.operand(i)));
    rule.results.assign(subject.results(), result);
    return rule;
}

std::optional<FactorRule> factorization_rule(const Subject& subject) {
    const std::size_t rank = subject.result().sizes.size();
    if (subject.operands() == 0 || rank < 2) return std::nullopt;
    return alike_with(subject, subject.result(), [&](std::size_t d) {
        return FactorRule::Factor{subject.result().sizes[d], d + 2 < rank ? Kind::parallel : Kind::whole};
    });
}

}  // namespace dse::ir::partition

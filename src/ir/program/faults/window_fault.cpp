#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "ir/program/faults/shape_faults.hpp"

namespace dse::ir::faults {
namespace {

bool moves(const std::vector<WindowDimension>& window) {
    return std::all_of(window.begin(), window.end(), [](const WindowDimension& dimension) {
        return dimension.stride > 0 && dimension.base_dilation > 0 && dimension.window_dilation > 0;
    });
}

constexpr const char* stands_still = "strides and dilations of a window must be at least 1";

double dilated(std::int64_t size, std::int64_t dilation) {
    return size == 0 ? 0 : (static_cast<double>(size) - 1) * static_cast<double>(dilation) + 1;
}

// Number of positions of a window in a dimension; exact for all sizes that occur.
// Source: StableHLO specification, reduce_window
double positions(std::int64_t size, const WindowDimension& window) {
    const double padded = dilated(size, window.base_dilation) + static_cast<double>(window.pad_low) +
                          static_cast<double>(window.pad_high);
    const double wide = dilated(window.size, window.window_dilation);
    if (padded <= 0 || wide > padded) return 0;
    return std::floor((padded - wide) / static_cast<double>(window.stride)) + 1;
}

std::size_t at(std::int64_t dimension) {
    return static_cast<std::size_t>(dimension);
}

// Whether these are all dimensions, each once.
bool label_all(std::int64_t batch, std::int64_t feature, Sizes spatial) {
    spatial.push_back(batch);
    spatial.push_back(feature);
    return are_dimensions(spatial, spatial.size());
}

Fault feature_fault(const ShapeSubject& subject, const ConvolutionDimensions& convolution, const Type& input,
                    const Type& kernel) {
    const std::int64_t features = input.sizes[at(convolution.input_feature)];
    const std::int64_t taken = kernel.sizes[at(convolution.kernel_input_feature)];
    const std::int64_t made = kernel.sizes[at(convolution.kernel_output_feature)];
    const std::int64_t batch = input.sizes[at(convolution.input_batch)];
    if (features % convolution.feature_groups != 0 || features / convolution.feature_groups != taken)
        return fmt::format(
            "its input {} has {} features in {} groups, but its kernel {} takes {} features per group",
            subject.operand_text(0), features, convolution.feature_groups, subject.operand_text(1), taken);
    if (made % convolution.feature_groups != 0 || made % convolution.batch_groups != 0 ||
        batch % convolution.batch_groups != 0)
        return fmt::format(
            "the batch of {} and the {} features that its kernel makes cannot be cut into {} and "
            "{} groups",
            batch, made, convolution.batch_groups,
            std::max(convolution.feature_groups, convolution.batch_groups));
    return std::nullopt;
}

// If a third operand is the padding, spatial sizes are dynamic.
Fault output_fault(const ShapeSubject& subject, const ConvolutionDimensions& convolution, const Type& input,
                   const Type& kernel) {
    const Type* result = subject.sized_result();
    if (result == nullptr) return std::nullopt;
    const auto fault = [&](std::int64_t dimension, double follows) {
        return fmt::format(
            "the convolution of {} and {} has {} elements along dimension {}, but its result is {}",
            subject.operand_text(0), subject.operand_text(1), follows, dimension, subject.result_text());
    };
    const std::int64_t batch = input.sizes[at(convolution.input_batch)] / convolution.batch_groups;
    if (result->sizes[at(convolution.output_batch)] != batch)
        return fault(convolution.output_batch, static_cast<double>(batch));
    const std::int64_t made = kernel.sizes[at(convolution.kernel_output_feature)];
    if (result->sizes[at(convolution.output_feature)] != made)
        return fault(convolution.output_feature, static_cast<double>(made));
    for (std::size_t i = 0; i < convolution.window.size() && subject.operands() == 2; ++i) {
        const double size = positions(input.sizes[at(convolution.input_spatial[i])], convolution.window[i]);
        if (static_cast<double>(result->sizes[at(convolution.output_spatial[i])]) != size)
            return fault(convolution.output_spatial[i], size);
    }
    return std::nullopt;
}

// The window has one entry per dimension. \param positions_of  the type with one element per position
Fault positions_fault(const ShapeSubject& subject, const Window& window, const Type& whole,
                      const Type& positions_of, const std::string& text) {
    const std::size_t rank = whole.sizes.size();
    bool equal = positions_of.sizes.size() == rank;
    std::vector<double> sizes;
    for (std::size_t d = 0; d < rank; ++d) {
        sizes.push_back(positions(whole.sizes[d], window.dimensions[d]));
        equal = equal && static_cast<double>(positions_of.sizes[d]) == sizes.back();
    }
    if (equal) return std::nullopt;
    return fmt::format("its window has [{1}] positions in {0}, but {2} has others", subject.operand_text(0),
                       fmt::join(sizes, ","), text);
}

Fault window_fault(const ShapeSubject& subject, const Window& window, const Type& whole) {
    if (!moves(window.dimensions)) return stands_still;
    if (window.dimensions.size() == whole.sizes.size()) return std::nullopt;
    return fmt::format("its window has {} dimensions, but its operand {} has {}", window.dimensions.size(),
                       subject.operand_text(0), whole.sizes.size());
}

}  // namespace

Fault convolution_fault(const ShapeSubject& subject) {
    const auto* convolution = subject.attribute<ConvolutionDimensions>();
    if (convolution == nullptr) return std::nullopt;
    const std::size_t spatial = convolution->input_spatial.size();
    const std::size_t rank = spatial + 2;
    const Type& input = subject.operand(0);
    const Type& kernel = subject.operand(1);
    if (input.sizes.size() != rank || kernel.sizes.size() != rank ||
        (subject.results() > 0 && subject.result().sizes.size() != rank) ||
        convolution->kernel_spatial.size() != spatial || convolution->output_spatial.size() != spatial ||
        !label_all(convolution->input_batch, convolution->input_feature, convolution->input_spatial) ||
        !label_all(convolution->kernel_input_feature, convolution->kernel_output_feature,
                   convolution->kernel_spatial) ||
        !label_all(convolution->output_batch, convolution->output_feature, convolution->output_spatial))
        return "the convolution's labels do not fit its operands and its result";
    if (!convolution->window.empty() && convolution->window.size() != spatial)
        return "the convolution's window does not fit its labels";
    if (!moves(convolution->window)) return stands_still;
    if (convolution->feature_groups <= 0 || convolution->batch_groups <= 0)
        return "the number of groups must be at least 1";
    if (!is_sized(input) || !is_sized(kernel)) return std::nullopt;
    for (std::size_t i = 0; i < convolution->window.size(); ++i)
        if (convolution->window[i].size != kernel.sizes[at(convolution->kernel_spatial[i])])
            return fmt::format("its window has size {} where its kernel {} has {}",
                               convolution->window[i].size, subject.operand_text(1),
                               kernel.sizes[at(convolution->kernel_spatial[i])]);
    if (auto wrong = feature_fault(subject, *convolution, input, kernel)) return wrong;
    return output_fault(subject, *convolution, input, kernel);
}

// Operands, each with its initial value, and the same number of results.
Fault reduce_window_fault(const ShapeSubject& subject) {
    const auto* window = subject.attribute<Window>();
    const Type* whole = subject.sized_operand(0);
    if (window == nullptr || whole == nullptr) return std::nullopt;
    if (auto wrong = window_fault(subject, *window, *whole)) return wrong;
    for (std::size_t i = 0; i < subject.results(); ++i) {
        const Type* result = subject.sized_result(i);
        if (result == nullptr) continue;
        auto wrong =
            positions_fault(subject, *window, *whole, *result, "its result " + subject.result_text(i));
        if (wrong) return wrong;
    }
    return std::nullopt;
}

// An operand, a source with one element per window position, and the initial value of the result.
Fault select_and_scatter_fault(const ShapeSubject& subject) {
    const auto* window = subject.attribute<Window>();
    const Type* whole = subject.sized_operand(0);
    const Type* source = subject.sized_operand(1);
    if (window == nullptr || whole == nullptr || source == nullptr) return std::nullopt;
    if (auto wrong = window_fault(subject, *window, *whole)) return wrong;
    if (auto wrong =
            positions_fault(subject, *window, *whole, *source, "its source " + subject.operand_text(1)))
        return wrong;
    return unlike_operand(subject, 0, 0);
}

}  // namespace dse::ir::faults

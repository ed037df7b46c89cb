#include "dse/ir/program/cost/operation_flops.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <vector>

#include "dse/ir/program/cost/contraction_cost.hpp"
#include "dse/ir/program/cost/kernel_shapes.hpp"

namespace dse::ir {
namespace {

/// FLOPs and transcendentals an element of the first array that the kernel is given.
struct KernelCost {
    Opcode opcode;
    double flops;
    double transcendentals;
};

// By hand, from their definitions; a backward pass is the derivative's formula, nothing recomputed. HLO's
// batch_norm is not among them: XLA counts nothing for it.
constexpr std::array kernels{
    KernelCost{Opcode::gelu, 4, 1},                     // x/2 · (1 + erf(x/√2))
    KernelCost{Opcode::gelu_backward, 8, 2},            // + x · exp(−x²/2)/√2π, times the gradient
    KernelCost{Opcode::silu, 1, 1},                     // x · logistic(x)
    KernelCost{Opcode::silu_backward, 5, 1},            // g · s · (1 + x (1 − s))
    KernelCost{Opcode::softmax, 4, 1},                  // maximum, −, Σ, ÷; exp
    KernelCost{Opcode::softmax_backward, 4, 0},         // g·y, Σ, −, ·y
    KernelCost{Opcode::normalization, 7, 0},            // Σx, x−μ, ², Σ, ·1/σ, ·γ, +β
    KernelCost{Opcode::normalization_backward, 11, 0},  // three sums and their products
    KernelCost{Opcode::embedding_backward, 1, 0},       // each gradient is added to a row
    KernelCost{Opcode::loss, 4, 1},
    KernelCost{Opcode::loss_backward, 3, 1},
    KernelCost{Opcode::optimizer_update, 12, 1},  // Adam: two moments, their corrections, √, the step
    KernelCost{Opcode::argmax, 1, 0},
    KernelCost{Opcode::pooling_backward, 1, 0},
};

class Rules {
  public:
    Rules(const Program& program, const Operation& operation, std::span<const Cost> functions)
        : program_{program}, operation_{operation}, functions_{functions} {}

    [[nodiscard]] Cost cost() const {
        Cost cost;
        switch (operation_.opcode) {
            case Opcode::dot:
            case Opcode::ragged_dot:
            case Opcode::scaled_dot:
            case Opcode::einsum:
                cost.dot = cost.flops = product();
                return cost;
            case Opcode::convolution:
                return convolution(cost);
            case Opcode::convolution_backward:
                cost.convolution = cost.convolution_full = cost.flops = convolution_backward();
                return cost;
            case Opcode::triangular_solve:
                cost.flops = 2 * elements(1) * last_size(0);
                return cost;
            case Opcode::cholesky:
                cost.flops = std::floor(elements(0) * last_size(0) / 3);
                return cost;
            case Opcode::attention:
                cost.dot = cost.flops = attention(1);
                return cost;
            case Opcode::attention_backward:
                cost.dot = cost.flops = attention(2.5);
                return cost;
            case Opcode::sort:
                cost.flops = elements(0) * logarithm_up(elements(0));
                return cost;
            case Opcode::fft:
                cost.flops = 8 * elements(0) * fft_factor();
                return cost;
            case Opcode::rng:
            case Opcode::rng_bit_generator:
                cost.transcendentals = results();
                return cost;
            case Opcode::all_reduce:
            case Opcode::all_reduce_start:
            case Opcode::collective_reduce:
                cost.flops = all_elements();
                return cost;
            case Opcode::reduce:
            case Opcode::reduce_window:
            case Opcode::select_and_scatter:
            case Opcode::map:
            case Opcode::scatter:
                return applications();
            default:
                return by_element();
        }
    }

  private:
    [[nodiscard]] const Type* operand(std::size_t i) const {
        const auto operands = program_.operands(operation_);
        return i < operands.size() ? &program_.types[program_.type_of(operands[i])] : nullptr;
    }
    [[nodiscard]] const Type& result() const {
        return program_.types[program_.type_of(Program::result(operation_))];
    }
    [[nodiscard]] double elements(std::size_t i) const {
        const auto operands = program_.operands(operation_);
        return i < operands.size() ? program_.types.elements(program_.type_of(operands[i])) : 0;
    }
    [[nodiscard]] double all_elements() const {
        double sum = 0;
        for (std::size_t i = 0; i < operation_.operands.count; ++i) sum += elements(i);
        return sum;
    }
    [[nodiscard]] double results() const {
        double sum = 0;
        for (std::uint32_t i = 0; i < operation_.results.count; ++i)
            sum += program_.types.elements(program_.type_of(Program::result(operation_, i)));
        return sum;
    }
    /// Of the first array of the results.
    [[nodiscard]] double first_result() const {
        if (operation_.results.count == 0) return 0;
        TypeId type = program_.type_of(Program::result(operation_));
        if (program_.types[type].kind == Type::Kind::tuple && !program_.types[type].members.empty())
            type = program_.types[type].members[0];
        return program_.types.elements(type);
    }
    [[nodiscard]] double last_size(std::size_t i) const {
        const Type* type = operand(i);
        return type == nullptr || type->sizes.empty() ? 0 : static_cast<double>(type->sizes.back());
    }
    static double logarithm_up(double number) { return number <= 1 ? 0 : std::ceil(std::log2(number)); }

    [[nodiscard]] double product() const {
        const auto* dot = program_.attribute_if<DotDimensions>(operation_);
        if (dot == nullptr || operand(1) == nullptr || operation_.results.count == 0) return 0;
        return product_flops(*operand(0), *operand(1), result(), *dot);
    }

    [[nodiscard]] Cost convolution(Cost cost) const {
        const auto* dimensions = program_.attribute_if<ConvolutionDimensions>(operation_);
        if (dimensions == nullptr || operand(1) == nullptr || operation_.results.count == 0) return cost;
        const ConvolutionFlops flops = convolution_flops(*operand(0), *operand(1), result(), *dimensions);
        cost.convolution = cost.flops = flops.valid;
        cost.convolution_full = flops.full;
        return cost;
    }

    /// Of aten: (gradient, input, weight) to a tuple of the gradients of input, weight and bias, untyped
    /// where nobody asks for them; one convolution of the forward's size for each of the first two.
    [[nodiscard]] double convolution_backward() const {
        const Type* weight = operand(2);
        if (weight == nullptr || weight->sizes.empty() || weight->sizes[0] <= 0) return 0;
        if (operation_.results.count == 0) return 0;
        const double forward = 2 * elements(0) * elements(2) / static_cast<double>(weight->sizes[0]);
        const std::vector<TypeId>& made = result().members;
        const auto is_made = [&](std::size_t i) {
            return i < made.size() && program_.types.elements(made[i]) > 0;
        };
        return (is_made(0) ? forward : 0) + (is_made(1) ? forward : 0);
    }

    /// Two products, query × key and weights × value; a backward pass has five for their two. Of kernels
    /// that do not state where heads are, keys are the last dimension but one.
    [[nodiscard]] double attention(double factor) const {
        if (const auto shape = attention_shape(program_, operation_)) return factor * shape->flops();
        const std::size_t first = operation_.opcode == Opcode::attention_backward ? 1 : 0;
        const Type* query = operand(first);
        const Type* key = operand(first + 1);
        if (query == nullptr || key == nullptr || query->sizes.size() < 2 || key->sizes.size() < 2) return 0;
        const double keys = static_cast<double>(key->sizes[key->sizes.size() - 2]);
        return factor * 4 * elements(first) * keys;
    }

    [[nodiscard]] double fft_factor() const {
        const auto* fft = program_.attribute_if<FftLengths>(operation_);
        double factor = 1;
        if (fft == nullptr) return 0;
        for (const std::int64_t length : fft->lengths)
            factor *=
                length <= 0 ? 0 : static_cast<double>(std::bit_width(static_cast<std::uint64_t>(length)) - 1);
        return factor;
    }

    [[nodiscard]] Cost function(std::size_t i, double times) const {
        Cost cost;
        if (i >= functions_.size()) {
            cost.flops = times;  // a sum, where the text names no function
            return cost;
        }
        cost.flops = functions_[i].flops * times;
        cost.transcendentals = functions_[i].transcendentals * times;
        return cost;
    }

    [[nodiscard]] Cost applications() const {
        switch (operation_.opcode) {
            case Opcode::reduce:
                return function(0, std::max(0.0, elements(0) - first_result()));
            case Opcode::map:
                return function(0, results());
            case Opcode::scatter:
                return function(0, elements(2));
            case Opcode::reduce_window:
                return function(0, window_reductions());
            default:
                return function(0, elements(1) * (window_places() - 1)).plus(function(1, elements(1)));
        }
    }

    [[nodiscard]] double window_places() const {
        const auto* window = program_.attribute_if<Window>(operation_);
        double places = 1;
        if (window == nullptr) return places;
        for (const WindowDimension& dimension : window->dimensions)
            places *= static_cast<double>(dimension.size);
        return places;
    }

    [[nodiscard]] double window_reductions() const {
        const double span = whole_dimension();
        if (span > 0) return std::floor(first_result() / span) + span - 1;
        return first_result() * (window_places() - 1);
    }

    /// The size of the one dimension that the window sums up whole at each place: as many elements of padding
    /// on both sides as there are places but one, and a window over all of them. 0 where it does not.
    [[nodiscard]] double whole_dimension() const {
        const auto* window = program_.attribute_if<Window>(operation_);
        if (window == nullptr || result().kind != Type::Kind::array) return 0;
        std::int64_t wide = 0;
        std::int64_t padded = 0;
        double span = 0;
        for (std::size_t d = 0; d < window->dimensions.size() && d < result().sizes.size(); ++d) {
            const WindowDimension& dimension = window->dimensions[d];
            wide += dimension.size != 1 ? 1 : 0;
            padded += dimension.pad_low != 0 || dimension.pad_high != 0 ? 1 : 0;
            if (dimension.size != 1 && dimension.pad_low > 0 && dimension.pad_low == dimension.pad_high &&
                dimension.size == 2 * dimension.pad_low + 1 && dimension.pad_low == result().sizes[d] - 1)
                span = static_cast<double>(result().sizes[d]);
        }
        return wide == 1 && padded == 1 ? span : 0;
    }

    [[nodiscard]] Cost by_element() const {
        Cost cost;
        const auto* kernel = std::find_if(kernels.begin(), kernels.end(), [this](const KernelCost& row) {
            return row.opcode == operation_.opcode;
        });
        if (kernel != kernels.end()) {
            cost.flops = kernel->flops * elements(0);
            cost.transcendentals = kernel->transcendentals * elements(0);
            return cost;
        }
        const OpcodeClass family = opcode_class(operation_.opcode);
        if (family == OpcodeClass::elementwise) cost.flops = results();
        if (family == OpcodeClass::transcendental) cost.transcendentals = results();
        return cost;
    }

    const Program& program_;
    const Operation& operation_;
    std::span<const Cost> functions_;
};

}  // namespace

Cost operation_flops(const Program& program, const Operation& operation, std::span<const Cost> functions) {
    return Rules{program, operation, functions}.cost();
}

bool is_complex_product(const Program& program, const Operation& operation) {
    const OpcodeClass family = opcode_class(operation.opcode);
    if (family != OpcodeClass::contraction && family != OpcodeClass::foreign) return false;
    const auto operands = program.operands(operation);
    const auto is_complex = [&](ValueId value) {
        return number_kind(program.types[program.type_of(value)].element) == NumberKind::complex;
    };
    return operands.size() >= 2 && is_complex(operands[0]) && is_complex(operands[1]);
}

}  // namespace dse::ir

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dse/frontend/template/operator_kind.hpp"

namespace dse::test {

/// Reads single operator lines over declared tensors. Sizes: b 2, s 4, and those that are added; in inference
/// of 6 sequences with a context of 5 tokens and room for 16.
class OneLine {
  public:
    OneLine() {
        dimensions.add_serving_symbols();
        sample.insert(sample.end(), {context, cached, served});
        for (const auto& [name, value] :
             {std::pair{"h", 8.0}, {"n", 4.0}, {"k", 2.0}, {"d", 3.0}, {"f", 10.0}, {"v", 12.0}}) {
            dimensions.add_symbol(name);
            sample.push_back(value);
        }
    }

    void declare(const std::string& name, const std::vector<std::string>& shape,
                 frontend::TensorRole role = frontend::TensorRole::computed,
                 frontend::Storage storage = frontend::Storage::activation) {
        frontend::Tensor tensor;
        tensor.name = name;
        tensor.role = role;
        tensor.storage = storage;
        for (const std::string& dimension : shape) tensor.shape.push_back(dimensions.intern(dimension));
        tensors.push_back(std::move(tensor));
    }
    void parameter(const std::string& name, const std::vector<std::string>& shape) {
        declare(name, shape, frontend::TensorRole::parameter, frontend::Storage::parameter);
    }

    /// The operation of a line; none where it is refused, with the reason in `errors()`.
    std::optional<frontend::Operation> read(const std::string& text) {
        std::string error;
        line_ = frontend::parse_operator_line(text, error);
        if (!line_) {
            diagnostics.error({}, "", error);
            return std::nullopt;
        }
        frontend::OperationBuilder builder(*line_, where_, stack, dimensions, tensors, sample, diagnostics,
                                           mode);
        if (!builder.failed()) frontend::operator_kinds().find(line_->kind)(builder);
        builder.finish();
        if (builder.failed()) return std::nullopt;
        views.clear();
        before.clear();
        std::optional<frontend::Operation> kernel;
        for (frontend::Operation& operation : builder.take()) {
            if (operation.view) {
                views.push_back(std::move(operation));
            } else {
                if (kernel) before.push_back(std::move(*kernel));
                kernel = std::move(operation);
            }
        }
        return kernel;
    }
    [[nodiscard]] std::string errors() const { return diagnostics.text(); }

    [[nodiscard]] const frontend::Tensor& tensor(frontend::TensorId id) const { return tensors[id.index()]; }
    [[nodiscard]] std::vector<double> shape(frontend::TensorId id) const {
        std::vector<double> extents;
        for (const frontend::DimId dim : tensor(id).shape)
            extents.push_back(dimensions.evaluate(dim, sample));
        return extents;
    }
    [[nodiscard]] double product(const std::vector<frontend::Factor>& factors) const {
        double result = 1;
        for (const frontend::Factor& factor : factors) result *= dimensions.evaluate(factor.dim, sample);
        return result;
    }
    /// Of a kernel on one device.
    [[nodiscard]] double model_flop(const frontend::Piece& piece) const {
        return piece.model_factor * flop(piece);
    }
    [[nodiscard]] double executed_flop(const frontend::Piece& piece) const {
        return piece.executed_factor * flop(piece);
    }
    /// Letters of the factors, in order; '.' for one that is never divided.
    static std::string letters(const std::vector<frontend::Factor>& factors) {
        std::string result;
        for (const frontend::Factor& factor : factors) result += factor.letter == '\0' ? '.' : factor.letter;
        return result;
    }
    /// "x d_y w*2": what a kernel reads or writes; gradients have a prefix, passes a factor.
    [[nodiscard]] std::string uses(const std::vector<frontend::Use>& uses) const {
        std::string result;
        for (const frontend::Use& use : uses) {
            if (!result.empty()) result += ' ';
            result += (use.gradient ? "d_" : "") + tensor(use.tensor).name;
            if (use.passes != 1.0) result += "*" + std::to_string(static_cast<int>(use.passes));
        }
        return result;
    }

    frontend::Dimensions dimensions;
    std::vector<frontend::Tensor> tensors;
    std::vector<double> sample{2, 4};
    graph::SoftwareStack stack;
    graph::Mode mode{graph::Mode::training};
    static constexpr double context = 5;
    static constexpr double cached = 16;
    static constexpr double served = 6;
    std::vector<frontend::Operation> views;   ///< that the last line put before and after its operation
    std::vector<frontend::Operation> before;  ///< other kernels of the last line
    config::Diagnostics diagnostics;

  private:
    [[nodiscard]] double flop(const frontend::Piece& piece) const {
        return 2 * product(piece.gemm.batch) * product(piece.gemm.m) * product(piece.gemm.n) *
               product(piece.gemm.k);
    }

    config::Location where_;
    std::optional<frontend::OperatorLine> line_;
};

}  // namespace dse::test

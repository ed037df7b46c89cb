#include <cctype>

#include <fmt/format.h>

#include "kinds.hpp"

namespace dse::frontend::kinds {
namespace {

struct Spec {
    std::string a;
    std::string b;
    std::string result;
};

/// Parses "ab,bc->ac": two operands, letters only, each at most once per term.
bool parse(const std::string& text, Spec& spec, std::string& error) {
    const std::size_t comma = text.find(',');
    const std::size_t arrow = text.find("->");
    if (comma == std::string::npos || arrow == std::string::npos || comma > arrow) {
        error = fmt::format("'{}' is not a product of two tensors (write it as \"bsh,ho->bso\")", text);
        return false;
    }
    spec = {text.substr(0, comma), text.substr(comma + 1, arrow - comma - 1), text.substr(arrow + 2)};
    for (const std::string* term : {&spec.a, &spec.b, &spec.result}) {
        for (const char letter : *term) {
            const bool once = term->find(letter) == term->rfind(letter);
            if (std::islower(static_cast<unsigned char>(letter)) != 0 && once) continue;
            error = fmt::format("'{}' of '{}': dimensions are lower-case letters, each once", letter, *term);
            return false;
        }
    }
    return true;
}

bool has(const std::string& term, char letter) {
    return term.find(letter) != std::string::npos;
}

/// Sorts the letters into the roles of a matrix product.
bool classify(OperationBuilder& builder, const Spec& spec, GemmFactors& gemm) {
    for (const char letter : spec.a + spec.b) {
        const bool in_a = has(spec.a, letter);
        const bool in_b = has(spec.b, letter);
        const bool in_result = has(spec.result, letter);
        if (!in_result && !(in_a && in_b)) {
            builder.fail(fmt::format("'{}' occurs in only one tensor and not in the result", letter));
            return false;
        }
        std::vector<Factor>& role = !in_result       ? gemm.k
                                    : (in_a && in_b) ? gemm.batch
                                    : in_a           ? gemm.m
                                                     : gemm.n;
        bool known = false;
        for (const Factor& other : role) known = known || other.letter == letter;
        if (!known) role.push_back(builder.factor(letter));
    }
    for (const char letter : spec.result) {
        if (has(spec.a, letter) || has(spec.b, letter)) continue;
        builder.fail(fmt::format("'{}' of the result occurs in neither tensor", letter));
        return false;
    }
    return true;
}

}  // namespace

/// `padded=w`: an adapter beside it makes w elements of each result, the others are zeros (adapters.cpp).
void einsum(OperationBuilder& builder) {
    if (!builder.expect_operands({0, 0})) return;
    if (builder.line().option("padded") != nullptr) builder.option("padded");
    Spec spec;
    std::string error;
    if (!parse(builder.text(), spec, error)) return builder.fail(error);
    builder.letter(0, spec.a);
    builder.letter(1, spec.b);
    if (!builder.check_letters()) return;

    GemmFactors gemm;
    if (!classify(builder, spec, gemm)) return;
    std::vector<DimId> shape;
    for (const char letter : spec.result) shape.push_back(builder.factor(letter).dim);
    const TensorId a = builder.id(0);
    const TensorId b = builder.id(1);
    const bool weight_a = builder.tensor(0).role == TensorRole::parameter;
    const bool weight_b = builder.tensor(1).role == TensorRole::parameter;
    const TensorId result = builder.add_result(0, std::move(shape), spec.result);

    Operation& operation = builder.operation();
    operation.forward = product(gemm, 1.0, {{a}, {b}}, {result});
    // d(AB)/dA contracts over the letters that only B has; d(AB)/dB over those that only A has.
    // A parameter's gradient is accumulated: read and written.
    const double passes_a = weight_a ? 2.0 : 1.0;
    const double passes_b = weight_b ? 2.0 : 1.0;
    Piece to_a =
        product({gemm.batch, gemm.m, gemm.k, gemm.n}, 1.0, {{result, true}, {b}}, {a, true, passes_a});
    to_a.weight_gradient = weight_a;
    Piece to_b =
        product({gemm.batch, gemm.k, gemm.n, gemm.m}, 1.0, {{a}, {result, true}}, {b, true, passes_b});
    to_b.weight_gradient = weight_b;
    operation.backward = {std::move(to_a), std::move(to_b)};
}

/// The product of dropout(x) with a factor of an adapter. The gradient of x itself is that of the product,
/// times the mask, which is another pass over it.
void dropped_einsum(OperationBuilder& builder) {
    if (!builder.expect_operands({0, 0, 0, 0})) return;
    Spec spec;
    std::string error;
    if (!parse(builder.text(), spec, error)) return builder.fail(error);
    for (const std::size_t operand : {0, 1, 2}) builder.letter(operand, spec.a);
    builder.letter(3, spec.b);
    if (!builder.check_letters()) return;
    GemmFactors gemm;
    if (!classify(builder, spec, gemm)) return;
    std::vector<DimId> shape;
    for (const char letter : spec.result) shape.push_back(builder.factor(letter).dim);
    const TensorId x = builder.id(0);
    const TensorId dropped = builder.id(1);
    const TensorId mask = builder.id(2);
    const TensorId w = builder.id(3);
    const TensorId result = builder.add_result(0, std::move(shape), spec.result);
    Operation& operation = builder.operation();
    operation.forward = product(gemm, 1.0, {{dropped}, {w}}, {result});
    Piece to_x =
        product({gemm.batch, gemm.m, gemm.k, gemm.n}, 1.0, {{result, true}, {w}, {mask}}, {x, true, 3.0});
    Piece to_w =
        product({gemm.batch, gemm.k, gemm.n, gemm.m}, 1.0, {{dropped}, {result, true}}, {w, true, 2.0});
    to_w.weight_gradient = true;
    operation.backward = {std::move(to_x), std::move(to_w)};
}

}  // namespace dse::frontend::kinds

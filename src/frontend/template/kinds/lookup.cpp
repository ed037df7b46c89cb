#include <fmt/format.h>

#include "kinds.hpp"

/// Recommendation models: embedding tables that are distributed over devices, and the use of their rows.
/// Source: Naumov et al. 2019 (DLRM, arXiv 1906.00091); Ivchenko et al. 2022 (TorchRec).
namespace dse::frontend::kinds {
namespace {

/// A table for all bags [rows, d] with ids [b, lookups], or one table per bag [bags, rows, d] with ids
/// [b, bags, lookups]. Ids are on the devices that hold their rows: they have the layout of the rows.
struct Bags {
    DimId bags;
    DimId width;
    std::vector<DimId> ids;  ///< shape of the arriving ids
    std::string id_letters;
    std::string table_letters;
    std::string result_letters;
};

bool read_bags(OperationBuilder& builder, Bags& bags) {
    if (!builder.expect_operands({0, 0})) return false;
    const std::vector<DimId> ids = builder.tensor(0).shape;
    const std::vector<DimId> table = builder.tensor(1).shape;
    if (ids.size() != table.size() || (ids.size() != 2 && ids.size() != 3)) {
        builder.fail(
            fmt::format("takes ids [b, lookups] of a table [rows, d], or ids [b, bags, lookups] of "
                        "tables [bags, rows, d], not {} and {} dimensions",
                        ids.size(), table.size()));
        return false;
    }
    if (builder.tensor(0).storage != Storage::index || !builder.tensor(1).sparse) {
        builder.fail(fmt::format("'{}' is declared with storage: index, '{}' with sparse: true",
                                 builder.tensor(0).name, builder.tensor(1).name));
        return false;
    }
    const bool one_a_bag = ids.size() == 3;
    bags.ids = {ids.front(), builder.mean(ids.back())};
    if (one_a_bag) bags.ids.insert(bags.ids.begin() + 1, ids[1]);
    bags.bags = one_a_bag ? table[0] : builder.option("bags");
    bags.width = table.back();
    bags.id_letters = one_a_bag ? "btR" : "bR";
    bags.table_letters = one_a_bag ? "trd" : "rd";
    bags.result_letters = "btd";
    if (builder.failed()) return false;
    return !one_a_bag || builder.expect_equal(ids[1], table[0], "the number of bags");
}

}  // namespace

/// Rows gathered from tables and summed per bag: [b, bags, d]. Tables are distributed over ep, by whole
/// tables or by rows of each. Samples have the layout of the dense part: ids are sent to the devices that
/// hold their rows, and the sums are sent back, complete (all-to-all) or as partial sums (reduce-scatter);
/// gradients take the reverse way. The backward pass updates the gathered rows: each row and its optimizer
/// state are read and written. Duplicate rows are not accounted for.
void embedding_bag(OperationBuilder& builder) {
    Bags bags;
    if (!read_bags(builder, bags)) return;
    builder.refold_operand(0, bags.ids);
    builder.letter(0, bags.id_letters);
    builder.letter(1, bags.table_letters);
    const TensorId ids = builder.id(0);
    const TensorId table = builder.id(1);
    builder.add_result(0, {bags.ids.front(), bags.bags, bags.width}, bags.result_letters);
    if (builder.failed()) return;
    builder.refold_result(0);

    Operation& operation = builder.operation();
    operation.whole = "d";
    const TensorId y = operation.results.front().tensor;
    std::vector<Factor> picked;
    for (std::size_t i = 0; i < bags.ids.size(); ++i) picked.push_back({bags.ids[i], bags.id_letters[i]});
    const Traffic states{picked, Storage::full, 2.0};
    picked.push_back({bags.width, 'd'});
    const auto op_class = graph::OpClass::embedding;
    operation.forward = kernel(op_class, {{ids}, {table, false, 0.0}}, {{y}}, 1);
    operation.forward.traffic = {{picked, Storage::parameter, 1.0}};
    Piece update = kernel(op_class, {{ids}, {y, true}}, {{table, true, 0.0}}, 1);
    update.traffic = {{picked, Storage::parameter, 2.0}, states};
    update.weight_gradient = true;
    operation.backward = {std::move(update)};
}

namespace {

/// Reads dense features [b, d] and pooled features [b, bags, d].
bool read_features(OperationBuilder& builder) {
    if (!builder.expect_operands({2, 3})) return false;
    builder.letter(0, "bd");
    builder.letter(1, "btd");
    return builder.check_letters();
}

}  // namespace

/// The dense features, and the dot products of all pairs of dense and pooled features:
/// [b, d + (bags + 1)·bags/2]. The full product matrix is computed; one product per pair is counted as model
/// FLOPs.
void interaction(OperationBuilder& builder) {
    if (!read_features(builder)) return;
    const std::vector<DimId> shape = builder.tensor(1).shape;
    const DimId d = shape[2];
    const DimId features = builder.sum(shape[1], 1);
    const std::string pairs =
        fmt::format("({0} + 1)*({0})//2 + {1}", builder.text_of(shape[1]), builder.text_of(d));
    const TensorId dense = builder.id(0);
    const TensorId pooled = builder.id(1);
    const TensorId y = builder.add_result(0, {shape[0], builder.dimension(pairs)}, "bo");
    if (builder.failed()) return;
    Operation& operation = builder.operation();
    operation.whole = "tdo";
    const double bags = builder.extent(shape[1]);
    const double asked = bags / (2.0 * (bags + 1.0));
    const Factor b{shape[0], 'b'};
    const auto gemm = [&](double factor, std::vector<Use> reads, std::vector<Use> writes) {
        Piece piece = kernel(graph::OpClass::gemm, std::move(reads), std::move(writes), 2);
        piece.gemm = {{b}, {{features, 't'}}, {{features, 't'}}, {{d, 'd'}}};
        piece.model_factor = asked * factor;
        piece.executed_factor = factor;
        return piece;
    };
    operation.forward = gemm(1.0, {{dense}, {pooled}}, {{y}});
    operation.backward = {gemm(2.0, {{y, true}, {dense}, {pooled}}, {{dense, true}, {pooled, true}})};
    operation.backward.front().kernels = 2;
}

/// Dense and pooled features, concatenated: [b, (bags + 1)·d].
void join_features(OperationBuilder& builder) {
    if (!read_features(builder)) return;
    const std::vector<DimId> shape = builder.tensor(1).shape;
    const TensorId dense = builder.id(0);
    const TensorId pooled = builder.id(1);
    const DimId all = builder.product(builder.sum(shape[1], 1), shape[2]);
    const TensorId y = builder.add_result(0, {shape[0], all}, "bo");
    Operation& operation = builder.operation();
    operation.whole = "tdo";
    const auto op_class = graph::OpClass::elementwise;
    operation.forward = kernel(op_class, {{dense}, {pooled}}, {{y}}, 1);
    operation.backward = {kernel(op_class, {{y, true}}, {{dense, true}, {pooled, true}}, 1)};
}

/// x0 · z + x, element by element: the end of a layer of a deep-and-cross network. Source: Wang et al. 2021
/// (DCN V2, arXiv 2008.13535), equation 1.
void cross(OperationBuilder& builder) {
    if (!builder.expect_operands({0, 0, 0})) return;
    for (const std::size_t i : {0, 1, 2}) {
        if (builder.tensor(i).shape.size() != builder.tensor(0).shape.size()) {
            return builder.fail(fmt::format("'{}' and '{}' have different numbers of dimensions",
                                            builder.tensor(0).name, builder.tensor(i).name));
        }
        builder.letter_by_position(i);
    }
    if (!builder.check_letters()) return;
    const TensorId x0 = builder.id(0);
    const TensorId z = builder.id(1);
    const TensorId x = builder.id(2);
    Operation& operation = builder.operation();
    const TensorId y = builder.add_result(0, builder.tensor(0).shape, operation.operands[0].letters);
    const auto op_class = graph::OpClass::elementwise;
    operation.forward = kernel(op_class, {{x0}, {z}, {x}}, {{y}}, 2);
    operation.backward = {kernel(op_class, {{y, true}, {x0}, {z}}, {{x0, true}, {z, true}}, 2)};
    operation.passes_gradient = {2};
}

}  // namespace dse::frontend::kinds

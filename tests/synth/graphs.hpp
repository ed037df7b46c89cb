#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/synth/small_graph.hpp"

namespace dse::synth::test {

/// A layer that stands `layers` times between a first and a last kernel: gemm → all-reduce among neighbours →
/// norm.
inline SmallGraph stacked(Vocabulary& labels, std::int64_t devices, std::int64_t layers, double size) {
    const std::uint16_t first = labels.add({Kind::compute, Role::none, "embedding"});
    const std::uint16_t gemm = labels.add({Kind::compute, Role::none, "gemm"});
    const std::uint16_t reduce = labels.add({Kind::collective, Role::near, "all_reduce"});
    const std::uint16_t norm = labels.add({Kind::compute, Role::none, "normalization"});
    std::vector<Node> nodes{{first, {size, size, 0}, {}},
                            {gemm, {100 * size, size, 0}, {0}},
                            {reduce, {0, 0, size}, {1}},
                            {norm, {size, size, 0}, {1, 2}},
                            {gemm, {200 * size, size, 0}, {3}}};
    return layered({devices, 2, 1, 0, 0}, std::move(nodes), {1, layers, layers, layers, 1});
}

/// Jobs on 4 to 32 devices whose sizes are inverse to them.
inline Corpus family_of_stacks(std::size_t graphs) {
    Corpus corpus;
    for (std::size_t i = 0; i < graphs; ++i) {
        const std::int64_t devices = std::int64_t{4} << (i % 4);
        corpus.graphs.push_back(stacked(corpus.labels, devices, 8, 1e9 / static_cast<double>(devices)));
        corpus.names.push_back("stack " + std::to_string(i));
    }
    return corpus;
}

}  // namespace dse::synth::test

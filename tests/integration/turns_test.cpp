// Two random regions in turns, against each by itself.
#include "dse/graph/turns.hpp"

#include <gtest/gtest.h>

#include "support/random_graph.hpp"

namespace dse::graph {
namespace {

bool communicates(const Graph& graph, const Item& item) {
    return std::holds_alternative<Collective>(graph.works[item.work.index()]);
}

/// What a region computes, as numbers that tell values apart: of a node, its work and its inputs.
class Meaning {
  public:
    Meaning(const Graph& graph, const StageProgram& program) : graph_{graph}, program_{program} {}

    std::vector<std::size_t> of(RegionId id, std::vector<std::size_t> ports) {
        const Region& region = graph_.regions[id.index()];
        std::vector<std::vector<std::size_t>> values;
        const auto look_up = [&](const std::vector<ValueRef>& references) {
            std::vector<std::size_t> result;
            for (const ValueRef reference : references) {
                if (reference.source == ValueRef::Source::none) result.push_back(0);
                if (reference.source == ValueRef::Source::port) result.push_back(ports[reference.index]);
                if (reference.source == ValueRef::Source::item)
                    result.push_back(values[reference.index][reference.output]);
            }
            return result;
        };
        for (const Item& item : region.items) {
            std::vector<std::size_t> inputs = look_up(item.inputs);
            if (item.kind == Item::Kind::repeat) {
                for (std::int64_t n = program_.counts[item.count.index()]; n > 0; --n)
                    inputs = of(item.body, inputs);
                values.push_back(inputs);
                continue;
            }
            std::size_t value = item.work.index() + 1;
            for (const std::size_t input : inputs) value = value * 1'000'003 + input;
            ++nodes;
            values.push_back({value});
        }
        return look_up(region.outputs);
    }

    std::size_t nodes{0};

  private:
    const Graph& graph_;
    const StageProgram& program_;
};

// Whatever the regions: what leaves the new one is what leaves the two, and every node is played once.
TEST(Turns, ChangeNoValue) {
    int compared = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(seed);
        test::TimedGraph made = test::RandomGraph{seed, {2, 2, 4, 6, 5, 1}}.make();
        Graph& graph = made.graph;
        StageProgram& program = graph.programs.front();
        const RegionId forward = program.chunks.front().forward;
        const RegionId backward = program.chunks.back().weight;
        const std::size_t taken = graph.regions[backward.index()].ports;
        std::vector<std::size_t> ports{7};
        for (std::size_t k = 0; k < taken; ++k) ports.push_back(11 + k);

        Turns turns{graph.regions, [&](const Item& item) { return communicates(graph, item); }};
        const RegionId both = turns.of_tasks(forward, backward, program);
        validate(graph);
        Meaning meaning{graph, program};
        std::vector<std::size_t> expected = meaning.of(forward, {7});
        const std::vector<std::size_t> back = meaning.of(backward, {ports.begin() + 1, ports.end()});
        expected.insert(expected.begin() + 1, back.front());
        const std::size_t nodes = std::exchange(meaning.nodes, 0);
        ASSERT_EQ(meaning.of(both, ports), expected);
        ASSERT_EQ(meaning.nodes, nodes);
        compared += nodes > 10 ? 1 : 0;
    }
    EXPECT_GT(compared, 100);
}

}  // namespace
}  // namespace dse::graph

#include <algorithm>
#include <array>
#include <chrono>

#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "dse/base/seed.hpp"
#include "dse/synth/family.hpp"
#include "dse/synth/judge/statistics.hpp"
#include "dse/synth/operator_lists.hpp"

namespace dse::conformance {
namespace {

using synth::Corpus;
using synth::SmallGraph;

class Synth : public ConformanceData {};

/// What a small LayerDAG reaches on TPU-Tile against graphs that it has not seen, after 500 s of training on
/// one core; in the order of synth::Statistics.
constexpr std::array small_layer_dag{1.78, 7.75, 3.92, 0.213, 0.187, 0.093, 0.233};

TEST_F(Synth, TheMarkovModelBeatsASmallLayerDag) {
    Corpus all;
    read_operator_lists(path("synth/tpu_tile.jsonl.gz"), all);
    ASSERT_EQ(all.graphs.size(), 630U);
    Corpus train{all.labels, {}, {}};
    std::vector<SmallGraph> test;
    for (std::size_t i = 0; i < all.graphs.size(); ++i)
        ((mixed(i) & 1U) != 0 ? train.graphs : test).push_back(all.graphs[i]);
    const synth::Family family = synth::fit_family(train, "markov", "TPU-Tile", "see its source");
    std::vector<SmallGraph> samples;
    for (std::size_t i = 0; i < test.size(); ++i) {
        samples.push_back(family.model->sample({}, seed_of(1, i)));
        ASSERT_TRUE(synth::is_valid(samples.back())) << i;
    }
    const auto statistics = named(compare(samples, test));
    int better = 0;
    for (std::size_t s = 0; s < statistics.size(); ++s) {
        RecordProperty(std::string{statistics[s].name}, std::to_string(statistics[s].value));
        if (statistics[s].value < small_layer_dag[s]) ++better;
    }
    EXPECT_GE(better, 5);
    EXPECT_LT(statistics.back().value, 0.15);  // pairs of operators
}

}  // namespace
}  // namespace dse::conformance

#include "synth/layerdag/aims.hpp"

#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dse/base/error.hpp"

namespace dse::synth {
namespace {

/// `layers` layers of two nodes, each of which waits for both above.
SmallGraph ladder(std::uint32_t layers) {
    std::vector<Node> nodes{{0, {}, {}}, {0, {}, {}}};
    for (std::uint32_t n = 2; n < 2 * layers; ++n)
        nodes.push_back({0, {}, n % 2 == 0 ? std::vector{n - 2, n - 1} : std::vector{n - 3, n - 2}});
    return layered({}, nodes, std::vector<std::int64_t>(nodes.size(), 1));
}

TEST(Aims, OneGraphIsItsOwnAim) {
    Aims aims;
    aims.learn(ladder(5));
    Random random{1};
    const Aim aim = aims.draw(random);
    EXPECT_EQ(aim.layers, 5U);
    EXPECT_EQ(aim.nodes, 10U);
    EXPECT_EQ(aim.extras, 8U) << "one of each node behind the first layer";
}

TEST(Aims, NodesAreThoseOfAnotherGraphOfAboutAsManyLayers) {
    Aims aims;
    for (std::uint32_t layers = 2; layers < 40; ++layers) aims.learn(ladder(layers));
    Random random{1};
    std::set<std::size_t> layers;
    for (int i = 0; i < 1000; ++i) {
        const Aim aim = aims.draw(random);
        layers.insert(aim.layers);
        // All have two nodes a layer, and a bit fewer further parents.
        EXPECT_EQ(aim.nodes, 2 * aim.layers);
        EXPECT_LE(aim.extras, 2 * aim.layers);
    }
    EXPECT_EQ(layers.size(), 38U);
}

TEST(Aims, FilesThatCannotBeAreRefused) {
    EXPECT_EQ(Aims::from_json({{3, 9, 1}}).to_json().dump(), "[[3,9,1]]");
    EXPECT_THROW(Aims::from_json(nlohmann::json::array()), InputError);
    EXPECT_THROW(Aims::from_json({{0, 9, 1}}), InputError);
    EXPECT_THROW(Aims::from_json({{9, 3, 1}}), InputError);
    EXPECT_THROW(Aims::from_json({{9, 401, 1}}), InputError);
}

}  // namespace
}  // namespace dse::synth

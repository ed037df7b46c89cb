#include "synth/layerdag/nets.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "synth/layerdag/some_nets.hpp"

namespace dse::synth {
namespace {

TEST(Nets, AreReadWithTheirSettings) {
    const Nets nets = Nets::from_json(test::some_nets(4, 3, 2));
    EXPECT_EQ(nets.labels, 4U);
    EXPECT_EQ(nets.most_size, 3U);
    EXPECT_EQ(nets.most_extras, 2U);
    EXPECT_EQ(nets.rise.size(), 2U);
    EXPECT_EQ(nets.embedding.row(4).size(), nets.width);
}

TEST(Nets, OtherShapesAndMissingPartsAreRefused) {
    nlohmann::json json = test::some_nets(4);
    json["settings"]["width"] = 6;
    EXPECT_THROW(Nets::from_json(json), InputError);
    json = test::some_nets(4);
    json["settings"]["labels"] = 5;
    EXPECT_THROW(Nets::from_json(json), InputError) << "of which only four have names";
    json = test::some_nets(4);
    json["nets"].erase("wish");
    EXPECT_THROW(Nets::from_json(json), nlohmann::json::exception);
}

}  // namespace
}  // namespace dse::synth

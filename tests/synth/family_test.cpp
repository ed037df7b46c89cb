// Also tests: registry.cpp
#include "dse/synth/family.hpp"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/error_message.hpp"
#include "support/temporary_folder.hpp"
#include "synth/graphs.hpp"

namespace dse::synth {
namespace {

std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream{path, std::ios::binary}.rdbuf();
    return text.str();
}

class FamilyFile : public ::testing::Test {
  protected:
    FamilyFile() {
        write_family(fit_family(test::family_of_stacks(12), "markov", "stacks", "CC0-1.0"), path_,
                     Existing::refuse);
    }
    std::string refusal(const std::string& text) {
        const std::string file = folder_.write("other.model", text);
        return dse::test::error_message([&] { read_family(file); });
    }
    dse::test::TemporaryFolder folder_;
    std::string path_{folder_.path("a.model")};
};

TEST_F(FamilyFile, AReadFamilyGivesTheSameSamples) {
    const Family made = fit_family(test::family_of_stacks(12), "markov", "stacks", "CC0-1.0");
    const Family read = read_family(path_);
    EXPECT_EQ(read.card.data, "stacks");
    EXPECT_EQ(read.card.license, "CC0-1.0");
    EXPECT_EQ(read.card.graphs, 12U);
    EXPECT_EQ(read.card.fewest_devices, 4);
    EXPECT_EQ(read.card.most_devices, 32);
    EXPECT_EQ(read.card.nodes, 5.0);
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const SmallGraph a = made.model->sample({}, seed);
        const SmallGraph b = read.model->sample({}, seed);
        ASSERT_EQ(a.nodes.size(), b.nodes.size());
        EXPECT_EQ(a.conditions, b.conditions);
        for (std::size_t n = 0; n < a.nodes.size(); ++n) EXPECT_EQ(a.nodes[n].volumes, b.nodes[n].volumes);
    }
}

TEST_F(FamilyFile, DamageIsFound) {
    const std::string text = text_of(path_);
    std::string flipped = text;
    flipped[text.size() / 2] = static_cast<char>(flipped[text.size() / 2] ^ 1);
    EXPECT_NE(refusal(flipped).find("damaged"), std::string::npos);
    EXPECT_NE(refusal(text.substr(0, text.size() / 2)).find("damaged"), std::string::npos);
    EXPECT_NE(refusal("").find("not a family"), std::string::npos);
    EXPECT_NE(refusal("\x89HDF\n").find("not a family"), std::string::npos);
    EXPECT_NE(refusal("dse-synth 9 0\n{}").find("version 9"), std::string::npos);
    EXPECT_NE(refusal("dse-synth x\n{}").find("damaged"), std::string::npos);
}

TEST_F(FamilyFile, WhatIsThereIsNotReplacedUnasked) {
    const Family family = read_family(path_);
    EXPECT_THROW(write_family(family, path_, Existing::refuse), InputError);
    EXPECT_THROW(read_family(folder_.path("none.model")), InputError);
}

TEST_F(FamilyFile, AnUnknownModelNamesTheNearest) {
    const std::string message = dse::test::error_message([] { model_kind("markow"); });
    EXPECT_NE(message.find("markov"), std::string::npos);
    EXPECT_THROW(fit_family({}, "markov", "", ""), InputError);
}

TEST_F(FamilyFile, NetworksAreForKindsThatHaveSome) {
    const Corpus corpus = test::family_of_stacks(4);
    EXPECT_THROW(fit_family(corpus, "markov", "", "", "nets.json"), InputError);
    EXPECT_THROW(fit_family(corpus, "layerdag", "", ""), InputError);
}

}  // namespace
}  // namespace dse::synth

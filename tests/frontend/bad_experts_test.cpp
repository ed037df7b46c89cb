// What is said about mistakes that only mixtures of experts allow.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "dse/frontend/template/template_frontend.hpp"
#include "support/source_dir.hpp"
#include "support/temporary_folder.hpp"

namespace dse::frontend {
namespace {

std::string shipped(const std::string& file) {
    std::ifstream stream(std::string(DSE_SOURCE_DIR) + "/workloads/" + file);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
}

struct Mistake {
    const char* name;
    std::vector<std::pair<const char*, const char*>> replaced;
    const char* message;
};

class BadExperts : public testing::TestWithParam<Mistake> {};

TEST_P(BadExperts, AreRefusedAtTheirPlace) {
    const test::TemporaryFolder folder;
    std::string text = shipped("templates/mixtral.yaml");
    std::string model = shipped("models/mixtral_8x7b.yaml");
    for (const auto& [before, after] : GetParam().replaced) {
        std::string& file = text.find(before) != std::string::npos ? text : model;
        const std::size_t at = file.find(before);
        ASSERT_NE(at, std::string::npos) << before;
        file.replace(at, std::string(before).size(), after);
    }
    folder.write("workloads/templates/mixtral.yaml", text);
    folder.write("workloads/models/mixtral_8x7b.yaml", model);
    TemplateFrontend frontend{config::Library({folder.path()})};
    config::Diagnostics diagnostics;
    frontend.check_model("mixtral_8x7b", {}, diagnostics);
    EXPECT_NE(diagnostics.text().find(GetParam().message), std::string::npos) << diagnostics.text();
    EXPECT_NE(diagnostics.text().find("mixtral.yaml:"), std::string::npos) << diagnostics.text();
}

INSTANTIATE_TEST_SUITE_P(
    Templates, BadExperts,
    testing::Values(
        Mistake{"BothFoldings",
                {{"split: {0: ep, 2: etp}", "split: {0: ep, 2: tp}"}},
                "a parameter is split over tp, or over ep and etp: one folding of the devices or the other"},
        Mistake{"NoFolding",
                {{"split: {0: ep, 1: etp}", "split: {}"}},
                "parameter 'w_down' works on rows of experts, but its split names none of their axes"},
        Mistake{"OverReplicas",
                {{"split: {0: ep, 2: etp}", "split: {0: dp, 2: etp}"}},
                "a parameter is split over tp, or over ep and etp"},
        Mistake{"DenseOverReplicas",
                {{"w_norm1: {shape: [h]}", "w_norm1: {shape: [h], split: {0: dp}}"}},
                "a parameter is not split over dp"},
        Mistake{"ExpertData", {{"2: etp}", "2: edp}"}}, "'edp' is not a mesh axis that splits tensors"},
        Mistake{
            "WithoutDispatch",
            {{"w_router: {shape: [h, experts]}", "w_router: {shape: [h, experts], split: {1: ep}}"}},
            "einsum mixes tensors distributed over tp, cp, dp with tensors distributed over etp, ep, edp"},
        Mistake{"WithoutCombine",
                {{"z2 = combine(mixed, weights)", "z2 = swiglu(mixed, width=2048)"}},
                "add: dimension 0 ('a') of 'z2' is experts = 8"},
        Mistake{"MoreChoicesThanExperts",
                {{"experts: 8, top_k: 2", "experts: 8, top_k: 9"}},
                "top_k: the largest 9 of only 8"},
        Mistake{"OtherRouting",
                {{"z2 = combine(mixed, weights)", "z2 = combine(mixed, affinities)"}},
                "combine: the number of choices is experts = 8, but top_k = 2 is needed"},
        Mistake{"NoExperts",
                {{"dispatch(a2, weights, experts=experts)", "dispatch(a2, weights)"}},
                "dispatch: needs the option 'experts'"}),
    [](const auto& mistake) { return std::string(mistake.param.name); });

}  // namespace
}  // namespace dse::frontend

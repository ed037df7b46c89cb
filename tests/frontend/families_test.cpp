// Families beyond decoders have their published sizes exactly: parameters, and multiply-adds of a forward
// pass. Sources: torchvision's model table (columns Params and GFLOPS, which counts multiply-adds of products
// and convolutions over full windows).
#include <gtest/gtest.h>

#include "dse/config/library.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "dse/graph/totals.hpp"
#include "support/source_dir.hpp"

namespace dse::frontend {
namespace {

struct Family {
    const char* model;
    double parameters;
    double published;  ///< giga multiply-adds of a forward pass, to three digits
    double macs;       ///< by hand
    double stem;       ///< those of the first operation, whose input needs no gradient
};

class Families : public testing::TestWithParam<Family> {
  protected:
    Families() { spec_.model = GetParam().model; }
    TemplateFrontend frontend_{config::Library({DSE_SOURCE_DIR})};
    graph::WorkloadSpec spec_;
};

TEST_P(Families, HaveThePublishedParameters) {
    EXPECT_EQ(frontend_.parameter_count(spec_), GetParam().parameters);
    EXPECT_EQ(frontend_.active_parameter_count(spec_), GetParam().parameters);
}

TEST_P(Families, HaveThePublishedFlops) {
    const Family& family = GetParam();
    EXPECT_NEAR(family.macs / 1e9, family.published, 0.001) << "the hand count itself";
    constexpr double samples = 8;
    spec_.global_batch = 8;
    spec_.layout.microbatch = 2;
    const auto layout = graph::resolve(spec_.layout, 1, spec_.global_batch);
    // Forward once, backward twice, but for the gradient of the images.
    EXPECT_EQ(graph::totals(frontend_.build(spec_, layout)).model_flop.value(),
              2 * (3 * family.macs - family.stem) * samples);
}

/// Of an encoder layer of t tokens: 4 t h^2 + 2 t^2 h + 2 t h f; patches (t - 1) · 3 p^2 · h; head h · 1000.
double vit_macs(double layers, double t, double h, double f, double patch) {
    return layers * (4 * t * h * h + 2 * t * t * h + 2 * t * h * f) + (t - 1) * 3 * patch * patch * h +
           h * 1000;
}

/// The stem's 7 x 7 convolution, at 224 x 224 pixels.
constexpr double resnet_stem = 112.0 * 112 * 49 * 3 * 64;

/// Two 3 x 3 convolutions a block; the first of a stage but the first stage reads half the width, and has a
/// 1 x 1 convolution beside it.
double resnet18_macs() {
    double macs = resnet_stem + 512 * 1000;
    for (const auto& [side, width] : {std::pair{56.0, 64.0}, {28, 128}, {14, 256}, {7, 512}}) {
        const double square = side * side * width * width;
        macs += 4 * 9 * square;
        if (width > 64) macs += square / 2 - 9 * square / 2;
    }
    return macs;
}

/// 1 x 1 to width, 3 x 3, 1 x 1 to 4 width. The first of a stage reads what the stage before made, at its
/// side, and has a 1 x 1 convolution beside it.
double resnet50_macs() {
    double macs = resnet_stem + 2048 * 1000;
    double from = 64;
    double from_side = 56;
    for (const auto& [side, width, blocks] :
         {std::tuple{56.0, 64.0, 3}, {28, 128, 4}, {14, 256, 6}, {7, 512, 3}}) {
        const double square = side * side * width * width;
        macs += blocks * (9 + 4) * square + (blocks - 1) * 4 * square;
        macs += from_side * from_side * from * width + side * side * from * 4 * width;
        from = 4 * width;
        from_side = side;
    }
    return macs;
}

const Family families[] = {
    {"vit_l_16", 304'326'632, 61.555, vit_macs(24, 197, 1024, 4096, 16), 196.0 * 768 * 1024},
    {"vit_h_14", 632'045'800, 167.295, vit_macs(32, 257, 1280, 5120, 14), 256.0 * 588 * 1280},
    {"resnet18", 11'689'512, 1.814, resnet18_macs(), resnet_stem},
    {"resnet50", 25'557'032, 4.089, resnet50_macs(), resnet_stem},
};

/// Bottom MLP 13-512-256-128, 351 pairs of 27 features of 128, top MLP 479-1024-1024-512-256-1.
constexpr double dlrm_bottom = 13.0 * 512 + 512 * 256 + 256 * 128;
constexpr double dlrm_top = 1024.0 * 1024 + 1024 * 512 + 512 * 256 + 256;

TEST(Recommenders, HaveThePublishedSizes) {
    TemplateFrontend frontend{config::Library({DSE_SOURCE_DIR})};
    graph::WorkloadSpec spec;
    spec.global_batch = 64;
    const auto layout = graph::resolve(spec.layout, 1, spec.global_batch);
    const double first = 13.0 * 512;
    const double biases = 512 + 256 + 128 + 1024 + 1024 + 512 + 256 + 1;
    // Tables of 187,767,399 rows (their sizes stand in the model file) of 128 numbers: 24.03 G.
    spec.model = "dlrm_mlperf";
    EXPECT_EQ(frontend.parameter_count(spec),
              187'767'399.0 * 128 + dlrm_bottom + 479 * 1024 + dlrm_top + biases);
    double macs = dlrm_bottom + 351 * 128 + 479 * 1024 + dlrm_top;
    EXPECT_DOUBLE_EQ(graph::totals(frontend.build(spec, layout)).model_flop.value(),
                     2 * (3 * macs - first) * 64);
    // 204,184,588 rows: 26.14 G. Three layers of two products 3456 x 512, and a bias.
    spec.model = "dlrm_dcnv2";
    const double crosses = 3 * 2 * 3456.0 * 512;
    EXPECT_EQ(frontend.parameter_count(spec),
              204'184'588.0 * 128 + dlrm_bottom + crosses + 3 * 3456 + 3456 * 1024 + dlrm_top + biases);
    macs = dlrm_bottom + crosses + 3456 * 1024 + dlrm_top;
    EXPECT_EQ(graph::totals(frontend.build(spec, layout)).model_flop.value(), 2 * (3 * macs - first) * 64);
}

struct Mamba {
    const char* model;
    double layers;
    double h;
    double published;  ///< parameters to two digits
};

class StateSpaceModels : public testing::TestWithParam<Mamba> {};

/// Published: Dao and Gu 2024, table 9 (130M, 370M, 780M, 1.3B, 2.7B); sizes of state-spaces/mamba2-*: 2h
/// channels in heads of 64, a state of 128, one group, a window of 4, 50,288 words. FLOPs a token:
/// docs/theory/work.md 1.2.
TEST_P(StateSpaceModels, HaveThePublishedSizes) {
    const auto& [model, layers, h, published] = GetParam();
    const double channels = 2 * h;
    const double heads = channels / 64;
    const double input = h * (2 * channels + 2 * 128 + heads);
    const double convolved = channels + 2 * 128;
    const double layer = input + 5 * convolved + 3 * heads + channels + channels * h + h;
    const double parameters = layers * layer + 50288 * h + h;
    EXPECT_NEAR(parameters, published, 0.05 * published);
    TemplateFrontend frontend{config::Library({DSE_SOURCE_DIR})};
    graph::WorkloadSpec spec;
    spec.model = model;
    spec.sequence = 2048;
    EXPECT_EQ(frontend.parameter_count(spec), parameters);
    const double token = layers * (2 * input + 7 * channels * 128 + 2 * channels * h) + 2 * h * 50288;
    const auto layout = graph::resolve(spec.layout, 1, spec.global_batch);
    EXPECT_EQ(graph::totals(frontend.build(spec, layout)).model_flop.value(), 3 * token * 2048);
}

/// What loading the published checkpoint state-spaces/mamba2-130m reports.
TEST(MambaCheckpoint, HasTheParametersOfACheckpoint) {
    TemplateFrontend frontend{config::Library({DSE_SOURCE_DIR})};
    graph::WorkloadSpec spec;
    spec.model = "mamba2_130m";
    spec.sequence = 2048;
    EXPECT_EQ(frontend.parameter_count(spec), 128'989'632);
}

INSTANTIATE_TEST_SUITE_P(Mamba2, StateSpaceModels,
                         testing::Values(Mamba{"mamba2_130m", 24, 768, 130e6},
                                         Mamba{"mamba2_370m", 48, 1024, 370e6},
                                         Mamba{"mamba2_780m", 48, 1536, 780e6},
                                         Mamba{"mamba2_1.3b", 48, 2048, 1.3e9},
                                         Mamba{"mamba2_2.7b", 64, 2560, 2.7e9}),
                         [](const auto& mamba) {
                             std::string name = mamba.param.model;
                             for (char& c : name) c = c == '.' ? '_' : c;
                             return name;
                         });

INSTANTIATE_TEST_SUITE_P(Vision, Families, testing::ValuesIn(families),
                         [](const auto& family) { return std::string{family.param.model}; });

}  // namespace
}  // namespace dse::frontend

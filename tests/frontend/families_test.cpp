// Families beyond decoders have their published sizes exactly: parameters, and multiply-adds of a forward
// pass. Sources: torchvision's model table (columns Params and GFLOPS, which counts multiply-adds of products
// and convolutions over full windows).
#include <gtest/gtest.h>

#include "dse/config/library.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "dse/workload/totals.hpp"

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
    workload::WorkloadSpec spec_;
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
    const auto layout = workload::resolve(spec_.layout, 1, spec_.global_batch);
    // Forward once, backward twice, but for the gradient of the images.
    EXPECT_EQ(workload::totals(frontend_.build(spec_, layout)).model_flop.value(),
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

INSTANTIATE_TEST_SUITE_P(Vision, Families, testing::ValuesIn(families),
                         [](const auto& family) { return std::string{family.param.model}; });

}  // namespace
}  // namespace dse::frontend

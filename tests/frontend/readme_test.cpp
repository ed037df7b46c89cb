// The examples of workloads/README.md, followed to the letter.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "dse/frontend/template/template_frontend.hpp"
#include "dse/graph/totals.hpp"
#include "support/collective_totals.hpp"
#include "support/source_dir.hpp"
#include "support/temporary_folder.hpp"

namespace dse::frontend {
namespace {

/// Writes every fenced block that starts with "# path" to that path.
int write_examples(const std::string& readme, const test::TemporaryFolder& folder) {
    int written = 0;
    const std::string fence = "```yaml\n# ";
    for (std::size_t at = readme.find(fence); at != std::string::npos; at = readme.find(fence, at + 1)) {
        const std::size_t begin = at + fence.size();
        const std::size_t line = readme.find('\n', begin);
        const std::size_t end = readme.find("```", line);
        folder.write(readme.substr(begin, line - begin), readme.substr(line + 1, end - line - 1));
        ++written;
    }
    return written;
}

class Readme : public testing::Test {
  protected:
    Readme() {
        std::ifstream file(std::string(DSE_SOURCE_DIR) + "/workloads/README.md");
        std::stringstream text;
        text << file.rdbuf();
        EXPECT_EQ(write_examples(text.str(), folder_), 5);
    }

    test::TemporaryFolder folder_;
};

TEST_F(Readme, ExamplesAreRight) {
    TemplateFrontend frontend{config::Library({folder_.path(), DSE_SOURCE_DIR})};
    for (const char* model : {"mistral_7b", "gptj_6b", "vgg16"}) {
        config::Diagnostics diagnostics;
        frontend.check_model(model, {}, diagnostics);
        EXPECT_EQ(diagnostics.text(), "") << model;
    }
    graph::WorkloadSpec spec;
    spec.model = "mistral_7b";
    EXPECT_EQ(frontend.parameter_count(spec), 7'241'732'096);
}

/// torchvision's vgg16: 138,357,544 parameters, 15.47 G multiply-adds. Of the backward pass, the gradient of
/// the pixels is left out: 224^2 · 9 · 3 · 64.
TEST_F(Readme, BlocksOfManyShapesMakeVgg) {
    TemplateFrontend frontend{config::Library({folder_.path(), DSE_SOURCE_DIR})};
    graph::WorkloadSpec spec;
    spec.model = "vgg16";
    EXPECT_EQ(frontend.parameter_count(spec), 138'357'544);
    const double flop =
        graph::totals(frontend.build(spec, graph::resolve(spec.layout, 1, 1))).model_flop.value();
    const double stem = 224.0 * 224 * 9 * 3 * 64;
    EXPECT_NEAR((flop / 2 + stem) / 3 / 1e9, 15.47, 0.005);
}

/// "Communicates half as often": one gather and one scatter a layer and pass, not two.
TEST_F(Readme, TheNewArchitectureCommunicatesHalfAsOften) {
    TemplateFrontend frontend{config::Library({folder_.path(), DSE_SOURCE_DIR})};
    graph::WorkloadSpec spec;
    spec.model = "gptj_6b";
    spec.global_batch = 1;
    spec.sequence = 2048;
    spec.layout.tp = 4;
    const graph::Graph& graph = frontend.build(spec, graph::resolve(spec.layout, 4, 1));
    graph::validate(graph);
    const auto found = test::collectives_of_stage(graph, 0);
    const auto tp = graph::AxisSet{graph::MeshAxis::tensor}.bits();
    // Forward and backward one each a layer; embedding one, head one.
    EXPECT_EQ(found.at({graph::CollectiveKind::reduce_scatter, tp}).count, 28 * 2 + 2);
    // The same, and one a layer and in the head that gathers again what was saved.
    EXPECT_EQ(found.at({graph::CollectiveKind::all_gather, tp}).count, 28 * 3 + 3);
}

}  // namespace
}  // namespace dse::frontend

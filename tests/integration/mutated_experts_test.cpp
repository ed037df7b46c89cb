// Every split of an expert that a template declares matters: taken away, turned round or moved, it changes
// what the ranks hold, compute or send, or the template is refused.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/graph/totals.hpp"
#include "region_memory.hpp"
#include "small_models.hpp"
#include "support/source_dir.hpp"

namespace dse {
namespace {

std::string shipped() {
    std::ifstream file(std::string(DSE_SOURCE_DIR) + "/workloads/templates/mixtral.yaml");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// What the ranks of two stages of 8 devices hold, compute and send: tp 2 · dp 4, etp 2 · ep 2 · edp 2.
std::string sums_of(const std::string& text) {
    const test::TemporaryFolder folder;
    folder.write("workloads/templates/mutated.yaml", text);
    folder.write("workloads/models/mutated.yaml",
                 "name: mutated\ntemplate: mutated\n"
                 "symbols: {layers: 4, h: 64, n: 8, k: 4, d: 8, f: 48, experts: 16, top_k: 4, vocab: 128}\n"
                 "blocks: [embedding, moe_layer: layers, head]\n");
    frontend::TemplateFrontend frontend{config::Library({folder.path()})};
    graph::WorkloadSpec spec;
    spec.model = "mutated";
    spec.global_batch = 16;
    spec.sequence = 64;
    spec.layout.tp = 2;
    spec.layout.pp = 2;
    spec.layout.ep = 2;
    try {
        const graph::Graph& graph = frontend.build(spec, graph::resolve(spec.layout, 16, 16));
        const graph::Totals totals = graph::totals(graph);
        std::string result =
            fmt::format("{} FLOP, {} B sent\n", totals.model_flop.value(), totals.sent.value());
        for (const graph::BufferId id : graph.programs.front().resident)
            result += fmt::format("{} B resident\n", graph.buffers[id.index()].size.value());
        const auto& program = graph.programs.front();
        const test::RegionMemory forward(graph, program, program.chunks.front().forward);
        return result + fmt::format("{} B saved, {} B at most\n", forward.net(), forward.peak());
    } catch (const InputError& error) {
        return std::string("refused: ") + error.what();
    } catch (const ModelError& error) {
        return std::string("refused: ") + error.what();
    }
}

TEST(MutatedExperts, ChangeTheSumsOrAreRefused) {
    const std::string text = shipped();
    const std::string original = sums_of(text);
    ASSERT_NE(original.find("B sent"), std::string::npos) << original;
    int refused = 0;
    int tried = 0;
    for (const std::string& split : {std::string("split: {0: ep, 2: etp}"), {"split: {0: ep, 1: etp}"}}) {
        for (const char* other :
             {"split: {}", "split: {0: ep}", "split: {1: etp}", "split: {2: etp}", "split: {0: etp, 2: ep}",
              "split: {0: etp, 1: ep}", "split: {0: [ep, etp]}", "split: {0: ep, 1: etp}",
              "split: {0: ep, 2: etp}", "split: {0: ep, 2: tp}", "split: {0: dp}", "split: {0: ep, 2: dp}"}) {
            if (split == other) continue;
            std::string mutated = text;
            mutated.replace(mutated.find(split), split.size(), other);
            const std::string changed = sums_of(mutated);
            EXPECT_NE(changed, original) << split << " became " << other;
            refused += changed.rfind("refused", 0) == 0 ? 1 : 0;
            ++tried;
        }
    }
    EXPECT_EQ(tried, 22);
    EXPECT_LT(refused, tried) << "some are another layout, not none";
}

}  // namespace
}  // namespace dse

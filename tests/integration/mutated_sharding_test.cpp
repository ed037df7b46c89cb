// Every sharding that a template declares matters: taken away, moved to another dimension or given to another
// axis, it changes what the ranks hold, compute or send, or the template is refused.
#include <fstream>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/graph/totals.hpp"
#include "region_memory.hpp"
#include "small_models.hpp"
#include "support/collective_totals.hpp"
#include "support/source_dir.hpp"

namespace dse {
namespace {

std::string shipped_template(const std::string& name) {
    std::ifstream file(std::string(DSE_SOURCE_DIR) + "/workloads/templates/" + name + ".yaml");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// What all ranks hold, compute and send, in words.
std::string sums(const graph::Graph& graph) {
    const graph::Totals totals = graph::totals(graph);
    std::string text =
        fmt::format("{} FLOP, {} executed, {} B of traffic, {} B sent\n", totals.model_flop.value(),
                    totals.executed_flop.value(), totals.memory_traffic.value(), totals.sent.value());
    for (std::size_t stage = 0; stage < graph.program_of.size(); ++stage) {
        const auto& program = graph.programs[graph.program_of[stage]];
        for (const graph::BufferId id : program.resident)
            text += fmt::format("{} B resident\n", graph.buffers[id.index()].size.value());
        const test::RegionMemory forward(graph, program, program.chunks.front().forward);
        text += fmt::format("{} B saved, {} B at most\n", forward.net(), forward.peak());
        text += test::text(test::collectives_of_stage(graph, stage));
    }
    return text;
}

/// The sums of a template's text under a small model, over layouts that use every axis; or why it is refused.
std::string sums_of(const std::string& template_text, const test::ModelSizes& model) {
    const test::TemporaryFolder folder;
    folder.write("workloads/templates/mutated.yaml", template_text);
    folder.write(
        "workloads/models/mutated.yaml",
        fmt::format("name: mutated\ntemplate: mutated\n"
                    "symbols: {{layers: {}, h: {}, n: {}, {}d: {}, f: {}, vocab: {}}}\n"
                    "blocks: [embedding, decoder_layer: layers, head]\n",
                    model.layers, model.h, model.n, model.gated ? fmt::format("k: {}, ", model.k) : "",
                    model.d, model.f, model.vocab));
    frontend::TemplateFrontend frontend{config::Library({folder.path()})};
    std::string text;
    for (const auto& [sequence_parallel, cp] : {std::pair{true, 1}, {false, 1}, {true, 2}}) {
        graph::WorkloadSpec spec;
        spec.model = "mutated";
        spec.global_batch = 8;
        spec.sequence = 32;
        spec.layout.tp = 2;
        spec.layout.cp = cp;
        spec.layout.pp = 2;
        spec.layout.sequence_parallel = sequence_parallel;
        try {
            const std::int64_t devices = 8 * cp;
            text += sums(frontend.build(spec, graph::resolve(spec.layout, devices, spec.global_batch)));
        } catch (const InputError& error) {
            return std::string("refused: ") + error.what();
        } catch (const ModelError& error) {
            return std::string("refused: ") + error.what();
        }
    }
    return text;
}

/// Replaces occurrence number `which` of `pattern` by each replacement.
std::vector<std::string> mutations(const std::string& text, const std::regex& pattern,
                                   const std::vector<std::string>& replacements) {
    std::vector<std::string> result;
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
        for (const std::string& replacement : replacements) {
            const std::string changed = match->format(replacement);
            if (changed == match->str()) continue;
            result.push_back(text.substr(0, static_cast<std::size_t>(match->position())) + changed +
                             text.substr(static_cast<std::size_t>(match->position() + match->length())));
        }
    }
    return result;
}

class MutatedSharding : public testing::TestWithParam<test::ModelSizes> {};

TEST_P(MutatedSharding, ChangesTheSumsOrIsRefused) {
    const test::ModelSizes& model = GetParam();
    const std::string text = shipped_template(model.gated ? "llama" : "gpt");
    const std::string original = sums_of(text, model);
    ASSERT_NE(original.find("sent"), std::string::npos) << original;

    // A parameter's split: taken away, moved to the other dimension, given to dp.
    const std::regex parameter(R"(\{shape: (\[[^\]]*\]), split: \{([01]): tp\}(, tied: true)?\})");
    auto mutated =
        mutations(text, parameter,
                  {"{shape: $1$3}", "{shape: $1, split: {0: tp}$3}", "{shape: $1, split: {1: tp}$3}",
                   "{shape: $1, split: {$2: dp}$3}", "{shape: $1, split: {$2: [tp, dp]}$3}"});
    // Six declarations in either template, and four of the five mutations change each.
    EXPECT_EQ(mutated.size(), 6U * 4U);
    // The boundary's, and the tokens'.
    const auto boundary = mutations(
        text, std::regex(R"(split: \{0: dp, 1: \[cp, tp if sequence_parallel\]\})"),
        {"split: {0: dp}", "split: {0: dp, 1: cp}", "split: {0: dp, 1: tp if sequence_parallel}",
         "split: {0: dp, 1: [cp, tp]}", "split: {0: dp, 2: [cp, tp if sequence_parallel]}",
         "split: {1: [cp, tp if sequence_parallel]}", "split: {0: [cp, tp if sequence_parallel], 1: dp}"});
    const auto tokens = mutations(
        text, std::regex(R"(split: \{0: dp, 1: cp\}, storage)"),
        {"split: {0: dp}, storage", "split: {1: [dp, cp]}, storage", "split: {0: tp, 1: cp}, storage"});
    EXPECT_EQ(boundary.size(), 7U);
    EXPECT_EQ(tokens.size(), 3U);
    mutated.insert(mutated.end(), boundary.begin(), boundary.end());
    mutated.insert(mutated.end(), tokens.begin(), tokens.end());
    int refused = 0;
    for (const std::string& change : mutated) {
        const std::string changed = sums_of(change, model);
        EXPECT_NE(changed, original) << change;
        if (changed.rfind("refused", 0) == 0) ++refused;
    }
    EXPECT_LT(refused, static_cast<int>(mutated.size()) / 2);
}

INSTANTIATE_TEST_SUITE_P(Templates, MutatedSharding, testing::Values(test::small_llama, test::small_gpt),
                         [](const auto& model) { return model.param.name; });

}  // namespace
}  // namespace dse

#include "dse/eval/validation/truth_source.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/yaml.hpp"

namespace dse::eval {
namespace {

std::vector<TruthSource> read(const std::string& yaml) {
    config::Diagnostics diagnostics;
    auto sources = read_truth_sources(test::parse_right(yaml), diagnostics);
    EXPECT_EQ(diagnostics.text(), "");
    return sources;
}

std::string errors(const std::string& yaml) {
    config::Diagnostics diagnostics;
    static_cast<void>(read_truth_sources(test::parse_right(yaml), diagnostics));
    return diagnostics.text();
}

/// Of sources that name only what is there, and of one that does not.
TEST(RequireFiles, SaysWhatIsNotThere) {
    const config::Library library = config::Library::standard("");
    const auto errors = [&](const std::string& yaml) {
        config::Diagnostics diagnostics;
        require_files(test::parse_right(yaml), library, diagnostics);
        return diagnostics.text();
    };
    EXPECT_EQ(errors("sources:\n  - {match: A, stack: nemo_2026, clusters: {H100: h100_ndr400}}\n"), "");
    const std::string wrong = errors(
        "sources:\n"
        "  - match: A\n"
        "    stack: nemo_2062\n"
        "    stacks: {x: nemo_2026, y: nemo_2027}\n"
        "    clusters: {H100: h100_ndr40}\n"
        "    models: {a: llama3_70}\n"
        "    template: lama\n"
        "    plain_template: gtp\n");
    for (const char* words :
         {":3:12: error: sources.0.stack: no file 'nemo_2062' in workloads/stacks (did you",
          ":4:31: error: sources.0.stacks.y: no file 'nemo_2027'",
          ":5:22: error: sources.0.clusters.H100: no file 'h100_ndr40' in hardware/clusters (did you "
          "mean 'h100_ndr400'?)",
          ":6:17: error: sources.0.models.a: no file 'llama3_70' in workloads/models",
          ":7:15: error: sources.0.template: no file 'lama' in workloads/templates",
          ":8:21: error: sources.0.plain_template: no file 'gtp' in workloads/templates"})
        EXPECT_NE(wrong.find(words), std::string::npos) << words << ": " << wrong;
}

TEST(ReadTruthSources, RefusesDegreesAndSchedulesThatAreNone) {
    EXPECT_NE(errors("sources:\n  - {match: A, stack: s, corrections: {x: {pp: -1}}}\n")
                  .find("pp: '-1' is out of range"),
              std::string::npos);
    EXPECT_NE(errors("sources:\n  - {match: A, stack: s, schedule: gpip}\n").find("did you mean 'gpipe'?"),
              std::string::npos);
}

TEST(ReadTruthSources, RefusesReasonsThatSayNothing) {
    for (const char* key : {"excluded", "set_aside"})
        EXPECT_NE(errors(fmt::format("sources:\n  - {{match: A, stack: s, {}: {{x: \"\"}}}}\n", key))
                      .find("must not be empty"),
                  std::string::npos);
}

TEST(ReadTruthSources, EveryFact) {
    const auto sources = read(
        "sources:\n"
        "  - match: paper A\n"
        "    note: for people\n"
        "    stack: old\n"
        "    stacks: {z: first, a: second}\n"
        "    clusters: {A100: dgx, H100: hgx}\n"
        "    models: {big-moe: big}\n"
        "    etp: 1\n"
        "    recompute: full\n"
        "    recompute_tensors: {minimal: a b, custom: c}\n"
        "    recipes: {v3: q kv}\n"
        "    excluded: {int8: eight-bit products}\n"
        "    schedule: gpipe\n"
        "    virtual_stages: 4\n"
        "    end_layers: 1\n"
        "    one_microbatch: true\n"
        "    microbatch_a_stage: true\n"
        "    pipeline_stack: staged\n"
        "    sequence_parallel: true\n"
        "    counts_recomputation: true\n"
        "  - {match: B, stack: new}\n");
    ASSERT_EQ(sources.size(), 2U);
    const TruthSource& a = sources[0];
    EXPECT_EQ(a.stack, "old");
    EXPECT_EQ(a.clusters.at("H100"), "hgx");
    EXPECT_EQ(a.models.at("big-moe"), "big");
    EXPECT_EQ(a.etp, 1);
    EXPECT_EQ(a.recompute, "full");
    EXPECT_EQ(a.recompute_tensors.at("minimal"), "a b");
    EXPECT_EQ(a.recipes.at("v3"), "q kv");
    ASSERT_EQ(a.excluded.size(), 1U);
    EXPECT_EQ(a.schedule, "gpipe");
    EXPECT_EQ(a.virtual_stages, 4);
    EXPECT_EQ(a.end_layers, 1);
    EXPECT_TRUE(a.one_microbatch && a.sequence_parallel && a.counts_recomputation);
    EXPECT_TRUE(a.microbatch_a_stage);
    EXPECT_EQ(a.pipeline_stack, "staged");
    ASSERT_EQ(a.stacks.size(), 2U);
    EXPECT_EQ(a.stacks[0].match, "z") << "the order of the file";
    EXPECT_FALSE(sources[1].one_microbatch || sources[1].sequence_parallel ||
                 sources[1].counts_recomputation);
    EXPECT_EQ(sources[1].virtual_stages, 1);
    EXPECT_EQ(sources[1].etp, 0);
    EXPECT_TRUE(sources[1].models.empty());
}

TEST(ReadTruthSources, EveryError) {
    EXPECT_EQ(errors("{}"), "t.yaml:1:1: error: sources: missing");
    EXPECT_EQ(errors("sources: {}"), "t.yaml:1:10: error: sources: expected a list of sources, found a map");
    const std::string text = errors(
        "sources:\n"
        "  - {match: A, stack: s, clusters: [x]}\n"
        "  - {mach: A, stack: s, stacks: {a: [b]}}\n");
    EXPECT_NE(text.find("t.yaml:2:36: error: sources.0.clusters"), std::string::npos) << text;
    EXPECT_NE(text.find("t.yaml:3:6: error: sources.1.mach: unknown key 'mach' (did you mean 'match'?)"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("sources.1.match: missing"), std::string::npos) << text;
    EXPECT_NE(text.find("sources.1.stacks.a"), std::string::npos) << text;
}

TEST(FindSource, FirstThatMatches) {
    const auto sources = read("sources: [{match: Table 1, stack: a}, {match: Table, stack: b}]");
    TruthRow row;
    row.source = "Paper, Table 1";
    EXPECT_EQ(find_source(sources, row), &sources[0]);
    row.source = "Paper, Table 2";
    EXPECT_EQ(find_source(sources, row), &sources[1]);
    row.source = "Paper";
    EXPECT_EQ(find_source(sources, row), nullptr);
}

TEST(StackOf, LastRuleThatMatchesAnyText) {
    const auto sources = read("sources: [{match: x, stack: base, stacks: {eager: e, fp8: f, AsyncTP: t}}]");
    TruthRow row;
    EXPECT_EQ(stack_of(sources[0], row), "base");
    row.notes = "FSDP eager";
    EXPECT_EQ(stack_of(sources[0], row), "e");
    row.precision = "fp8";
    EXPECT_EQ(stack_of(sources[0], row), "f");
    row.model = "m AsyncTP";
    EXPECT_EQ(stack_of(sources[0], row), "t");
}

TEST(StackOf, ARuleMayNeedSeveralTexts) {
    const auto sources = read("sources: [{match: x, stack: base, stacks: {26.06 + GB + moe: late}}]");
    TruthRow row;
    row.source = "x (26.06 container)";
    row.chip = "B300";
    row.model = "moe";
    EXPECT_EQ(stack_of(sources[0], row), "base");
    row.chip = "GB300";
    EXPECT_EQ(stack_of(sources[0], row), "late") << "release, chip and model";
    row.model = "dense";
    EXPECT_EQ(stack_of(sources[0], row), "base");
}

TEST(AdapterOf, LastRuleThatMatches) {
    const auto sources = read(
        "sources:\n"
        "  - match: A\n"
        "    stack: s\n"
        "    adapters:\n"
        "      LoRA: {rank: 16, targets: w_qkv}\n"
        "      LoRA + H100: {rank: 8, dropout: true}\n");
    TruthRow row;
    row.source = "A, SFT";
    EXPECT_FALSE(adapter_of(sources[0], row).on());
    row.source = "A, LoRA";
    EXPECT_EQ(adapter_of(sources[0], row).rank, 16);
    EXPECT_EQ(adapter_of(sources[0], row).targets, "w_qkv");
    row.chip = "H100-SXM-80";
    EXPECT_EQ(adapter_of(sources[0], row).rank, 8);
    EXPECT_TRUE(adapter_of(sources[0], row).dropout);
    EXPECT_NE(errors("sources:\n  - {match: A, stack: s, adapters: {x: {rang: 16}}}\n")
                  .find("did you mean 'rank'?"),
              std::string::npos);
}

TEST(ExclusionOf, FirstTextThatTheRowContains) {
    const auto sources = read("sources: [{match: x, stack: s, excluded: {int8: eight bits, tiny: toy}}]");
    TruthRow row;
    row.model = "gpt";
    EXPECT_EQ(exclusion_of(sources[0], row), nullptr);
    row.notes = "tiny";
    ASSERT_NE(exclusion_of(sources[0], row), nullptr);
    EXPECT_EQ(*exclusion_of(sources[0], row), "toy");
    row.precision = "int8 (AQT)";
    EXPECT_EQ(*exclusion_of(sources[0], row), "eight bits");
}

TEST(SetAsideOf, FirstTextThatTheRowContains) {
    const auto sources =
        read("sources: [{match: x, stack: s, set_aside: {slower than: half as fast as others}}]");
    TruthRow row;
    row.notes = "16 devices";
    EXPECT_EQ(set_aside_of(sources[0], row), nullptr);
    row.notes = "slower than on 32 devices";
    ASSERT_NE(set_aside_of(sources[0], row), nullptr);
    EXPECT_EQ(*set_aside_of(sources[0], row), "half as fast as others");
    EXPECT_EQ(exclusion_of(sources[0], row), nullptr);
}

TEST(Corrected, TheRowsThatMatchAreChanged) {
    const auto sources = read(
        "sources:\n"
        "  - match: paper\n"
        "    stack: new\n"
        "    corrections:\n"
        "      70b + GB300: {tp: 2, pp: 4, virtual_stages: 5, ep: 64}\n"
        "      fp4: {microbatch: 1, recompute: none, end_layers: 1, stage_layers: 3 2, "
        "rank_order: tp-cp-ep-pp-dp, capacity_factor: 1.25, imbalance: in_turn, loss_tiles: 8, "
        "bf16_last_layers: 5}\n");
    TruthRow row;
    row.source = "paper";
    row.model = "llama-70b";
    row.chip = "GB300";
    row.precision = "fp4";
    row.pp = 1;
    row.ep = 8;
    row.microbatch = 2;
    row.recompute = "full";
    const TruthRow right = corrected(row, sources.front());
    EXPECT_EQ(right.tp, 2);
    EXPECT_EQ(right.pp, 4);
    EXPECT_EQ(right.virtual_stages, 5);
    EXPECT_EQ(right.ep, 64);
    EXPECT_EQ(right.microbatch, 1);
    EXPECT_EQ(right.recompute, "none");
    EXPECT_EQ(right.end_layers, 1);
    EXPECT_EQ(right.stage_layers, "3 2");
    EXPECT_EQ(graph::choice_names(right.rank_order)[static_cast<std::size_t>(right.rank_order)],
              "tp-cp-ep-pp-dp");
    EXPECT_EQ(right.capacity_factor, 1.25);
    EXPECT_EQ(right.imbalance, graph::Imbalance::in_turn);
    EXPECT_EQ(right.loss_tiles, 8);
    EXPECT_EQ(right.bf16_last_layers, 5);
    row.chip = "GB200";
    row.precision = "fp8";
    const TruthRow same = corrected(row, sources.front());
    EXPECT_FALSE(same.tp);
    EXPECT_EQ(same.pp, 1);
    EXPECT_FALSE(same.virtual_stages);
    EXPECT_EQ(same.ep, 8);
    EXPECT_EQ(same.microbatch, 2);
    EXPECT_EQ(same.recompute, "full");
    EXPECT_FALSE(same.end_layers);
    EXPECT_EQ(same.stage_layers, "");
    EXPECT_EQ(same.capacity_factor, 0);
    EXPECT_EQ(same.imbalance, graph::Imbalance::balanced);
    EXPECT_EQ(same.loss_tiles, 0);
    EXPECT_EQ(same.bf16_last_layers, 0);
}

/// 0 where the table states the vocabulary.
TEST(ReadTruthSources, AVocabularyMayBeTheSources) {
    EXPECT_EQ(read("sources:\n  - {match: A, stack: s, vocabulary: 50257}\n").front().vocabulary, 50257);
    EXPECT_EQ(read("sources:\n  - {match: A, stack: s}\n").front().vocabulary, 0);
}

TEST(ReadTruthSources, CorrectionsAreOfDegrees) {
    EXPECT_NE(errors("sources:\n  - {match: A, stack: s, corrections: {x: 4}}\n").find("a map of degrees"),
              std::string::npos);
    EXPECT_NE(errors("sources:\n  - {match: A, stack: s, corrections: {x: {time: 4}}}\n").find("time"),
              std::string::npos);
}

}  // namespace
}  // namespace dse::eval

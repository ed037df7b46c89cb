// Also tests: template/model_blocks.cpp, template/bound_structure.cpp, template/number_binding.cpp
// Also tests: template/planned_blocks.cpp

#include "dse/frontend/template/template_frontend.hpp"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/graph/totals.hpp"
#include "support/source_dir.hpp"
#include "support/temporary_folder.hpp"

namespace dse::frontend {
namespace {

graph::WorkloadSpec spec_of(const std::string& model) {
    graph::WorkloadSpec spec;
    spec.model = model;
    spec.global_batch = 16;
    spec.sequence = 256;
    return spec;
}

const graph::Graph& build(TemplateFrontend& frontend, const graph::WorkloadSpec& spec, std::int64_t devices) {
    return frontend.build(spec, graph::resolve(spec.layout, devices, spec.global_batch));
}

/// Why there is no such layout; empty where there is.
std::string refusal(TemplateFrontend& frontend, const graph::WorkloadSpec& spec, std::int64_t devices) {
    try {
        build(frontend, spec, devices);
    } catch (const ModelError& error) {
        return error.what();
    }
    return "";
}

std::vector<double> numbers_of(const graph::Work& work) {
    if (const auto* kernel = std::get_if<graph::Compute>(&work))
        return {kernel->executed_flop.value(), kernel->read.value(), kernel->written.value()};
    if (const auto* collective = std::get_if<graph::Collective>(&work))
        return {collective->size.value(), collective->exposed};
    if (const auto* transfer = std::get_if<graph::Transfer>(&work))
        return {transfer->size.value(), transfer->exposed};
    return {};
}

/// What two graphs have of numbers and tasks.
void expect_same_numbers(const graph::Graph& a, const graph::Graph& b) {
    ASSERT_EQ(a.works.size(), b.works.size());
    for (std::size_t i = 0; i < a.works.size(); ++i)
        EXPECT_EQ(numbers_of(a.works[i]), numbers_of(b.works[i]));
    ASSERT_EQ(a.buffers.size(), b.buffers.size());
    for (std::size_t i = 0; i < a.buffers.size(); ++i) EXPECT_EQ(a.buffers[i].size, b.buffers[i].size);
    EXPECT_EQ(a.schedule.identity, b.schedule.identity);
    EXPECT_EQ(a.schedule.steady.begin, b.schedule.steady.begin);
    for (std::uint32_t stage = 0; stage < a.schedule.stages; ++stage)
        EXPECT_EQ(a.schedule.tasks[stage], b.schedule.tasks[stage]);
}

/// Schedules wander from structure to structure, and numbers that stay are not evaluated again: what comes
/// out is what a frontend says that has seen nothing else.
TEST(TemplateFrontend, BuildsTheSameAfterWhateverElse) {
    const config::Library library({DSE_SOURCE_DIR});
    TemplateFrontend one{library};
    graph::WorkloadSpec spec = spec_of("megatron_1.7b");
    for (const int i : {0, 1, 2, 3, 0, 5, 7, 6, 4, 12, 8, 15, 3, 3, 9}) {
        SCOPED_TRACE(i);
        spec.stack.exposed_tp = (i & 1) != 0 ? 0.25 : 1.0;
        spec.stack.recompute = (i & 2) != 0 ? graph::Recompute::full : graph::Recompute::none;
        spec.layout = {};
        spec.layout.tp = 2;
        spec.layout.pp = (i & 4) != 0 ? 4 : 2;
        spec.layout.microbatch = (i & 8) != 0 ? 2 : 1;
        const graph::Graph& built = build(one, spec, 8);
        TemplateFrontend other{library};
        expect_same_numbers(built, build(other, spec, 8));
    }
}

/// Of two devices with eight sequences each, one of 8 or of 4 microbatches has no partner; on two stages, two
/// of 8.
TEST(TemplateFrontend, TheFirstAndLastMicrobatchesExposeTheDispatch) {
    TemplateFrontend frontend{config::Library({DSE_SOURCE_DIR})};
    graph::WorkloadSpec spec = spec_of("qwen3_30b_a3b");
    spec.stack.exposed_ep = 0.0;
    const auto exposed = [&](std::int64_t pp, std::int64_t microbatch, bool pairs) {
        spec.layout.pp = pp;
        spec.layout.ep = 2;
        spec.layout.microbatch = microbatch;
        spec.stack.pairs_microbatches = pairs;
        double largest = 0.0;
        for (const graph::Work& work : build(frontend, spec, 2 * pp).works) {
            const auto* collective = std::get_if<graph::Collective>(&work);
            if (collective != nullptr && collective->kind == graph::CollectiveKind::all_to_all)
                largest = std::max(largest, collective->exposed);
        }
        return largest;
    };
    EXPECT_EQ(exposed(1, 1, false), 0.0);
    EXPECT_EQ(exposed(1, 1, true), 1.0 / 8);
    EXPECT_EQ(exposed(1, 2, true), 1.0 / 4);
    EXPECT_EQ(exposed(2, 1, true), 2.0 / 8);
    spec.mode = graph::Mode::prefill;
    EXPECT_EQ(exposed(1, 1, true), 0.0);
}

/// Layouts that divide the layers otherwise share blocks, unless layers of a stage have policies of their
/// own.
TEST(TemplateFrontend, LayoutsThatShareBlocksAreThoseOfAFreshModel) {
    const config::Library library({DSE_SOURCE_DIR});
    const auto with = [](std::int64_t pp, std::int64_t chunks, const auto& change) {
        graph::WorkloadSpec spec = spec_of("llama3_8b");
        spec.layout.tp = 2;
        spec.layout.pp = pp;
        spec.layout.virtual_stages = chunks;
        if (chunks > 1) spec.layout.schedule = graph::ScheduleKind::interleaved;
        change(spec);
        return spec;
    };
    const std::vector<std::function<void(graph::WorkloadSpec&)>> changes{
        [](graph::WorkloadSpec&) {},
        [](graph::WorkloadSpec& spec) {  // needs the same backward pass in parts
            if (spec.layout.virtual_stages == 1) spec.layout.schedule = graph::ScheduleKind::zb_h1;
        },
        [](graph::WorkloadSpec& spec) { spec.stack.recompute = graph::Recompute::full; },
        [](graph::WorkloadSpec& spec) {
            spec.stack.recompute = graph::Recompute::full;
            spec.stack.recompute_layers = 2;
        },
        [](graph::WorkloadSpec& spec) { spec.stack.offload = graph::Offload::activations; },
        [](graph::WorkloadSpec& spec) { spec.stack.zero = 1; }};
    TemplateFrontend kept{library};
    for (const std::int64_t pp : {1, 2, 4}) {
        for (const std::int64_t chunks : {1, 2}) {
            if (pp == 1 && chunks > 1) continue;
            for (const auto& change : changes) {
                const graph::WorkloadSpec spec = with(pp, chunks, change);
                TemplateFrontend fresh{library};
                const graph::Graph& built = build(kept, spec, 16);
                graph::validate(built);
                expect_same_numbers(built, build(fresh, spec, 16));
            }
        }
    }
}

/// Every model that is shipped: checked, and built with its published number of parameters. Narayanan et al.
/// 2021, equation 2, without biases and positions: 12·l·h² + 4·l·h + 2·h + V·h.
TEST(TemplateFrontend, ShippedModelsAreRight) {
    const config::Library library({DSE_SOURCE_DIR});
    const std::vector<std::string> names = library.names("workloads/models");
    EXPECT_GE(names.size(), 15U);
    for (const std::string& name : names) {
        TemplateFrontend frontend{library};
        config::Diagnostics diagnostics;
        frontend.check_model(name, {}, diagnostics);
        EXPECT_EQ(diagnostics.text(), "") << name;
        graph::WorkloadSpec spec = spec_of(name);
        if (!frontend.works_on_sequences(name)) spec.sequence = 0;
        EXPECT_NO_THROW(graph::validate(build(frontend, spec, 1))) << name;
        for (const auto mode : {graph::Mode::prefill, graph::Mode::decode}) {
            spec.mode = mode;
            const auto served = [&] { graph::validate(frontend.build(spec, graph::resolve(spec, 1))); };
            // What reads later tokens has a forward pass, but draws none.
            const bool reads_later = name.starts_with("bert") && mode == graph::Mode::decode;
            const bool decoder =
                spec.sequence > 0 && !name.starts_with("vit") && !name.starts_with("mamba") && !reads_later;
            // What looks at images draws no tokens; what has a state in the place of a cache is not modelled.
            if (!decoder) {
                EXPECT_THROW(served(), ModelError) << name;
            } else {
                EXPECT_NO_THROW(served()) << name;
            }
        }
    }
    TemplateFrontend frontend{library};
    const auto megatron = [](double l, double h) { return 12 * l * h * h + 4 * l * h + 2 * h + 51200 * h; };
    for (const auto& [name, l, h, billions] :
         std::vector<std::tuple<std::string, double, double, double>>{{"1.7b", 24, 2304, 1.7},
                                                                      {"3.6b", 30, 3072, 3.6},
                                                                      {"7.5b", 36, 4096, 7.5},
                                                                      {"18b", 40, 6144, 18.4},
                                                                      {"22b", 48, 6144, 22.0},
                                                                      {"39b", 48, 8192, 39.1},
                                                                      {"76b", 60, 10240, 76.1},
                                                                      {"145b", 80, 12288, 145.6},
                                                                      {"310b", 96, 16384, 310.1},
                                                                      {"530b", 105, 20480, 529.6},
                                                                      {"1t", 128, 25600, 1008.0}}) {
        const double parameters = frontend.parameter_count(spec_of("megatron_" + name));
        EXPECT_EQ(parameters, megatron(l, h)) << name;
        // As the paper rounds it, with biases and positions.
        EXPECT_NEAR(parameters / 1e9, billions, std::max(0.06, 0.003 * billions)) << name;
    }
}

TEST(TemplateFrontend, KeepsWhatItHasBuilt) {
    TemplateFrontend frontend{config::Library({DSE_SOURCE_DIR})};
    graph::WorkloadSpec spec = spec_of("llama3_8b");
    const graph::Graph& first = build(frontend, spec, 8);
    const std::uint64_t revision = first.revision;
    EXPECT_EQ(&build(frontend, spec, 8), &first);
    EXPECT_EQ(first.revision, revision) << "the same point: nothing is evaluated again";
    spec.sequence = 512;
    EXPECT_EQ(&build(frontend, spec, 8), &first) << "other numbers, the same structure";
    EXPECT_NE(first.revision, revision);
    spec.stack.recompute = graph::Recompute::full;
    EXPECT_NE(&build(frontend, spec, 8), &first);
}

/// A point that cannot be laid out leaves nothing behind.
TEST(TemplateFrontend, AFailedPointDoesNotSpoilTheNext) {
    TemplateFrontend frontend{config::Library({DSE_SOURCE_DIR})};
    graph::WorkloadSpec good = spec_of("llama3_8b");
    good.layout.tp = 2;
    const double sent = graph::totals(build(frontend, good, 2)).sent.value();
    graph::WorkloadSpec bad = good;
    bad.layout.tp = 3;
    EXPECT_THROW(static_cast<void>(build(frontend, bad, 3)), ModelError);
    EXPECT_EQ(graph::totals(build(frontend, good, 2)).sent.value(), sent);
}

/// Engines launch more kernels for each modelled one where a model has experts or latent attention.
TEST(TemplateFrontend, LaunchesOfInferenceFollowTheKindOfModel) {
    TemplateFrontend frontend{config::Library({DSE_SOURCE_DIR})};
    const auto launches = [&](const std::string& model, graph::Mode mode, double experts, double latent) {
        graph::WorkloadSpec spec = spec_of(model);
        spec.mode = mode;
        spec.global_batch = 1;
        spec.stack.launch_factor = 2.0;
        spec.stack.expert_launch_factor = experts;
        spec.stack.latent_launch_factor = latent;
        double kernels = 0.0;
        for (const graph::Work& work : build(frontend, spec, 1).works)
            if (const auto* launch = std::get_if<graph::Launch>(&work)) kernels += launch->kernels;
        return kernels;
    };
    const auto ratio = [&](const std::string& model, graph::Mode mode) {
        return launches(model, mode, 6.0, 8.0) / launches(model, mode, 0.0, 0.0);
    };
    EXPECT_EQ(ratio("llama3_8b", graph::Mode::prefill), 1.0);
    EXPECT_NEAR(ratio("mixtral_8x7b", graph::Mode::prefill), 3.0, 1e-12);
    EXPECT_NEAR(ratio("deepseek_v3", graph::Mode::decode), 4.0, 1e-12);
    EXPECT_EQ(ratio("mixtral_8x7b", graph::Mode::training), 1.0);
    EXPECT_NEAR(launches("deepseek_v3", graph::Mode::prefill, 6.0, 0.0) /
                    launches("deepseek_v3", graph::Mode::prefill, 0.0, 0.0),
                3.0, 1e-12)
        << "as other models with experts";
}

TEST(TemplateFrontend, SaysWhyALayoutIsNone) {
    TemplateFrontend frontend{config::Library({DSE_SOURCE_DIR})};
    const auto reason = [&](auto&& change, std::int64_t devices) {
        graph::WorkloadSpec spec = spec_of("llama3_8b");
        change(spec);
        return refusal(frontend, spec, devices);
    };
    // 8 key-value heads on 16 devices; 32 layers on 64 stages; 256 tokens on 3.
    EXPECT_EQ(reason([](auto& s) { s.layout.tp = 16; }, 16), "dimension k = 8 is not divisible by tp 16");
    EXPECT_EQ(reason([](auto& s) { s.layout.pp = 64; }, 64),
              "32 layers are fewer than 64 stages x 1 virtual stages");
    EXPECT_NE(reason([](auto& s) { s.layout.tp = 3; }, 3).find("is not divisible by tp 3"),
              std::string::npos);
    EXPECT_NE(reason([](auto& s) { s.stack.zero = 4; }, 1).find("zero: 4 is out of range"),
              std::string::npos);
}

/// What a family has no use for is no layout of it.
TEST(TemplateFrontend, RefusesAxesAlongWhichNothingLies) {
    TemplateFrontend frontend{config::Library({DSE_SOURCE_DIR})};
    const auto reason = [&](const std::string& model, auto&& change, std::int64_t devices) {
        graph::WorkloadSpec spec = spec_of(model);
        spec.sequence = 0;
        change(spec);
        return refusal(frontend, spec, devices);
    };
    EXPECT_EQ(reason(
                  "resnet18", [](auto& s) { s.layout.tp = 2; }, 2),
              "nothing of model 'resnet18' is split over tp, so that tp 2 cannot share it");
    EXPECT_EQ(reason(
                  "vit_l_16", [](auto& s) { s.layout.cp = 4; }, 4),
              "nothing of model 'vit_l_16' is split over cp, so that cp 4 cannot share it");
    EXPECT_EQ(reason(
                  "vit_l_16", [](auto& s) { s.layout.tp = 4; }, 4),
              "");
    EXPECT_EQ(reason(
                  "resnet18", [](auto& s) { s.sequence = 16; }, 1),
              "a sample of model 'resnet18' is not a sequence: sequence 16 says nothing");
    EXPECT_EQ(reason(
                  "llama3_8b", [](auto&) {}, 1),
              "a sample of model 'llama3_8b' is a sequence: of how many tokens?");
}

/// A block that stands twice has to take what it makes.
TEST(TemplateFrontend, RepeatedBlocksTakeWhatTheyMake) {
    TemplateFrontend frontend{config::Library({DSE_SOURCE_DIR})};
    ModelFile model;
    model.name = "falling";
    model.template_name = "resnet";
    model.symbols = {{"image", 64, {}}, {"classes", 10, {}}};
    const auto sizes = [](std::initializer_list<std::pair<const char*, const char*>> values) {
        std::vector<ModelFile::BlockSize> result;
        for (const auto& [name, value] : values) result.push_back({name, value, {}});
        return result;
    };
    const auto half = sizes({{"side", "8"}, {"width", "64"}, {"from", "64"}, {"stride", "2"}});
    model.blocks = {{"stem", "1", {}},
                    {"first_basic", "1", {}, half},
                    {"classifier", "1", {}, sizes({{"side", "8"}, {"channels", "64"}})}};
    EXPECT_NO_THROW(frontend.define(model));
    graph::WorkloadSpec spec = spec_of("falling");
    spec.sequence = 0;
    EXPECT_NO_THROW(build(frontend, spec, 1));
    model.blocks[1].count = "2";
    frontend.define(model);
    try {
        build(frontend, spec, 1);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("'first_basic' is repeated 2 times, but"), std::string::npos)
            << error.what();
    }
}

TEST(TemplateFrontend, UnknownModelsNameTheNearest) {
    TemplateFrontend frontend{config::Library({DSE_SOURCE_DIR})};
    try {
        static_cast<void>(frontend.parameter_count(spec_of("llama3_70")));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("llama3_70b"), std::string::npos) << error.what();
    }
}

/// Learned positions have a row for every token of a sequence.
TEST(TemplateFrontend, ParametersMayDependOnTheSequence) {
    const test::TemporaryFolder folder;
    folder.write("workloads/templates/rows.yaml",
                 "symbols: [h, v]\nboundary: {shape: [b, s, h]}\nblocks:\n"
                 "  embedding:\n    inputs:\n      tokens: {shape: [b, s], storage: index}\n"
                 "    parameters:\n      table: {shape: [v, h]}\n"
                 "    operators:\n      - y = embedding(tokens, table)\n    output: y\n"
                 "  scale:\n    parameters:\n      p: {shape: [s, h]}\n"
                 "    operators:\n      - y = einsum(\"bsh,sh->bsh\", x, p)\n    output: y\n"
                 "  head:\n    parameters:\n      w: {shape: [h, v]}\n"
                 "    operators:\n      - logits = einsum(\"bsh,hv->bsv\", x, w)\n"
                 "      - loss = cross_entropy(logits)\n");
    folder.write("workloads/models/scaled.yaml",
                 "name: scaled\ntemplate: rows\nsymbols: {h: 8, v: 16}\nblocks: [embedding, scale, head]\n");
    TemplateFrontend frontend{config::Library({folder.path()})};
    graph::WorkloadSpec spec = spec_of("scaled");
    EXPECT_EQ(frontend.parameter_count(spec), 2 * 8 * 16 + 256 * 8);
    spec.sequence = 64;
    EXPECT_EQ(frontend.parameter_count(spec), 2 * 8 * 16 + 64 * 8);
}

TEST(TemplateFrontend, ModelsMayBeDefinedWithoutAFile) {
    TemplateFrontend frontend{config::Library({DSE_SOURCE_DIR})};
    ModelFile model;
    model.name = "half";
    model.template_name = "gpt";
    for (const auto& [name, value] : std::vector<std::pair<std::string, double>>{
             {"layers", 12}, {"h", 2304}, {"n", 24}, {"d", 96}, {"f", 9216}, {"vocab", 51200}})
        model.symbols.push_back({name, value, {}});
    model.blocks = {{"embedding", "1", {}}, {"decoder_layer", "layers", {}}, {"head", "1", {}}};
    frontend.define(model);
    EXPECT_EQ(frontend.parameter_count(spec_of("half")),
              12 * 12.0 * 2304 * 2304 + 4 * 12 * 2304 + 2 * 2304 + 51200 * 2304.0);
    model.template_name = "gtp";
    EXPECT_THROW(frontend.define(model), InputError);
}

}  // namespace
}  // namespace dse::frontend

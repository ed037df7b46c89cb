#include "study/sweep_notes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/sweeps.hpp"
#include "support/error_message.hpp"
#include "support/temporary_folder.hpp"

namespace dse::study {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class SweepNotesTest : public ::testing::Test {
  protected:
    /// Warnings of a sweep over one axis, as "path: text".
    [[nodiscard]] std::vector<std::string> notes(const std::string& cluster, const std::string& rest) const {
        const Sweep sweep = files_.load(
            "name: t\nworkload: {model: llama3_8b, global_batch: 16, sequence: 2048}\nsystem: {cluster: " +
            cluster + ", devices: 16}\n" + rest);
        std::vector<std::string> notes;
        for (const config::Diagnostic& warning : sweep.warnings)
            notes.push_back(warning.path + ": " + warning.message);
        return notes;
    }
    const test::SweepFiles files_;
};

TEST_F(SweepNotesTest, TellOfFieldsThatTheOtherModesRead) {
    const auto of = [&](const std::string& workload, const std::string& axes) {
        const Sweep sweep =
            files_.load("name: t\nworkload: {model: llama3_8b, global_batch: 16, sequence: 2048" + workload +
                        "}\nsystem: {cluster: h100_ndr400, devices: 16}\naxes: {" + axes + "}\n");
        std::vector<std::string> notes;
        for (const config::Diagnostic& warning : sweep.warnings)
            notes.push_back(warning.path + ": " + warning.message);
        return notes;
    };
    EXPECT_THAT(
        of(", fused_shared_expert: true", "tp: [1]"),
        ElementsAre(
            "workload.fused_shared_expert: has no effect with mode training: only inference reads it"));
    EXPECT_THAT(of("", "kv_block: [16, 32]"),
                ElementsAre("axes.kv_block: has no effect with mode training: only inference reads it"));
    EXPECT_THAT(of(", fused_shared_expert: true", "mode: [training, prefill]"), IsEmpty());
    EXPECT_THAT(of(", mode: prefill, fused_shared_expert: true", "tp: [1]"), IsEmpty());
    EXPECT_THAT(of(", mode: prefill, flat_update: true", "tp: [1]"),
                ElementsAre("workload.flat_update: has no effect with mode prefill: only training reads it"));
    EXPECT_THAT(
        of(", mode: decode, zero: 3", "recompute: [none, full]"),
        UnorderedElementsAre("workload.zero: has no effect with mode decode: only training reads it",
                             "axes.recompute: has no effect with mode decode: only training reads it"));
    EXPECT_THAT(of(", zero: 3", "recompute: [none, full]"), IsEmpty());
}

TEST_F(SweepNotesTest, TellOfDevicesThatRunAtTheirPeak) {
    EXPECT_THAT(notes("h100_ndr400", "axes: {tp: [1]}\n"), IsEmpty());
    EXPECT_THAT(notes("trn2_48xlarge", "axes: {tp: [1]}\n"), IsEmpty());
    // From a datasheet, without the share of the peak that others sustain.
    const test::TemporaryFolder folder;
    const std::string device = folder.write("bare.yaml", "{base: trainium2, matmul: {peak_share: 1}}\n");
    const std::string cluster = folder.write("bares.yaml", "{base: trn2_48xlarge, device: bare.yaml}\n");
    EXPECT_THAT(
        notes(cluster, "axes: {tp: [1]}\n"),
        ElementsAre(HasSubstr("system.cluster.device: AWS Trainium 2 96 GB states no matmul.sustained")));
    EXPECT_THAT(notes("h100_ndr400", "axes: {cluster: [h100_ndr400, " + cluster + "]}\n"),
                ElementsAre(HasSubstr("axes.cluster: AWS Trainium 2 96 GB states no matmul.sustained")));
    EXPECT_THAT(notes("h100_ndr400", "axes: {device: [h100_sxm, " + device + "]}\n"),
                ElementsAre(HasSubstr("axes.device: AWS Trainium 2 96 GB states no")));
    EXPECT_THAT(notes(cluster, "axes: {tp: [1]}\nfidelity: {compute: table}\n"), IsEmpty());
}

TEST_F(SweepNotesTest, TellOfInferenceOnKernelsWithoutLatency) {
    const std::string device = "{base: h100_ndr400, device: {base: h100_sxm, kernel_latency: 0 us}}";
    EXPECT_THAT(notes(device, "axes: {tp: [1]}\n"), IsEmpty());
    EXPECT_THAT(notes(device, "axes: {workload.mode: [decode]}\n"),
                ElementsAre(HasSubstr("NVIDIA H100 SXM 80 GB states no kernel_latency")));
    EXPECT_THAT(notes("h100_ndr400", "axes: {workload.mode: [decode]}\n"), IsEmpty());
}

TEST_F(SweepNotesTest, TellOfFieldsThatOnlyCalibratedReads) {
    const std::string cluster = "{base: h100_ndr400, network: {nccl: {call_time: 19 us}}}";
    EXPECT_THAT(notes(cluster, "axes: {tp: [1]}\n"),
                ElementsAre(HasSubstr("system.cluster.network.nccl.call_time: has no effect with network "
                                      "latency_bandwidth")));
    EXPECT_THAT(notes(cluster, "axes: {fidelity.network: [latency_bandwidth, flow]}\n"), IsEmpty())
        << "which may be it";
    EXPECT_THAT(notes("h100_ndr400", "axes: {cluster.network.nccl.call_time: [0 us, 9 us]}\n"),
                ElementsAre(HasSubstr("call_time: has no effect with network")));
}

TEST_F(SweepNotesTest, TellOfPeaksThatLeaveProductsAsTheyAre) {
    const std::string axes = "axes: {cluster.device.peak.bf16: [989 TFLOPS, 2 PFLOPS]}\n";
    EXPECT_THAT(
        notes("h100_ndr400", axes),
        ElementsAre(HasSubstr("axes.cluster.device.peak.bf16: does not change how long products take")));
    EXPECT_THAT(notes("h100_ndr400", axes + "derive: {cluster.device.matmul.sustained.bf16: 0.7 * "
                                            "cluster.device.peak.bf16}\n"),
                IsEmpty());
    // Whose products sustain a share of the peak that is stated.
    EXPECT_THAT(
        notes("{base: h100_ndr400, device: {base: typical_gpu, name: x, peak: {bf16: 1 PFLOPS}, memory: "
              "{capacity: 80 GB, bandwidth: 3 TB/s}, power: {tdp: 700 W}}}",
              axes),
        IsEmpty());
}

TEST_F(SweepNotesTest, RefusePeaksBelowWhatProductsSustain) {
    const std::string axes = "axes: {cluster.device.peak.bf16: [300 TFLOPS, 989 TFLOPS]}\n";
    EXPECT_THAT(test::error_message([&] { (void)notes("h100_ndr400", axes); }),
                HasSubstr("300 TFLOPS is below matmul.sustained.bf16"));
    EXPECT_THAT(notes("h100_ndr400", axes + "derive: {cluster.device.matmul.sustained.bf16: 0.7 * "
                                            "cluster.device.peak.bf16}\n"),
                IsEmpty());
}

TEST_F(SweepNotesTest, TellOfDevicesThatCostTheSameWhateverTheyHave) {
    const std::string axes = "axes: {cluster.device.memory.bandwidth: [3 TB/s, 6 TB/s]}\n";
    EXPECT_THAT(notes("h100_ndr400", axes), IsEmpty());
    EXPECT_THAT(notes("h100_ndr400", axes + "objectives: {cost: minimize}\n"),
                ElementsAre(HasSubstr("a device with more of it costs the same here")));
    EXPECT_THAT(notes("h100_ndr400", axes + "objectives: {cost: minimize}\nderive: {cluster.device.price: "
                                            "cluster.device.memory.bandwidth / 3e12 * 0.0008}\n"),
                IsEmpty());
}

TEST_F(SweepNotesTest, TellOfReductionsThatNoStageOfZeroMakes) {
    const auto of = [&](const std::string& stack, const std::string& axes) {
        const Sweep sweep =
            files_.load("name: t\nworkload: {model: llama3_8b, global_batch: 16, sequence: 2048, " + stack +
                        "}\nsystem: {cluster: h100_ndr400, devices: 16}\naxes: " + axes + "\n");
        std::vector<std::string> notes;
        for (const config::Diagnostic& warning : sweep.warnings)
            notes.push_back(warning.path + ": " + warning.message);
        return notes;
    };
    EXPECT_THAT(of("zero: 3, reduce_whole: true", "{tp: [1]}"),
                ElementsAre("workload.reduce_whole: has no effect with zero 3: only ZeRO-1 may add whole "
                            "gradients"));
    EXPECT_THAT(of("zero: 2", "{reduce_whole: [false, true]}"), SizeIs(1));
    EXPECT_THAT(of("zero: 1, reduce_whole: true", "{tp: [1]}"), IsEmpty());
    EXPECT_THAT(of("reduce_whole: true", "{zero: [1, 3]}"), IsEmpty());
    EXPECT_THAT(of("stack: bigscience_2022_bf16, zero: 3", "{tp: [1]}"), IsEmpty()) << "is not stated here";
}

TEST_F(SweepNotesTest, TellOfLaunchesThatCostNothingWithoutAStack) {
    const auto of = [&](const std::string& workload, const std::string& axes) {
        return files_
            .load(
                "name: t\nworkload: {model: llama3_8b, global_batch: 16, sequence: 2048, launch_factor: 2, " +
                workload + "}\nsystem: {cluster: h100_ndr400, devices: 16}\naxes: " + axes + "\n")
            .warnings;
    };
    EXPECT_THAT(of("mode: prefill", "{tp: [1]}"),
                ElementsAre(Field(&config::Diagnostic::message,
                                  HasSubstr("without a stack, launches of inference cost no host time"))));
    EXPECT_THAT(of("mode: prefill", "{mode: [prefill, training]}"), IsEmpty());
    EXPECT_THAT(of("mode: prefill, cuda_graphs: false", "{tp: [1]}"), IsEmpty());
    EXPECT_THAT(of("mode: prefill, stack: pytorch_eager", "{tp: [1]}"), IsEmpty());
    EXPECT_THAT(of("mode: prefill", "{stack: [pytorch_eager]}"), IsEmpty());
    EXPECT_THAT(of("mode: training", "{tp: [1]}"), IsEmpty());
}

TEST_F(SweepNotesTest, TellOfTilesOfExpertsThatAreNotRead) {
    const auto of = [&](const std::string& stack, const std::string& axes) {
        return files_
            .load(
                "name: t\nworkload: {model: llama3_8b, mode: decode, global_batch: 16, sequence: 2048, "
                "output: 64, " +
                stack + "}\nsystem: {cluster: h100_ndr400, devices: 16}\naxes: " + axes + "\n")
            .warnings;
    };
    EXPECT_THAT(of("tile_reading: 0.5", "{expert_tile_margin: [1, 2]}"),
                ElementsAre(Field(&config::Diagnostic::path, "axes.expert_tile_margin"),
                            Field(&config::Diagnostic::message,
                                  HasSubstr("experts' weights are read once, not with each tile"))));
    EXPECT_THAT(of("least_expert_tile: 16, tile_reading: 0.5", "{tp: [1]}"), IsEmpty());
    EXPECT_THAT(of("tile_reading: 0.5", "{least_expert_tile: [0, 16]}"), IsEmpty());
}

TEST_F(SweepNotesTest, TellOfAdaptersWithoutARank) {
    const auto of = [&](const std::string& adapter, const std::string& axes) {
        const Sweep sweep = files_.load(
            "name: t\nworkload: {model: llama3_8b, global_batch: 16, sequence: 2048, adapter: " + adapter +
            "}\nsystem: {cluster: h100_ndr400, devices: 16}\naxes: " + axes + "\n");
        return sweep.warnings.size();
    };
    EXPECT_EQ(of("{targets: w_qkv}", "{tp: [1]}"), 1U);
    EXPECT_EQ(of("{frozen_weights: nf4}", "{tp: [1]}"), 1U);
    EXPECT_EQ(of("{rank: 16, targets: w_qkv}", "{tp: [1]}"), 0U);
    EXPECT_EQ(of("{targets: w_qkv}", "{workload.adapter.rank: [0, 16]}"), 0U);
    EXPECT_EQ(of("{rank: 0}", "{tp: [1]}"), 0U);
}

TEST_F(SweepNotesTest, TellOfRanksThatCannotBeSplit) {
    const auto of = [&](const std::string& workload, const std::string& axes) {
        const Sweep sweep =
            files_.load("name: t\nworkload: {model: llama3_8b, global_batch: 16, sequence: 2048, " +
                        workload + "}\nsystem: {cluster: h100_ndr400, devices: 16}\naxes: " + axes + "\n");
        return sweep.warnings.empty() ? ""
                                      : sweep.warnings.front().path + ": " + sweep.warnings.front().message;
    };
    EXPECT_THAT(of("adapter: {rank: 12}", "{tp: [1, 4, 8]}"),
                HasSubstr("axes.tp: 8 does not divide adapter.rank 12"));
    EXPECT_EQ(of("adapter: {rank: 16}", "{tp: [1, 4, 8]}"), "");
    EXPECT_THAT(of("tp: 8, adapter: {rank: 12}", "{zero: [1]}"),
                HasSubstr("workload.adapter.rank: 12 is not divisible by tp 8"));
    EXPECT_EQ(of("adapter: {rank: 12}", "{tp: [8], workload.adapter.rank: [8]}"), "");
}

TEST_F(SweepNotesTest, TellThatBandwidthIsFreeWhereCostsAreCompared) {
    const std::string axis = "axes: {scale_out.bandwidth: [400 Gbps, 800 Gbps]}\n";
    const std::string cost = "objectives: {usd_per_mtoken: minimize}\n";
    EXPECT_THAT(notes("h100_ndr400", axis + cost),
                ElementsAre(HasSubstr("axes.scale_out.bandwidth: a faster network costs nothing here")));
    EXPECT_THAT(notes("h100_ndr400", axis + "objectives: {iteration_time: minimize}\n"), IsEmpty());
    EXPECT_THAT(notes("h100_ndr400", "axes: {tp: [1, 2]}\n" + cost), IsEmpty());
    EXPECT_THAT(notes("{base: h100_ndr400, network: {prices: {scale_out_rate: 400 Gbps, nic: 0.1 USD/h}}}",
                      axis + cost),
                IsEmpty());
    EXPECT_THAT(notes("{base: h100_ndr400, network: {prices: {nic: 0 USD/h}}}", axis + cost), IsEmpty())
        << "it is meant";
    EXPECT_THAT(notes("{base: h100_ndr400, network: {scale_out: {latency: 1 us}}}", axis + cost), SizeIs(1));
}

TEST_F(SweepNotesTest, RefuseDerivedPeaksBelowTheSustainedRate) {
    const std::string derive = "derive: {cluster.device.peak.bf16: share * 989e12}\n";
    EXPECT_THAT(notes("h100_ndr400", "axes: {share: [1.0, 2.0]}\n" + derive),
                ElementsAre(HasSubstr("derive.cluster.device.peak.bf16: does not change how long products "
                                      "take")));
    EXPECT_THAT(
        dse::test::error_message([&] { (void)notes("h100_ndr400", "axes: {share: [0.2, 1.0]}\n" + derive); }),
        HasSubstr("derive.cluster.device.peak.bf16: 197.8 TFLOP/s is below matmul.sustained.bf16"));
    EXPECT_THAT(notes("h100_ndr400",
                      "axes: {share: [0.2, 1.0]}\nderive: {cluster.device.peak.bf16: share * 989e12, "
                      "cluster.device.matmul.sustained.bf16: share * 700e12}\n"),
                IsEmpty());
}

TEST_F(SweepNotesTest, TellOfABudgetForMorePointsThanThereAre) {
    const auto of = [&](const std::string& search) {
        return notes("h100_ndr400", "axes: {tp: [1, 2, 4]}\nsearch: " + search + "\n");
    };
    EXPECT_THAT(
        of("{method: sobol, budget: 4}"),
        ElementsAre("search.budget: the space has 3 points at most, and all of them are drawn (method: "
                    "grid needs no budget)"));
    EXPECT_THAT(of("{method: sobol, budget: 3}"), IsEmpty());
    EXPECT_THAT(of("{method: nsga2, budget: 4}"), IsEmpty()) << "which may end when all are known";
}

TEST_F(SweepNotesTest, TellOfLevelsThatLetRequestsWait) {
    const auto of = [&](const std::string& slo, const std::string& axes) {
        const Sweep sweep = files_.load(
            "name: t\nworkload: {model: llama3_8b, mode: serving, stack: vllm_2025, traffic: {clients: 8}, "
            "slo: " +
            slo + "}\nsystem: {cluster: h100_ndr400, devices: 1}\naxes: " + axes + "\n");
        std::vector<std::string> notes;
        for (const config::Diagnostic& warning : sweep.warnings) notes.push_back(warning.path);
        return notes;
    };
    EXPECT_THAT(of("{tpot_p99: 30 ms}", "{max_sequences: [8, 64]}"), ElementsAre("workload.slo"));
    EXPECT_THAT(of("{tpot_p99: 30 ms, ttft_p99: 2 s}", "{max_sequences: [8, 64]}"), IsEmpty());
    EXPECT_THAT(of("{tpot_p99: 30 ms}", "{slo.e2e_p90: [8 s]}"), IsEmpty());
    EXPECT_THAT(of("{ttft_p99: 2 s}", "{max_sequences: [8, 64]}"), IsEmpty());
}

}  // namespace
}  // namespace dse::study

// Compilers' programs beside the times that were measured of them.
#include <array>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "conformance/csv.hpp"
#include "dse/base/error.hpp"
#include "dse/eval/evaluator.hpp"
#include "dse/eval/validation/validate.hpp"
#include "eval/sweeps.hpp"
#include "support/source_dir.hpp"

namespace dse::conformance {
namespace {

/// Seconds of one iteration of a program on a cluster, under the default models; memory is no limit. The
/// precision is the one that shares of the peak are told in, which every device has; times do not see it.
double predicted(const std::string& file, const std::string& cluster, const std::string& devices,
                 const std::string& passes = "") {
    const test::SweepFiles files;
    const study::Sweep sweep =
        files.load("name: t\nworkload: {ir: '" + file + "', precision: fp32, passes: {" + passes +
                   "}}\nsystem: {cluster: " + cluster + ", devices: " + devices +
                   "}\naxes: {cluster.device.memory.capacity: [4 TB]}\n");
    eval::Evaluator evaluator{sweep};
    space::Record record;
    evaluator.evaluate(test::points_of(sweep).at(0), record);
    EXPECT_EQ(record.status, space::Status::ok) << file << ": " << record.reason;
    return record.metrics.iteration_time;
}

/// The first number behind a word of a note; 0 where the note lacks the word.
double behind(const std::string& note, const std::string& word) {
    const std::size_t at = note.find(word);
    return at == std::string::npos ? 0.0 : std::stod(note.substr(at + word.size()));
}

/// A row of its own. Shares of the peak are not asked for here.
eval::Comparison comparison(const std::string& program, double seconds, double measured) {
    eval::Comparison result;
    result.row.model = program;
    result.row.metric = "iteration_time";
    result.predicted = seconds;
    result.measured = measured;
    result.model_flop = result.peak_flop = 1.0;
    return result;
}

constexpr const char* omni_path = "{base: dgx_a100_hdr200, network: {scale_out: {bandwidth: 12.5 Gbps}}}";

struct Timed {
    std::string file;
    std::string devices;
    double seconds;
};

class ProgramTimes : public ConformanceData {
  protected:
    /// Rows whose file begins so, with the time that their note states behind `word`, in milliseconds.
    [[nodiscard]] std::vector<Timed> measured(const std::string& beginning, const std::string& word) const {
        std::vector<Timed> result;
        for (const CsvRow& row : read_csv(path("ir/MANIFEST.csv"))) {
            if (!row.at("file").starts_with(beginning)) continue;
            const double milliseconds = behind(row.at("note"), word);
            if (milliseconds > 0) result.push_back({row.at("file"), row.at("devices"), milliseconds * 1e-3});
        }
        return result;
    }

    /// Prints one line a program.
    [[nodiscard]] eval::ErrorSummary compare(const std::vector<Timed>& programs,
                                             const std::string& cluster) const {
        std::vector<eval::Comparison> rows;
        fmt::print("{}\n  {:<66} {:>12} {:>12} {:>8}\n", cluster, "", "predicted", "measured", "error");
        for (const Timed& program : programs) {
            const double seconds = predicted(path("ir/" + program.file), cluster, program.devices);
            rows.push_back(comparison(program.file, seconds, program.seconds));
            fmt::print("  {:<66} {:>9.2f} ms {:>9.2f} ms {:>+6.0f} %\n", program.file, seconds * 1e3,
                       program.seconds * 1e3, 100 * rows.back().error());
        }
        eval::ErrorSummary errors = eval::summarize(rows).back();
        fmt::print("  mean error {:.0f} %, median {:.0f} %, bias {:+.0f} %, rank correlation {:.2f}\n",
                   100 * errors.mean_absolute, 100 * errors.median_absolute, 100 * errors.bias,
                   errors.rank_correlation);
        return errors;
    }
};

// Before optimisation, unpartitioned: fused and partitioned here. The device's products have the form of
// MI355X's. As XLA partitions them, the image transformer and the prefill were predicted at 7.9 and
// 16.9 ms, before products had this form.
TEST_F(ProgramTimes, JaxModelsOnMi350) {
    const auto programs = measured("hlo/rocm_", "measured on MI350 (rocm-jaxlib 0.10.2): ");
    const eval::ErrorSummary errors = compare(programs, "mi350x");
    EXPECT_EQ(errors.rows, 5U);
    EXPECT_LT(errors.mean_absolute, 0.33);
    EXPECT_LT(errors.median_absolute, 0.15);
    EXPECT_GE(errors.rank_correlation, 0.79);
}

// As XLA compiled them, of one node of eight and of two; half of them call a library (cuDecomp), whose
// exchanges are written out. Their machine (IDRIS, Jean Zay) is on Omni-Path of 100 Gb/s; that the eight
// devices of a node share one port is read off the rows of two nodes, which agree on it. The row of 2048³
// that calls no library takes far longer than the rates of memory and links say.
TEST_F(ProgramTimes, FftsOnA100) {
    const eval::ErrorSummary errors = compare(measured("hlo/jaxdecomp_a100", "measured ms: min "), omni_path);
    EXPECT_EQ(errors.rows, 8U);
    EXPECT_LT(errors.mean_absolute, 0.22);
    EXPECT_LT(errors.median_absolute, 0.16);
    EXPECT_GE(errors.rank_correlation, 0.8);
}

// Four V100, each joined to each: two that exchange between themselves have a third of the links (the row of
// 2 x 2).
TEST_F(ProgramTimes, FftsOnV100) {
    const eval::ErrorSummary errors =
        compare(measured("hlo/jaxdecomp_v100", "measured ms: min "), "v100_opa100");
    EXPECT_EQ(errors.rows, 2U);
    EXPECT_LT(errors.mean_absolute, 0.35);
}

// Every program of which a time is stated: those that are not predicted are the first forms of programs whose
// partitioned forms are, in a language of manual regions that the partitioner refuses by name.
TEST_F(ProgramTimes, EveryProgramIsPredictedOrSaysWhy) {
    std::size_t covered = 0;
    std::size_t refused = 0;
    for (const CsvRow& row : read_csv(path("ir/MANIFEST.csv"))) {
        if (row.at("note").find("measured") == std::string::npos) continue;
        const std::string& file = row.at("file");
        const bool amd = file.find("rocm_") != std::string::npos;
        const bool volta = file.find("_v100_") != std::string::npos;
        try {
            const double seconds = predicted(
                path("ir/" + file), amd ? "mi350x" : (volta ? "v100_opa100" : omni_path), row.at("devices"));
            EXPECT_GT(seconds, 0.0) << file;
            ++covered;
        } catch (const InputError& error) {
            fmt::print("  {}: {}\n", file, error.what());
            EXPECT_TRUE(file.starts_with("stablehlo/jaxdecomp")) << file << ": " << error.what();
            ++refused;
        }
    }
    EXPECT_EQ(covered + refused, 25U);
    EXPECT_GE(covered, 15U);
}

// Peaks in bf16 and memory rates rise from the first to the last of these machines alike, so that times fall.
// TPUs sustain more of their peak than GPUs: neighbours of two makers may change places, machines of one
// maker may not.
TEST(ProgramsOnArchitectures, FollowThePeaks) {
    constexpr std::array machines{"tpu_v4_pod", "dgx_a100_hdr200", "tpu_v5p_pod", "h100_ndr400", "dgx_b200"};
    for (const char* program :
         {"llama3_8b_fsdp8", "llama3_8b_tp8", "llama3_70b_fsdp8", "mixtral_8x7b_ep8", "vit_l_16_fsdp8"}) {
        const std::string file =
            std::string{DSE_SOURCE_DIR} + "/workloads/captures/jax/" + program + ".after_spmd.hlo.gz";
        std::vector<double> times;
        std::vector<eval::Comparison> rows;
        fmt::print("{:<18}", program);
        for (const char* machine : machines) {
            times.push_back(predicted(file, machine, "8"));
            rows.push_back(comparison(machine, times.back(), 1.0 / static_cast<double>(times.size())));
            fmt::print(" {} {:.1f} ms", machine, times.back() * 1e3);
        }
        const double correlation = eval::summarize(rows).back().rank_correlation;
        fmt::print(", rank correlation {:.2f}\n", correlation);
        EXPECT_GE(correlation, 0.79) << program;
        EXPECT_GT(times[0], times[2]) << program;
        EXPECT_GT(times[1], times[3]) << program;
        EXPECT_GT(times[3], times[4]) << program;
    }
}

/// One of our captures, and the published step whose model, batch and layout it has.
struct Twin {
    const char* truth;
    const char* capture;
    const char* cluster;
    const char* devices;
    const char* passes;
};

// Nothing is set on these rows but TPU v4's rate, on the first (hardware/devices/tpu_v4.yaml). Eager programs
// run operator by operator: none are fused. BERT's row contains allocations (sources.yaml, NeuSight). Their
// attention is captured as it ran; MaxText's ran as a flash kernel, and is captured as a composite.
constexpr std::array twins{
    Twin{"GT0328", "jax/maxtext_22b_fsdp64.sdy.mlir.gz", "tpu_v4_pod", "64", ""},
    Twin{"GT0332", "jax/maxtext_52b_fsdp192.sdy.mlir.gz", "tpu_v4_pod", "192", ""},
    Twin{"GT0335", "jax/maxtext_32b_fsdp256.sdy.mlir.gz", "tpu_v5e_pod", "256", ""},
    Twin{"GT0503", "torch/opt_1_3b.fx.gz", "a100_pcie", "1", "fusion: none"},
    Twin{"GT0505", "torch/gpt2_large.fx.gz", "a100_pcie", "1", "fusion: none"},
    Twin{"GT0535", "torch/gpt2_large_dp4.fx.gz", "h100_ndr400", "4", "fusion: none"},
};

TEST_F(ProgramTimes, CapturesMeetThePublishedStepsOfTheirModels) {
    std::map<std::string, CsvRow> truth;
    for (const CsvRow& row : read_csv(path("truth/ground_truth.csv"))) truth.emplace(row.at("id"), row);
    std::vector<eval::Comparison> rows;
    for (const Twin& twin : twins) {
        const CsvRow& row = truth.at(twin.truth);
        const std::string file = std::string{DSE_SOURCE_DIR} + "/workloads/captures/" + twin.capture;
        const double measured = number(row, "derived_iter_s");
        rows.push_back(
            comparison(row.at("model"), predicted(file, twin.cluster, twin.devices, twin.passes), measured));
        fmt::print("{} {:<12} {:>4} x {:<12} predicted {:8.3f} s, measured {:8.3f} s, {:+.0f} %\n",
                   twin.truth, row.at("model"), twin.devices, row.at("chip"), rows.back().predicted, measured,
                   100 * rows.back().error());
    }
    const eval::ErrorSummary errors = eval::summarize(rows).back();
    fmt::print("mean error {:.0f} %, median {:.0f} %, bias {:+.0f} %, rank correlation {:.2f}\n",
               100 * errors.mean_absolute, 100 * errors.median_absolute, 100 * errors.bias,
               errors.rank_correlation);
    EXPECT_EQ(errors.rows, twins.size());
    EXPECT_LT(errors.mean_absolute, 0.10);
    EXPECT_GT(errors.rank_correlation, 0.95);
}

/// One layer, and the rows whose times (milliseconds) together are what the capture holds.
struct LayerTwin {
    std::vector<std::string> truth;
    const char* capture;
    const char* devices;
};

// Layers that were timed alone on A100s: forward and backward under both kinds of tensor parallelism, without
// the dropout that theirs had; and a prefill whose operators were timed one by one, in short runs, which
// boost the clock by up to a fifth. Nothing is set on these rows.
TEST_F(ProgramTimes, LayersAsCapturedMeetTheirMeasuredTimes) {
    std::map<std::string, double> truth;
    for (const CsvRow& row : read_csv(path("truth/ground_truth.csv"))) {
        if (row.at("unit").starts_with("ms")) truth.emplace(row.at("id"), number(row, "value") * 1e-3);
    }
    const std::vector<LayerTwin> layers{{{"GT0035", "GT0036"}, "gpt_22b_layer_tp8", "8"},
                                        {{"GT0037", "GT0038"}, "gpt_22b_layer_tp8_sp", "8"},
                                        {{"GT0558"}, "gpt3_175b_layer_tp4_prefill", "4"}};
    for (const LayerTwin& layer : layers) {
        const std::string file =
            std::string{DSE_SOURCE_DIR} + "/workloads/captures/torch/" + layer.capture + ".fx.gz";
        double measured = 0.0;
        for (const std::string& id : layer.truth) measured += truth.at(id);
        const double seconds = predicted(file, "dgx_a100_hdr200", layer.devices, "fusion: none");
        fmt::print("{:<30} predicted {:6.2f} ms, measured {:6.2f} ms, {:+.0f} %\n", layer.capture,
                   seconds * 1e3, measured * 1e3, 100 * (seconds / measured - 1));
        EXPECT_NEAR(seconds / measured, 1.0, 0.25) << layer.capture;
    }
}

// Our own capture of Llama-3 8B beside torchtitan's steps of it: fully sharded over eight, sequences of 8192,
// fused attention. Per token of a device, since theirs has two sequences a device, recomputes selectively and
// steps its optimizer, and ours has one, keeps everything and ends with the gradients. torchtitan gathers the
// next layer's weights while one computes.
TEST_F(ProgramTimes, LlamaAsCapturedMeetsTorchtitan) {
    const std::string file = std::string{DSE_SOURCE_DIR} + "/workloads/captures/torch/llama3_8b_fsdp8.fx.gz";
    const double in_place = predicted(file, "grand_teton_h100", "8");
    const double ahead = predicted(file, "grand_teton_h100", "8", "collective_order: ahead");
    EXPECT_LT(ahead, in_place);
    const double predicted_rate = 8192.0 / ahead;
    int rows = 0;
    for (const CsvRow& row : read_csv(path("truth/ground_truth.csv"))) {
        if (row.at("id") != "GT0276" && row.at("id") != "GT0278") continue;
        ++rows;
        const double rate = number(row, "value");
        fmt::print(
            "{} {:<70} predicted {:.0f} (in program order {:.0f}), measured {:.0f} tokens/s, {:+.0f} %\n",
            row.at("id"), row.at("notes"), predicted_rate, 8192.0 / in_place, rate,
            100 * (predicted_rate / rate - 1));
        EXPECT_NEAR(predicted_rate / rate, 1.0, 0.15);
    }
    EXPECT_EQ(rows, 2);
}

}  // namespace
}  // namespace dse::conformance

#include "dse/eval/error_table.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/source_dir.hpp"

namespace dse::eval {
namespace {

/// Dense models of two generations, one of them on one chip under one software.
ErrorTable small_table() {
    ErrorTable table;
    table.templates = {{"llama", "dense"}, {"mixtral", "experts"}};
    table.generations = {{"chip 1", "old"}, {"chip 2", "new"}};
    table.time = {{"", "", "", "", {.width = 0.20}, 9, 3, 512},
                  {"dense", "", "", "", {.width = 0.12}, 6, 2, 512},
                  {"dense", "old", "", "", {.width = 0.10}, 4, 2, 256},
                  {"dense", "old", "chip 1", "", {.width = 0.09}, 3, 1, 128},
                  {"dense", "old", "chip 1", "Megatron", {.width = 0.05}, 2, 1, 64}};
    table.memory = {{"", "", "", "", {.width = 0.12}, 0, 0, 0},
                    {"", "", "", "torchtitan", {.width = 0.06}, 10, 3, 0}};
    table.of_device = 0.16;
    table.of_operators = 0.40;
    table.of_doubling = 0.03;
    return table;
}

double time_width(const ErrorTable::Case& which) {
    return small_table().of(which).time.width;
}

TEST(ErrorTable, TheNarrowestFamilyThatHoldsACaseHolds) {
    EXPECT_DOUBLE_EQ(time_width({"chip 1", "Megatron core 2024", "llama", 8}), 0.05);
    EXPECT_DOUBLE_EQ(time_width({"chip 1", "Megatron-LM 2021", "llama", 8}), 0.09) << "another software";
    EXPECT_DOUBLE_EQ(time_width({"chip 1", "", "llama", 8}), 0.09);
    EXPECT_DOUBLE_EQ(time_width({"chip 2", "Megatron core 2024", "llama", 8}), 0.12);
    EXPECT_DOUBLE_EQ(time_width({"chip 1", "Megatron core 2024", "mixtral", 8}), 0.20);
}

/// A family's stack is the beginning of a name: a word, or a release with its variants.
TEST(ErrorTable, ReleasesOfASoftwareHaveFamiliesOfTheirOwn) {
    ErrorTable table = small_table();
    table.time.push_back({"dense", "old", "chip 1", "Megatron core 2024", {.width = 0.03}, 1, 1, 64});
    const auto width = [&](std::string_view stack) {
        return table.of({"chip 1", stack, "llama", 8}).time.width;
    };
    EXPECT_DOUBLE_EQ(width("Megatron core 2024"), 0.03);
    EXPECT_DOUBLE_EQ(width("Megatron core 2024, on Hopper"), 0.03);
    EXPECT_DOUBLE_EQ(width("Megatron core 20245"), 0.05);
    EXPECT_DOUBLE_EQ(width("Megatron core"), 0.05);
}

/// A whole name does not mean its variants.
TEST(ErrorTable, ARecipeMayHaveAFamilyWithoutItsVariants) {
    ErrorTable table;
    const auto add = [&](const char* stack, double width, bool exact) {
        ErrorFamily family;
        family.stack = stack;
        family.interval.width = width;
        family.exact = exact;
        table.memory.push_back(family);
    };
    add("", 0.09, false);
    add("A 2024", 0.07, false);
    add("A 2024", 0.04, true);
    add("A 2024, eager", 0.06, false);
    const auto width = [&](std::string_view stack) {
        return table.of({"chip 1", stack, "llama", 8}).memory.width;
    };
    EXPECT_DOUBLE_EQ(width("A 2024"), 0.04);
    EXPECT_DOUBLE_EQ(width("A 2024, eager"), 0.06);
    EXPECT_DOUBLE_EQ(width("A 2024, in a pipeline"), 0.07);
    EXPECT_DOUBLE_EQ(width("A 2025"), 0.09);
}

/// Ranks of tensor parallelism wait for one another in every layer.
TEST(ErrorTable, TensorParallelismHasFamiliesOfItsOwn) {
    ErrorTable table = small_table();
    table.time.push_back({"dense", "old", "chip 1", "Megatron", {.width = 0.08}, 1, 1, 64, Tensors::split});
    ErrorTable::Case which{"chip 1", "Megatron core 2024", "llama", 8};
    EXPECT_DOUBLE_EQ(table.of(which).time.width, 0.05);
    which.tensors = Tensors::split;
    EXPECT_DOUBLE_EQ(table.of(which).time.width, 0.08);
}

/// Independent errors add in squares.
TEST(ErrorTable, WiderWhereThereAreNoRows) {
    EXPECT_DOUBLE_EQ(time_width({"chip 3", "Megatron core 2024", "llama", 8}), 0.20) << "0.12 and 0.16";
    EXPECT_DOUBLE_EQ(time_width({"chip 1", "Megatron core 2024", "resnet", 8}), std::hypot(0.20, 0.40));
    EXPECT_DOUBLE_EQ(time_width({"chip 3", "", "resnet", 8}), std::hypot(0.20, 0.40, 0.16));
    // Two doublings of 64 devices.
    EXPECT_DOUBLE_EQ(time_width({"chip 1", "Megatron core 2024", "llama", 256}), std::hypot(0.05, 0.06));
    EXPECT_DOUBLE_EQ(time_width({"chip 1", "Megatron core 2024", "llama", 64}), 0.05);
}

/// A datasheet does not tell how fast products are; constants of other chips do not either.
TEST(ErrorTable, WiderStillForAChipWithoutMeasuredProducts) {
    ErrorTable table = small_table();
    ErrorTable::Case which{"chip 3", "Megatron core 2024", "llama", 8};
    which.products = ErrorTable::Products::unknown;
    EXPECT_DOUBLE_EQ(table.of(which).time.width, 0.20) << "a table without this width";
    table.of_products = {.width = 0.35};
    EXPECT_DOUBLE_EQ(table.of(which).time.width, 0.37) << "0.12 and 0.35";
    which.products = ErrorTable::Products::typical;
    EXPECT_DOUBLE_EQ(table.of(which).time.width, 0.20) << "a table without this width";
    table.of_typical = {.width = 0.09};
    EXPECT_DOUBLE_EQ(table.of(which).time.width, 0.15) << "0.12 and 0.09";
    which.device = "chip 1";
    EXPECT_DOUBLE_EQ(table.of(which).time.width, 0.05) << "a chip with rows";
    which = {"chip 3", "Megatron core 2024", "llama", 8};
    EXPECT_DOUBLE_EQ(table.of(which).time.width, 0.20) << "its products were measured";
}

/// Software that nobody described costs something: the interval is wide, and not around the prediction.
TEST(ErrorTable, WithoutAStackThereAreFamiliesOfTheirOwn) {
    ErrorTable table = small_table();
    ErrorFamily idealized{"dense", "", "", "", {.width = 0.30}};
    idealized.idealized = true;
    idealized.interval.shift = 0.10;
    table.time.push_back(idealized);
    ErrorTable::Case which{"chip 1", "", "llama", 8};
    EXPECT_DOUBLE_EQ(table.of(which).time.shift, 0.10);
    EXPECT_DOUBLE_EQ(table.of(which).time.width, 0.30);
    which.device = "chip 3";
    EXPECT_DOUBLE_EQ(table.of(which).time.width, std::hypot(0.30, 0.16)) << "a chip without rows";
    which = {"chip 1", "", "mixtral", 8};
    EXPECT_DOUBLE_EQ(table.of(which).time.width, 0.20) << "another kind";
    table.time.back().kind.clear();
    EXPECT_DOUBLE_EQ(table.of(which).time.width, 0.30) << "all kinds of models";
    table.templates.push_back({"program", "program"});
    EXPECT_DOUBLE_EQ(table.of({"chip 1", "", "program", 8}).time.shift, 0.0) << "which compilers make";
    which = {"chip 1", "Megatron core 2024", "llama", 8};
    EXPECT_DOUBLE_EQ(table.of(which).time.width, 0.05);
    EXPECT_DOUBLE_EQ(table.of(which).time.shift, 0.0);
}

/// Shifts add, widths in squares; rows on any chip make software known.
TEST(ErrorTable, AStackWithoutRowsIsSlowerThanDescribed) {
    ErrorTable table = small_table();
    table.stacks = {{"Megatron core"}};
    table.of_stack = {.shift = 0.07, .width = 0.12};
    ErrorTable::Case which{"chip 1", "Mine 2026", "llama", 8};
    EXPECT_DOUBLE_EQ(table.of(which).time.shift, 0.07);
    EXPECT_DOUBLE_EQ(table.of(which).time.width, 0.15) << "0.09 and 0.12";
    table.of_products = {.shift = 0.5, .width = 0.35};
    which.device = "chip 3";
    which.products = ErrorTable::Products::unknown;
    EXPECT_DOUBLE_EQ(table.of(which).time.shift, 0.57);
    EXPECT_DOUBLE_EQ(table.of(which).time.width, std::hypot(0.12, 0.35, 0.12));
    which = {"chip 2", "Megatron core 2024", "llama", 8};
    EXPECT_DOUBLE_EQ(table.of(which).time.shift, 0.0) << "rows on chip 1";
    EXPECT_DOUBLE_EQ(table.of({"chip 1", "", "llama", 8}).time.shift, 0.0) << "no stack";
}

/// Another release of a program that was compared with steps of this kind of model is off by less.
TEST(ErrorTable, AnotherReleaseOfAProgramIsHalfKnown) {
    ErrorTable table = small_table();
    table.stacks = {{"Megatron core 2024", "dense"}, {"Trainer", "dense"}};
    table.programs = {{"Megatron core", "dense"}, {"Trainer", "dense"}};
    table.of_stack = {.shift = 0.09, .width = 0.21};
    const auto shift = [&](std::string_view stack, std::string_view model_template = "llama") {
        return table.of({"chip 2", stack, model_template, 8}).time.shift;
    };
    EXPECT_DOUBLE_EQ(shift("Megatron core 2026"), 0.09) << "a table without this interval";
    table.of_release = {.shift = 0.03, .width = 0.05};
    EXPECT_DOUBLE_EQ(shift("Megatron core 2024, eager"), 0.0);
    EXPECT_DOUBLE_EQ(shift("Megatron core 2026"), 0.03);
    EXPECT_DOUBLE_EQ(shift("Megatron core v0.9, eager"), 0.03);
    EXPECT_DOUBLE_EQ(table.of({"chip 2", "Megatron core 2026", "llama", 8}).time.width, 0.13)
        << "0.12 and 0.05";
    EXPECT_DOUBLE_EQ(shift("Megatron core of mine 2026"), 0.09) << "another program";
    EXPECT_DOUBLE_EQ(shift("Megatron 2026"), 0.09);
    EXPECT_DOUBLE_EQ(shift("2026"), 0.09);
    EXPECT_DOUBLE_EQ(shift("Trainer"), 0.0);
    EXPECT_DOUBLE_EQ(shift("Trainer, eager"), 0.0);
    EXPECT_DOUBLE_EQ(shift("Trainer 2"), 0.0) << "a name without a release holds all";
    EXPECT_DOUBLE_EQ(shift("Megatron core 2024", "mixtral"), 0.09) << "no mixture was compared";
    EXPECT_DOUBLE_EQ(shift("Megatron core 2026", "mixtral"), 0.09);
    EXPECT_DOUBLE_EQ(shift("Megatron core 2024", "resnet"), 0.0) << "of_operators";
}

TEST(ErrorTable, MemoryHasFamiliesOfItsOwn) {
    EXPECT_DOUBLE_EQ(small_table().of({"chip 1", "torchtitan 2024, eager", "llama", 8}).memory.width, 0.06);
    EXPECT_DOUBLE_EQ(small_table().of({"chip 1", "Megatron core 2024", "llama", 8}).memory.width, 0.12);
}

/// Peaks under software that was never compared are off by more, and to one side.
TEST(ErrorTable, PeaksOfUnknownSoftwareAreShifted) {
    ErrorTable table = small_table();
    table.stacks = {{"Megatron core"}};
    table.of_stack_memory = {.shift = 0.2, .width = 0.16};
    const auto peaks = [&](std::string_view stack) { return table.of({"chip 1", stack, "llama", 8}).memory; };
    EXPECT_DOUBLE_EQ(peaks("Mine 2026").shift, 0.2);
    EXPECT_DOUBLE_EQ(peaks("Mine 2026").width, 0.2) << "0.12 and 0.16";
    EXPECT_DOUBLE_EQ(peaks("Megatron core 2024").shift, 0.0) << "its steps were compared";
    EXPECT_DOUBLE_EQ(peaks("torchtitan 2024").shift, 0.0) << "its peaks were";
    EXPECT_DOUBLE_EQ(peaks("").shift, 0.0);
}

/// Prompts and deployments have families of their own, and models that were never trained.
TEST(ErrorTable, InferenceHasFamiliesOfItsOwn) {
    ErrorTable table = small_table();
    table.serving.templates = {{"gpt_oss", "experts"}};
    table.serving.prompts = {{"", "", "", "", {.width = 0.15}, 17, 2, 0},
                             {"", "", "", "vLLM", {.width = 0.30}, 20, 4, 0}};
    table.serving.first_token = {{"", "", "", "", {.width = 0.60}, 90, 9, 0}};
    table.serving.decode = {{"", "", "", "", {.width = 0.25}, 90, 9, 0},
                            {"experts", "", "", "", {.width = 0.22}, 40, 4, 0}};
    const auto width = [&](const ErrorTable::Case& which) { return table.of(which).time.width; };
    EXPECT_DOUBLE_EQ(width({"chip 1", "", "llama", 8, graph::Mode::prefill}), 0.15);
    EXPECT_DOUBLE_EQ(width({"chip 3", "", "llama", 8, graph::Mode::prefill}), 0.15) << "no device was fitted";
    EXPECT_DOUBLE_EQ(width({"chip 1", "vLLM 2025", "llama", 8, graph::Mode::prefill}), 0.30);
    EXPECT_DOUBLE_EQ(width({"chip 1", "vLLM 2025", "gpt_oss", 8, graph::Mode::decode}), 0.22);
    EXPECT_DOUBLE_EQ(width({"chip 3", "", "llama", 8, graph::Mode::serving}), std::hypot(0.25, 0.16));
    EXPECT_DOUBLE_EQ(width({"chip 1", "", "gpt_oss", 8}), std::hypot(0.20, 0.40)) << "not trained";
    EXPECT_DOUBLE_EQ(table.of_first_token({"chip 1", "vLLM 2025", "llama", 8, graph::Mode::serving}).width,
                     0.60);
    EXPECT_EQ(small_table().of_first_token({"chip 1", "", "llama", 8, graph::Mode::serving}).width, 0.0);
    table.serving.first_token.push_back(
        {"", "", "", "", {.width = 0.70}, 40, 4, 0, Tensors::any, Prompts::short_ones});
    table.serving.longest_short = 1024;
    ErrorTable::Case which{"chip 1", "", "llama", 8, graph::Mode::serving};
    EXPECT_DOUBLE_EQ(table.of_first_token(which).width, 0.60) << "of prompts of any length";
    which.prompt = 1024;
    EXPECT_DOUBLE_EQ(table.of_first_token(which).width, 0.70);
    which.prompt = 1025;
    EXPECT_DOUBLE_EQ(table.of_first_token(which).width, 0.60);
}

/// A generation whose training steps have rows, but whose servers have none, counts as unknown for servers.
TEST(ErrorTable, ServersOfAGenerationWithoutRowsAreWider) {
    ErrorTable table = small_table();
    table.serving.decode = {{"", "", "", "", {.width = 0.25}, 90, 9, 0},
                            {"", "new", "", "", {.width = 0.07}, 40, 4, 0}};
    table.serving.first_token = table.serving.decode;
    const auto width = [&](const char* device, graph::Mode mode) {
        return table.of({device, "", "llama", 8, mode}).time.width;
    };
    EXPECT_DOUBLE_EQ(width("chip 2", graph::Mode::serving), 0.07);
    EXPECT_DOUBLE_EQ(width("chip 1", graph::Mode::serving), std::hypot(0.25, 0.16));
    EXPECT_DOUBLE_EQ(width("chip 1", graph::Mode::decode), std::hypot(0.25, 0.16));
    EXPECT_DOUBLE_EQ(table.of_first_token({"chip 1", "", "llama", 8, graph::Mode::serving}).width,
                     std::hypot(0.25, 0.16));
    EXPECT_DOUBLE_EQ(width("chip 1", graph::Mode::training), time_width({"chip 1", "", "llama", 8}));
}

TEST(ErrorTable, NothingIsKnownWithoutATable) {
    const ErrorTable table;
    EXPECT_TRUE(table.empty());
    EXPECT_EQ(table.of({"chip 1", "", "llama", 8}).time.width, 0.0);
    EXPECT_TRUE(read_errors(config::Library({})).empty());
}

/// Every family of the shipped one is narrower than the wide ones with what they lack.
TEST(ErrorTable, TheShippedOneIsWhole) {
    const ErrorTable table = read_errors(config::Library({DSE_SOURCE_DIR}));
    ASSERT_FALSE(table.empty());
    EXPECT_GT(table.correlation, table.correlation_apart);
    EXPECT_GT(table.of_fits.shift, 0.0);
    EXPECT_GT(table.memory.front().interval.width, 0.0);
    const auto width = [&](const char* device, const char* model_template) {
        return table.of({device, "NeMo Megatron-Bridge 2025", model_template, 64}).time.width;
    };
    EXPECT_GT(width("NVIDIA GB300", "llama"), 0.02);
    const ErrorTable::Intervals idealized = table.of({"NVIDIA GB300", "", "llama", 64});
    EXPECT_GT(idealized.time.shift, 0.0);
    EXPECT_GT(idealized.memory.shift, 0.0);
    EXPECT_GT(idealized.time.width, width("NVIDIA GB300", "llama"));
    EXPECT_LT(width("NVIDIA GB300", "llama"), width("a chip without rows", "llama"));
    EXPECT_LT(width("a chip without rows", "llama"), width("a chip without rows", "resnet"));
    const auto under = [&](const char* stack, const char* model_template) {
        return table.of({"NVIDIA H200 SXM 141 GB", stack, model_template, 64}).time;
    };
    EXPECT_LT(under("torchtitan 2025", "llama").width, under("torchtitan 2031", "llama").width);
    EXPECT_LT(under("torchtitan 2031", "llama").width, under("Mine 2031", "llama").width);
    EXPECT_LT(under("torchtitan 2031", "llama").shift, under("Mine 2031", "llama").shift);
    EXPECT_DOUBLE_EQ(under("torchtitan 2025", "gpt_oss").shift, under("Mine 2031", "gpt_oss").shift);
}

}  // namespace
}  // namespace dse::eval

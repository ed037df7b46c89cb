// Also tests: passes/saved_values.cpp, passes/checkpoints.cpp
#include "dse/ir/passes/recomputation.hpp"

#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "dse/ir/passes/inline_calls.hpp"
#include "dse/ir/program/cost/program_cost.hpp"
#include "dse/ir/readers/read_program.hpp"
#include "ir/passes/symbolic_run.hpp"
#include "support/program_maker.hpp"
#include "support/source_dir.hpp"

namespace dse::ir {
namespace {

using test::ProgramMaker;
using test::SymbolicRun;

/// Bytes of values that are alive at most, each from the operation that makes it to the last that reads it;
/// arguments and results left out.
double peak(const Program& program) {
    const auto& operations = program[program.entry].operations;
    std::vector<std::int64_t> last(program.values.size(), -1);
    for (std::size_t i = 0; i < operations.size(); ++i) {
        for (const ValueId operand : program.operands(operations[i]))
            last[operand.index()] = static_cast<std::int64_t>(i);
    }
    for (const ValueId result : program[program.entry].results) last[result.index()] = -1;
    std::vector<double> change(operations.size() + 1, 0.0);
    for (std::size_t v = 0; v < program.values.size(); ++v) {
        const Value& value = program.values[v];
        if (value.owner != program.entry || value.operation < 0 || last[v] < 0) continue;
        change[static_cast<std::size_t>(value.operation)] += program.types.bytes(value.type);
        change[static_cast<std::size_t>(last[v]) + 1] -= program.types.bytes(value.type);
    }
    double alive = 0.0;
    double most = 0.0;
    for (const double bytes : change) most = std::max(most, alive += bytes);
    return most;
}

void expect_same_results(const Program& before, const Program& after) {
    validate(after);
    const SymbolicRun one(before);
    const SymbolicRun other(after);
    EXPECT_EQ(one.results(), other.results());
    for (const auto& [term, count] : one.made()) EXPECT_GE(other.made().at(term), count);
    // Nothing is made that was not made before.
    EXPECT_EQ(one.made().size(), other.made().size());
}

int count(const Program& program, Opcode opcode) {
    const auto& operations = program[program.entry].operations;
    return static_cast<int>(std::count_if(operations.begin(), operations.end(),
                                          [opcode](const Operation& o) { return o.opcode == opcode; }));
}

int repeated(const Program& program, Opcode opcode) {
    const auto& operations = program[program.entry].operations;
    return static_cast<int>(std::count_if(operations.begin(), operations.end(), [opcode](const Operation& o) {
        return o.opcode == opcode && o.repeats;
    }));
}

// Layers y = x + (exp(tanh(x·w)))·v, and their gradient: the one of v reads the exp, the one of w reads x,
// and in between dy·v, tanh and exp are read.
struct Training {
    ProgramMaker maker;
    explicit Training(int layers) {
        maker.open_entry();
        const auto type = maker.bf16({64, 64});
        auto x = maker.argument(type);
        struct Layer {
            ValueId x, w, v, t, e;
        };
        std::vector<Layer> saved;
        for (int i = 0; i < layers; ++i) {
            Layer layer{};
            layer.x = x;
            layer.w = maker.argument(type);
            layer.v = maker.argument(type);
            layer.t = maker.op(Opcode::tanh, type, {maker.dot(type, x, layer.w)});
            layer.e = maker.op(Opcode::exponential, type, {layer.t});
            x = maker.op(Opcode::add, type, {x, maker.dot(type, layer.e, layer.v)});
            saved.push_back(layer);
        }
        auto dy = x;
        std::vector<ValueId> gradients;
        for (auto layer = saved.rbegin(); layer != saved.rend(); ++layer) {
            gradients.push_back(maker.dot(type, layer->e, dy));
            auto de = maker.dot(type, dy, layer->v);
            de = maker.op(Opcode::multiply, type, {de, layer->e});
            de = maker.op(Opcode::multiply, type, {de, layer->t});
            gradients.push_back(maker.dot(type, layer->x, de));
            dy = maker.op(Opcode::add, type, {dy, maker.dot(type, de, layer->w)});
        }
        maker.results(gradients);
    }
};

TEST(Recomputation, SelectiveKeepsProductsAndMakesTheRestAgain) {
    const Training training(16);
    const Program after = recompute(training.maker.program, Recomputation::selective);
    expect_same_results(training.maker.program, after);
    EXPECT_EQ(repeated(after, Opcode::dot), 0);
    EXPECT_GT(repeated(after, Opcode::exponential), 8);
    EXPECT_EQ(count(after, Opcode::exponential), 16 + repeated(after, Opcode::exponential));
    EXPECT_EQ(program_cost(after).once.dot, program_cost(training.maker.program).once.dot);
    EXPECT_LT(peak(after), 0.8 * peak(training.maker.program));
}

TEST(Recomputation, FullRepeatsTheForwardPassBetweenCheckpoints) {
    const Training training(16);
    const Program after = recompute(training.maker.program, Recomputation::full);
    expect_same_results(training.maker.program, after);
    // Of a layer's two products the second makes what the next layer begins with: it is done again where that
    // is no checkpoint.
    const int again = repeated(after, Opcode::dot);
    EXPECT_GE(again, 12);
    EXPECT_LE(again, 32);
    const Cost before = program_cost(training.maker.program).once;
    const Cost cost = program_cost(after).once;
    EXPECT_EQ(cost.surplus, again * 2.0 * 64 * 64 * 64);
    EXPECT_EQ(cost.dot - cost.surplus, before.dot);
    EXPECT_LT(peak(after), 0.5 * peak(training.maker.program));
}

TEST(Recomputation, MemoryGrowsWithTheRootOfTheLayers) {
    // Chen: k checkpoints and n/k layers between two of them. Four times the layers, about twice the memory.
    const Training small(16);
    const Training large(64);
    const double ratio = peak(recompute(large.maker.program, Recomputation::full)) /
                         peak(recompute(small.maker.program, Recomputation::full));
    EXPECT_LT(ratio, 2.5);
    EXPECT_GT(peak(large.maker.program) / peak(small.maker.program), 3.8);
}

TEST(Recomputation, RandomNumbersAreNotMadeTwice) {
    ProgramMaker maker;
    maker.open_entry();
    const auto type = maker.bf16({64, 64});
    auto x = maker.argument(type);
    std::vector<ValueId> masks;
    for (int i = 0; i < 8; ++i) {
        masks.push_back(maker.op(Opcode::rng, type, {}));
        x = maker.op(Opcode::tanh, type, {maker.op(Opcode::multiply, type, {x, masks.back()})});
        masks.push_back(x);
    }
    for (auto mask = masks.rbegin(); mask != masks.rend(); ++mask)
        x = maker.op(Opcode::multiply, type, {x, *mask});
    maker.results({x});
    for (const Recomputation what : {Recomputation::selective, Recomputation::full}) {
        const Program after = recompute(maker.program, what);
        expect_same_results(maker.program, after);
        EXPECT_EQ(count(after, Opcode::rng), 8);
    }
}

TEST(Recomputation, RandomProgramsGiveTheSameResults) {
    std::mt19937 random{3};
    int changed = 0;
    for (int round = 0; round < 300; ++round) {
        ProgramMaker maker;
        maker.open_entry();
        const auto type = maker.bf16({8, 8});
        const auto groups = ProgramMaker::groups(DeviceGroups::iota(1, 2, {2}, {}));
        std::vector<ValueId> values{maker.argument(type), maker.argument(type)};
        const auto any = [&] { return values[random() % values.size()]; };
        for (int i = 0; i < 40; ++i) {
            switch (random() % 5) {
                case 0:
                    values.push_back(maker.dot(type, any(), any()));
                    break;
                case 1:
                    values.push_back(maker.op(Opcode::all_reduce, type, {any()}, groups));
                    break;
                case 2: {
                    const Operation parts = maker.many(Opcode::slice, {type, type}, {any()});
                    values.push_back(Program::result(parts, 0));
                    values.push_back(Program::result(parts, 1));
                    break;
                }
                case 3:
                    values.push_back(maker.op(Opcode::rng, type, {}));
                    break;
                default:
                    values.push_back(maker.op(Opcode::add, type, {any(), any()}));
            }
        }
        maker.results({values.back(), any(), any()});
        for (const Recomputation what : {Recomputation::selective, Recomputation::full}) {
            const Program after = recompute(maker.program, what);
            expect_same_results(maker.program, after);
            // What was done before is still done once that is no repetition.
            const Cost cost = program_cost(after).once;
            EXPECT_EQ(cost.dot - cost.surplus, program_cost(maker.program).once.dot);
            if (testing::Test::HasFailure()) FAIL() << "round " << round;
            const auto& operations = after[after.entry].operations;
            changed += std::any_of(operations.begin(), operations.end(),
                                   [](const Operation& operation) { return operation.repeats; });
        }
    }
    EXPECT_GT(changed, 100);
}

// Llama-3 8B of PyTorch over eight devices that hold a part of each layer: 35 GB, of which the logits and
// their gradient alone are 5 GB that nothing can spare.
TEST(Recomputation, LlamaTakesLessMemory) {
    const Program program = inline_calls(
        read_program(Source::file(DSE_SOURCE_DIR "/workloads/captures/torch/llama3_8b_tp8.fx.gz")));
    const Program selective = recompute(program, Recomputation::selective);
    const Program full = recompute(program, Recomputation::full);
    validate(selective);
    validate(full);
    EXPECT_EQ(repeated(selective, Opcode::dot), 0);
    EXPECT_LT(peak(selective), 0.5 * peak(program));
    EXPECT_LT(peak(full), 0.6 * peak(selective));
    const double dot = program_cost(program).once.dot;
    const Cost cost = program_cost(full).once;
    EXPECT_EQ(cost.dot - cost.surplus, dot);
    // The forward pass is a third of the work; the products of its last stretch, and those that only the
    // next layer reads, are not done again.
    EXPECT_GT(cost.surplus, 0.15 * dot);
    EXPECT_LT(cost.surplus, 1.0 / 3.0 * dot);
}

}  // namespace
}  // namespace dse::ir

// Random sharded programs, run whole and, partitioned, on as many simulated devices: the same numbers.
#include "ir/partition/simulated_devices.hpp"

#include <random>

#include <gtest/gtest.h>

#include "dse/ir/partition/partition.hpp"
#include "dse/ir/passes/reduce_scatter.hpp"
#include "dse/ir/program/cost/program_cost.hpp"
#include "ir/partition/random_program.hpp"

namespace dse::ir {
namespace {

using test::Numbers;
using test::RandomProgram;
using test::SimulatedDevices;

constexpr std::size_t devices = 8;  // 4 x 2, row-major

// The number of a device's part along axes: row-major over them.
std::int64_t part_number(std::size_t device, const std::vector<AxisRef>& axes) {
    const std::array<std::int64_t, 2> sizes{4, 2};
    const std::array<std::int64_t, 2> at{static_cast<std::int64_t>(device) / 2,
                                         static_cast<std::int64_t>(device) % 2};
    std::int64_t number = 0;
    for (const AxisRef& axis : axes) {
        const std::int64_t below = sizes.at(axis.axis) / (axis.pre_size * axis.size);
        number = number * axis.size + at.at(axis.axis) / below % axis.size;
    }
    return number;
}

SimulatedDevices::Everywhere distributed(const Numbers& whole, const RandomProgram::Stated& axes) {
    SimulatedDevices::Everywhere result;
    for (std::size_t device = 0; device < devices; ++device) {
        Numbers mine = whole;
        for (std::size_t d = 0; d < axes.size(); ++d) {
            const std::int64_t size = whole.sizes[d] / parts_of(axes[d]);
            mine = mine.part(d, part_number(device, axes[d]) * size, size);
        }
        result.push_back(std::move(mine));
    }
    return result;
}

std::string written(const Program& program) {
    std::string text;
    for (const Computation& computation : program.computations)
        for (const Operation& operation : computation.operations) {
            text += name(operation.opcode);
            for (const ValueId operand : program.operands(operation))
                text += ' ' + std::to_string(operand.index());
            text += ' ' + program.types.text(program.type_of(Program::result(operation))) + '\n';
        }
    return text;
}

class RandomPrograms : public testing::TestWithParam<int> {};

// What is wrong with the partitioned program; empty: nothing.
std::string fault(const RandomProgram& random, std::uint64_t seed) {
    std::mt19937_64 numbers{seed};
    std::vector<SimulatedDevices::Everywhere> whole;
    std::vector<SimulatedDevices::Everywhere> parts;
    const Computation& main = random.program[random.main];
    for (std::size_t a = 0; a < main.arguments.size(); ++a) {
        Numbers argument{random.sizes(main.arguments[a])};
        for (std::int64_t& element : argument.data) element = static_cast<std::int64_t>(numbers() % 1000);
        whole.push_back({argument});
        parts.push_back(distributed(argument, random.argument_axes[a]));
    }
    const auto expected = SimulatedDevices{random.program, 1}.run(whole);
    const Program local = partitioned(random.program);
    for (const Program& program : {local, create_reduce_scatters(local)}) {
        try {
            const auto results = SimulatedDevices{program, devices}.run(parts);
            for (std::size_t r = 0; r < results.size(); ++r)
                if (results[r] != distributed(expected[r][0], random.result_axes[r]))
                    return "result " + std::to_string(r) + " differs\n" + written(program);
        } catch (const std::logic_error& error) {
            return error.what() + ("\n" + written(program));
        }
    }
    // No device does more than all of the work, and all together do at least that.
    const double work = program_cost(random.program).by_trips.dot;
    const double mine = program_cost(local).by_trips.dot;
    const bool lost = mine > work || mine * static_cast<double>(devices) < work;
    return lost ? "work is lost\n" + written(local) : "";
}

TEST_P(RandomPrograms, ComputeTheSameOnAllDevicesTogether) {
    int padded = 0;
    int halos = 0;
    for (int i = 0; i < 75; ++i) {
        const auto seed = static_cast<std::uint64_t>(GetParam() * 1000 + i);
        const RandomProgram random{seed};
        try {
            ASSERT_EQ(fault(random, seed), "") << "seed " << seed << ", whole:\n" << written(random.program);
        } catch (const test::UnevenShards&) {
            ++padded;
        } catch (const test::ExchangedHalos&) {
            ++halos;
        }
    }
    EXPECT_LT(padded, 15);
    EXPECT_LT(halos, 15);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, testing::Range(0, 4));

// Each device is in one group of every collective.
TEST(RandomPrograms, GroupsArePartitionsOfTheDevices) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Program local = partitioned(RandomProgram{seed}.program);
        for (const Attribute& attribute : local.attributes) {
            const auto* communication = std::get_if<Communication>(&attribute);
            if (communication == nullptr || !communication->pairs.empty()) continue;
            std::vector<std::int64_t> all;
            for (const auto& group : communication->groups.members(devices))
                all.insert(all.end(), group.begin(), group.end());
            std::sort(all.begin(), all.end());
            std::vector<std::int64_t> everybody(devices);
            std::iota(everybody.begin(), everybody.end(), 0);
            ASSERT_EQ(all, everybody) << "seed " << seed;
        }
    }
}

TEST(RandomPrograms, ArePartitionedAlikeEachTime) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const RandomProgram random{seed};
        ASSERT_EQ(written(partitioned(random.program)), written(partitioned(random.program))) << seed;
    }
}

}  // namespace
}  // namespace dse::ir

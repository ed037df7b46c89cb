// Also tests: bound_machines.cpp, bound_network.cpp
#include "dse/eval/bounder.hpp"

#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "eval/sweeps.hpp"

namespace dse::eval {
namespace {

using test::SweepFiles;

const std::string priced = "{base: h100_ndr400, facility: {pue: 1.2, electricity_price: 0.1 USD/kWh}}";

/// Layouts, some of which do not fit, on machines of which each axis has another role.
const std::string machines =
    "axes:\n"
    "  tp: [1, 2, 3, 8]\n"
    "  pp: [1, 2]\n"
    "  zero: [0, 3]\n"
    "  recompute: [none, full]\n"
    "  cluster.network.scale_up.domain: [4, 8, 16]\n"
    "  cluster.network.scale_out.bandwidth: [400 Gbps, 50 Gbps, 800 Gbps]\n"
    "  cluster.network.scale_out.latency: [5 us, 20 us]\n"
    "  cluster.device.memory.capacity: [40 GiB, 80 GiB]\n"
    "  cluster.device.memory.bandwidth: [2000 GB/s, 3350 GB/s]\n"
    "derive:\n"
    "  cluster.device.price: (2 + cluster.network.scale_out.bandwidth / 50e9 + "
    "0.05 * log2(cluster.network.scale_up.domain)) / 3600\n";

const std::vector<std::string> metrics_with_bounds{"iteration_time", "memory_peak", "energy", "cost"};

class MachineBounderTest : public testing::Test {
  protected:
    MachineBounderTest() {
        Evaluator evaluator{sweep_};
        for (const space::Point& point : test::points_of(sweep_))
            evaluator.evaluate(point, answers_[point.id]);
    }

    [[nodiscard]] bool contains(const space::Box& box, std::uint64_t id) const {
        for (std::size_t i = 0; i < box.axes.size(); ++i) {
            const std::uint64_t digit = id / space().stride(i) % space().axes()[i].values.count();
            if (digit < box.axes[i].first || digit >= box.axes[i].first + box.axes[i].count) return false;
        }
        return true;
    }

    /// One layout, and a run of each axis of the machine.
    space::Box draw(std::mt19937_64& random) const {
        space::Box box;
        for (std::size_t i = 0; i < space().axes().size(); ++i) {
            const std::uint64_t count = space().axes()[i].values.count();
            const std::uint64_t first = random() % count;
            box.axes.push_back({first, bounder_.is_enumerated(i) ? 1 : 1 + random() % (count - first)});
        }
        return box;
    }

    [[nodiscard]] const space::Space& space() const { return *sweep_.space; }

    SweepFiles files_;
    study::Sweep sweep_{files_.load(SweepFiles::llama(machines, "", priced))};
    MachineBounder bounder_{sweep_};
    std::map<std::uint64_t, space::Record> answers_;
};

TEST_F(MachineBounderTest, NoPointOfABoxIsBetterThanItsBounds) {
    std::mt19937_64 random{7};
    std::uint64_t compared = 0;
    std::uint64_t infeasible = 0;
    for (int n = 0; n < 400; ++n) {
        const space::Box box = draw(random);
        const space::Bounds bounds = bounder_.bounds(box);
        infeasible += bounds.infeasible ? 1U : 0U;
        for (const auto& [id, record] : answers_) {
            if (record.status != space::Status::ok || !contains(box, id)) continue;
            ASSERT_FALSE(bounds.infeasible) << id;
            for (const std::string& name : metrics_with_bounds) {
                const auto member = metrics::metric_field(name).member;
                ASSERT_LE(bounds.best.*member, record.metrics.*member) << name << " of " << id;
            }
            ASSERT_GE(bounds.best.tokens_per_second, record.metrics.tokens_per_second);
            ++compared;
        }
    }
    EXPECT_GT(compared, 1000U);
    EXPECT_GT(infeasible, 20U);
}

TEST_F(MachineBounderTest, TheBoundsOfAPointAreItsAnswer) {
    for (const auto& [id, record] : answers_) {
        space::Box box;
        for (std::size_t i = 0; i < space().axes().size(); ++i)
            box.axes.push_back({id / space().stride(i) % space().axes()[i].values.count(), 1});
        const space::Bounds bounds = bounder_.bounds(box);
        ASSERT_EQ(bounds.infeasible, record.status != space::Status::ok) << record.reason;
        if (bounds.infeasible) continue;
        ASSERT_EQ(bounds.best.memory_peak, record.metrics.memory_peak);
        ASSERT_NEAR(bounds.best.iteration_time / record.metrics.iteration_time, 1.0, 2e-6);
        ASSERT_NEAR(bounds.best.energy / record.metrics.energy, 1.0, 2e-6);
        ASSERT_NEAR(bounds.best.cost / record.metrics.cost, 1.0, 2e-6);
    }
}

TEST_F(MachineBounderTest, AreTheSameWhateverCameBefore) {
    std::mt19937_64 random{3};
    for (int n = 0; n < 20; ++n) {
        const space::Box box = draw(random);
        MachineBounder fresh{sweep_};
        const space::Bounds a = bounder_.bounds(box);
        const space::Bounds b = fresh.bounds(box);
        EXPECT_EQ(a.infeasible, b.infeasible);
        EXPECT_EQ(test::bits_of(a.best), test::bits_of(b.best));
    }
}

TEST_F(MachineBounderTest, SaysNothingOfSeveralLayouts) {
    const space::Bounds bounds = bounder_.bounds(space::whole(space()));
    EXPECT_FALSE(bounds.infeasible);
    EXPECT_TRUE(std::isnan(bounds.best.iteration_time));
}

TEST_F(MachineBounderTest, KnowsWhichMetricsItBounds) {
    EXPECT_TRUE(bounder_.knows({"cost"}));
    EXPECT_FALSE(bounder_.is_enumerated(5));
    EXPECT_FALSE(bounder_.knows({"iteration_time", metrics::Direction::maximize}));
    EXPECT_TRUE(bounder_.knows({"tokens_per_second", metrics::Direction::maximize}));
    EXPECT_FALSE(bounder_.knows({"mfu", metrics::Direction::maximize}));
}

TEST(MachineBounder, RefusesWhereTheLemmaDoesNotHold) {
    const SweepFiles files;
    const auto refusal = [&](const std::string& rest, const std::string& workload = "") {
        const study::Sweep sweep = files.load(SweepFiles::llama(rest, workload));
        try {
            const MachineBounder bounder{sweep};
            return std::string{};
        } catch (const InputError& error) {
            return std::string{error.what()};
        }
    };
    EXPECT_EQ(refusal("axes: {tp: [1, 2]}\n"), "");
    EXPECT_THAT(refusal("axes: {tp: [1, 2]}\nfidelity: {engine: event}\n"),
                testing::HasSubstr("engine: event"));
    EXPECT_THAT(refusal("axes: {tp: [1, 2]}\n", "mode: prefill"), testing::HasSubstr("inference"));
}

}  // namespace
}  // namespace dse::eval

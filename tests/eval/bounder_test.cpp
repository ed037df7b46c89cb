// Also tests: bound_machines.cpp, bound_network.cpp
#include "dse/eval/bounder.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <utility>

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

/// Networks that are priced: those that are faster cost more, and so do those with fewer devices a port.
const std::string networks =
    "axes:\n"
    "  tp: [1, 2, 8]\n"
    "  pp: [1, 2]\n"
    "  recompute: [none, full]\n"
    "  cluster.network.scale_up.domain: [16, 8, 32]\n"
    "  cluster.network.scale_up.bandwidth: [450 GB/s, 900 GB/s]\n"
    "  cluster.network.scale_out.bandwidth: [400 Gbps, 50 Gbps, 800 Gbps]\n"
    "  cluster.network.scale_out.oversubscription: [1, 4, 2]\n"
    "  cluster.network.prices.optics: [0.05 USD/h, 0.5 USD/h]\n"
    "  cluster.network.prices.tiers: [2, 3]\n";
const std::string with_prices =
    "{base: h100_ndr400, device: {price: 2.5 USD/h}, network: {prices: {scale_out_rate: 400 Gbps, nic: 0.12 "
    "USD/h, "
    "port: 0.5 USD/h, scale_up_rate: 450 GB/s, scale_up: 0.2 USD/h, scale_up_doubling: 0.1 USD/h}}}";

/// Machines that follow from axes without a field of their own, from a layout, and from a condition.
const std::string derived_machines =
    "axes:\n"
    "  machine: [{cluster.device: h100_sxm, facility.pue: 1.2}, {cluster.device: a100_80_sxm, facility.pue: "
    "1.1}]\n"
    "  tp: [1, 2, 8]\n"
    "  slower: [1, 3]\n"
    "  cluster.network.scale_out.latency: {values: [5 us, 20 us], when: tp > 1}\n"
    "  zero: [0, 3]\n"
    "  cluster.host.launch_time: [4 us, 8 us, 2 us, 6 us, 5 us]\n"
    "  cluster.device.memory.bandwidth: {from: 1 TB/s, to: 3.5 TB/s, count: 6}\n"
    "derive:\n"
    "  cluster.network.scale_out.bandwidth: 50e9 / slower\n"
    "  cluster.network.scale_up.bandwidth: 450e9 / (1 if tp < 8 else 4)\n"
    "  cluster.device.price: (4 - slower) / 3600.0\n";

struct Machines {
    const char* name;
    std::string axes;
    std::string cluster;
    std::uint64_t least_infeasible;  ///< of the boxes that are drawn
};

const std::vector<std::string> metrics_with_bounds{"iteration_time", "memory_peak", "energy", "cost"};

class MachineBounderTest : public testing::TestWithParam<Machines> {
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
    study::Sweep sweep_{files_.load(SweepFiles::llama(GetParam().axes, "", GetParam().cluster))};
    MachineBounder bounder_{sweep_};
    std::map<std::uint64_t, space::Record> answers_;
};

TEST_P(MachineBounderTest, NoPointOfABoxIsBetterThanItsBounds) {
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
    EXPECT_GE(infeasible, GetParam().least_infeasible);
}

TEST_P(MachineBounderTest, TheBoundsOfAPointAreItsAnswer) {
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

TEST_P(MachineBounderTest, AreTheSameWhateverCameBefore) {
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

TEST_P(MachineBounderTest, SaysNothingOfSeveralLayouts) {
    const space::Bounds bounds = bounder_.bounds(space::whole(space()));
    EXPECT_FALSE(bounds.infeasible);
    EXPECT_TRUE(std::isnan(bounds.best.iteration_time));
}

TEST_P(MachineBounderTest, KnowsWhichMetricsItBounds) {
    EXPECT_TRUE(bounder_.knows({"cost"}));
    EXPECT_TRUE(bounder_.is_enumerated(0));
    EXPECT_FALSE(bounder_.is_enumerated(5));
    EXPECT_FALSE(bounder_.knows({"iteration_time", metrics::Direction::maximize}));
    EXPECT_TRUE(bounder_.knows({"tokens_per_second", metrics::Direction::maximize}));
    EXPECT_FALSE(bounder_.knows({"mfu", metrics::Direction::maximize}));
}

INSTANTIATE_TEST_SUITE_P(All, MachineBounderTest,
                         testing::Values(Machines{"machines", machines, priced, 20},
                                         Machines{"networks", networks, with_prices, 0},
                                         Machines{"derived", derived_machines, priced, 0}),
                         [](const auto& named) { return std::string{named.param.name}; });

// Memory costs money and saves no time: of a box in which only the memory varies, the cheapest machine is the
// one with the least memory in which the layout fits. Its bounds are that machine's, which is also the point
// to try.
TEST(MachineBounder, CostsMachinesInWhichTheLayoutFits) {
    const SweepFiles files;
    const study::Sweep sweep = files.load(SweepFiles::llama(
        "axes:\n"
        "  tp: [1, 2, 8]\n"
        "  zero: [0, 3]\n"
        "  recompute: [none, full]\n"
        "  cluster.device.memory.capacity: {from: 10 GiB, to: 80 GiB, count: 8}\n"
        "derive:\n"
        "  cluster.device.price: (1 + cluster.device.memory.capacity / 1073741824 / 40) / 3600\n",
        "", priced));
    const space::Space& space = *sweep.space;
    const std::size_t capacity = 3;
    std::map<std::vector<std::uint64_t>, std::map<std::uint64_t, space::Record>> layouts;
    Evaluator evaluator{sweep};
    for (const space::Point& point : test::points_of(sweep)) {
        std::vector<std::uint64_t> digits;
        for (std::size_t i = 0; i < space.axes().size(); ++i)
            digits.push_back(point.id / space.stride(i) % space.axes()[i].values.count());
        const std::uint64_t own = std::exchange(digits[capacity], 0);
        evaluator.evaluate(point, layouts[digits][own]);
    }
    MachineBounder bounder{sweep};
    int need_more = 0;
    for (const auto& [digits, answers] : layouts) {
        space::Box box;
        for (const std::uint64_t digit : digits) box.axes.push_back({digit, 1});
        box.axes[capacity] = {0, space.axes()[capacity].values.count()};
        const space::Bounds bounds = bounder.bounds(box);
        const auto fits = std::find_if(answers.begin(), answers.end(), [](const auto& answer) {
            return answer.second.status == space::Status::ok;
        });
        ASSERT_EQ(bounds.infeasible, fits == answers.end());
        if (bounds.infeasible) continue;
        need_more += fits->first > 0 ? 1 : 0;
        EXPECT_NEAR(bounds.best.cost / fits->second.metrics.cost, 1.0, 2e-6);
        EXPECT_LE(bounds.best.cost, fits->second.metrics.cost);
        EXPECT_EQ(bounder.promising(box)[capacity], fits->first);
    }
    EXPECT_GT(need_more, 4);
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
    EXPECT_THAT(refusal("axes: {tp: [1, 2]}\nderive: {engine: \"'event' if tp > 1 else 'folded'\"}\n"),
                testing::HasSubstr("where 'engine' varies"));
    EXPECT_THAT(refusal("axes: {tp: [1, 2]}\n", "mode: prefill"), testing::HasSubstr("inference"));
}

}  // namespace
}  // namespace dse::eval

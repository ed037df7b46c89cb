#include "synth/layerdag/perceptron.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dse/base/error.hpp"

namespace dse::synth {
namespace {

nlohmann::json linear_json() {
    // 0.5 · (1 2 -4 0 2), 2 · (3 0 0 1 -1)
    return {{"worth", {0.5, 2.0}}, {"weights", {1, 2, -4, 0, 2, 3, 0, 0, 1, -1}}, {"bias", {0.25, -1.0}}};
}

TEST(Perceptron, ALinearMapIsItsRowsTimesWhatTheyAreWorth) {
    const Linear linear = Linear::from_json(linear_json(), 2, 5);
    Vector output;
    linear.apply(std::array{1.0, 1.0, 1.0, 1.0, 1.0}, output);
    EXPECT_EQ(output, (Vector{0.5 + 0.25, 6.0 - 1.0}));
    EXPECT_EQ(linear.row(1)[0], 6.0);
    EXPECT_THROW(Linear::from_json(linear_json(), 5, 2), InputError);
    nlohmann::json endless = linear_json();
    endless["worth"][0] = 1e308;
    endless["weights"][0] = 1e308;
    EXPECT_THROW(Linear::from_json(endless, 2, 5), InputError);
}

TEST(Perceptron, NothingPassesBetweenItsMapsThatIsBelowZero) {
    const nlohmann::json second{{"worth", {1.0}}, {"weights", {10, 1}}, {"bias", {3.0}}};
    const Perceptron perceptron = Perceptron::from_json({linear_json(), second}, 5, 2, 1);
    Vector hidden;
    Vector output;
    perceptron.apply(std::array{1.0, 1.0, 1.0, 1.0, 1.0}, hidden, output);
    EXPECT_EQ(output, (Vector{10 * 0.75 + 5.0 + 3.0}));
    perceptron.apply(std::array{1.0, 1.0, 1.0, 1.0, 4.0}, hidden, output);
    EXPECT_EQ(output, (Vector{10 * 3.75 + 3.0})) << "of -1 and 3.75";
}

TEST(Perceptron, ExponentialsAreThose) {
    EXPECT_EQ(exponential(0.0), 1.0);
    EXPECT_EQ(exponential(-701.0), 0.0);
    for (double x = -60.0; x < 0.0; x += 0.37) EXPECT_NEAR(exponential(x) / std::exp(x), 1.0, 1e-11) << x;
}

TEST(Perceptron, SoftmaxIsDrawnInItsProportions) {
    // e^0 : e^-ln2 : e^-ln4 = 4 : 2 : 1
    const std::array scores{5.0, 5.0 - std::log(2.0), 5.0 - std::log(4.0)};
    Random random{1};
    std::array<int, 3> times{};
    constexpr int draws = 70'000;
    for (int i = 0; i < draws; ++i) ++times[draw_softmax(scores, random)];
    EXPECT_NEAR(times[0], 40'000, 600);
    EXPECT_NEAR(times[1], 20'000, 600);
    EXPECT_NEAR(times[2], 10'000, 600);
}

}  // namespace
}  // namespace dse::synth

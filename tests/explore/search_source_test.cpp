#include "explore/search_source.hpp"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explore/sample_search.hpp"

namespace dse::explore::test {
namespace {

space::Record answered(const Trial& trial) {
    space::Record record;
    record.point = trial.point;
    record.status = space::Status::ok;
    try {
        bowl(trial.point, trial.fidelity, record);
    } catch (const ModelError& error) {
        record.status = space::Status::outside_validity;
        record.reason = error.what();
    }
    return record;
}

struct Played {
    std::string state;
    std::vector<std::vector<double>> points;  ///< by id
    std::size_t most_open{0};
};

/// Answers what a source hands out in an order of its own; \param seed  0: at once
Played play(Search& search, unsigned seed, Replay known = {}) {
    SearchSource source{search, std::move(known)};
    Played played;
    played.points.resize(search.size());
    std::mt19937 random{seed};
    std::vector<Trial> open;
    while (true) {
        while (auto trial = source.next()) {
            played.points[trial->point.id] = trial->point.values;
            open.push_back(std::move(*trial));
        }
        played.most_open = std::max(played.most_open, open.size());
        if (open.empty()) break;
        const std::size_t pick = seed == 0 ? 0 : random() % open.size();
        source.answer(answered(open[pick]));
        source.answer(answered(open[pick]));  // as a worker that was slow does
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(pick));
    }
    EXPECT_TRUE(source.exhausted());
    EXPECT_TRUE(source.complete());
    played.state = search.state();
    return played;
}

class AskAndTell : public testing::TestWithParam<std::size_t> {};

TEST_P(AskAndTell, AsksForTheSameInWhateverOrderRecordsCome) {
    Walk reference{200, 6, GetParam()};
    const Played expected = play(reference, 0);
    EXPECT_EQ(expected.most_open, 6 * (GetParam() + 1));
    EXPECT_LT(reference.best(), 2.0) << "from 10 where it starts";
    for (const unsigned seed : {1U, 2U, 3U}) {
        Walk walk{200, 6, GetParam()};
        const Played played = play(walk, seed);
        EXPECT_TRUE(walk.ids_in_order());
        EXPECT_EQ(played.state, expected.state);
        EXPECT_EQ(played.points, expected.points);
    }
}

INSTANTIATE_TEST_SUITE_P(Lags, AskAndTell, testing::Values(0, 1, 7));

TEST(SearchSource, DoesNotHandOutWhatIsKnown) {
    Walk whole{60, 5, 2};
    const Played expected = play(whole, 0);
    Replay known;
    for (std::uint64_t id = 0; id < 41; id += id < 20 ? 1 : 3) {
        known[id] = answered({{id, expected.points[id]}, {static_cast<std::uint32_t>(id % 2)}});
    }
    Walk walk{60, 5, 2};
    const std::size_t skipped = known.size();
    const Played rest = play(walk, 4, std::move(known));
    EXPECT_EQ(rest.state, expected.state);
    const auto handed_out = std::count_if(rest.points.begin(), rest.points.end(),
                                          [](const auto& values) { return !values.empty(); });
    EXPECT_EQ(static_cast<std::size_t>(handed_out), 60 - skipped);
}

TEST(SearchSource, RefusesRowsOfOtherPoints) {
    Replay known;
    known[1] = answered({{1, {0.25, 0.5}}, {}});
    Walk walk{60, 5, 2};
    EXPECT_THROW((SearchSource{walk, std::move(known)}), InputError);
}

TEST(SearchSource, HandsOutNoMoreThanTheLimit) {
    Walk walk{60, 5, 2};
    SearchSource source{walk, {}, 7};
    std::vector<Trial> trials;
    while (auto trial = source.next()) trials.push_back(std::move(*trial));
    EXPECT_EQ(trials.size(), 7U);
    EXPECT_TRUE(source.exhausted());
    for (const Trial& trial : trials) source.answer(answered(trial));
    EXPECT_FALSE(source.next());
    EXPECT_FALSE(source.complete());
}

/// Needs two moments more before each ask.
class SlowWalk final : public Search {
  public:
    [[nodiscard]] std::uint64_t size() const override { return walk_.size(); }
    [[nodiscard]] std::size_t lag() const override { return walk_.lag(); }
    [[nodiscard]] std::string state() const override { return walk_.state(); }
    bool prepare() override { return ++moments_ % 3 == 0; }
    std::vector<Trial> ask() override { return walk_.ask(); }
    void tell(std::span<const space::Record> records) override { walk_.tell(records); }

  private:
    Walk walk_{20, 5, 1};
    int moments_{0};
};

TEST(SearchSource, ComesBackToASearchThatNeedsTime) {
    SlowWalk slow;
    SearchSource source{slow, {}};
    EXPECT_FALSE(source.next()) << "it has had one moment when it began, and another now";
    EXPECT_FALSE(source.exhausted());
    EXPECT_FALSE(source.complete());
    std::vector<std::vector<double>> points;
    for (int call = 0; call < 1000 && !source.exhausted(); ++call) {
        const auto trial = source.next();
        if (!trial) continue;
        points.push_back(trial->point.values);
        source.answer(answered(*trial));
    }
    EXPECT_TRUE(source.complete());
    Walk walk{20, 5, 1};
    SearchSource swift{walk, {}};
    std::vector<std::vector<double>> same;
    while (const auto trial = swift.next()) {
        same.push_back(trial->point.values);
        swift.answer(answered(*trial));
    }
    EXPECT_EQ(points, same);
}

TEST(SearchSource, OfABudgetOfOneIsSoonDone) {
    Walk walk{1, 5, 3};
    const Played played = play(walk, 0);
    EXPECT_EQ(played.most_open, 1U);
}

}  // namespace
}  // namespace dse::explore::test

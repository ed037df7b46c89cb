#include "dse/explore/known_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/dist/local_channel.hpp"
#include "dse/explore/campaign.hpp"
#include "dse/explore/static_search.hpp"
#include "dse/results/row_schema.hpp"
#include "dse/space/identity.hpp"
#include "dse/space/space_text.hpp"
#include "support/temporary_folder.hpp"

namespace dse::explore::test {
namespace {

using SpacePointer = std::shared_ptr<const space::Space>;

results::ResultSchema schema_of(const SpacePointer& space) {
    results::ResultSchema schema = results::row_schema(*space, metrics::parse_objectives("iteration_time"));
    schema.sweep.facts = space::identity(*space);
    schema.sweep.facts.emplace_back("fidelity.engine", "folded");
    return schema;
}

class KnownRows : public ::testing::Test {
  protected:
    /// Results of a whole grid: the time is x, points with x = 4 do not fit.
    std::string walked(const std::string& yaml) {
        const SpacePointer space = space::parse_space(yaml);
        RunOptions options{.output = folder_.path("older.h5")};
        options.crash_records = false;
        dist::LocalNetwork network{1};
        run(
            *network.channel(0),
            [&] {
                Campaign campaign;
                campaign.search = static_search(space, "older");
                campaign.schema = schema_of(space);
                campaign.evaluator = []() -> Evaluate {
                    return [](const space::Point& point, Fidelity, space::Record& record) {
                        record.metrics.iteration_time = point.values[0];
                        if (point.values[0] == 4.0) record.status = space::Status::out_of_memory;
                        if (point.values[0] == 5.0) record.status = space::Status::failed;
                    };
                };
                return campaign;
            },
            options);
        return options.output.string();
    }
    [[nodiscard]] std::vector<space::Record> known(const std::string& yaml, const std::string& file) const {
        const SpacePointer space = space::parse_space(yaml);
        return known_rows(*space, schema_of(space), file);
    }
    [[nodiscard]] std::string refusal(const std::string& yaml, const std::string& file) const {
        try {
            static_cast<void>(known(yaml, file));
        } catch (const InputError& error) {
            return error.what();
        }
        return "taken";
    }
    dse::test::TemporaryFolder folder_;
};

TEST_F(KnownRows, AreThoseThatFitTheGrid) {
    const std::string file = walked("axes: {x: [1, 2, 3, 4, 5], kind: [ring, tree]}");
    const auto rows =
        known("axes: {kind: [mesh, tree], x: [5, 4, 2, 9]}\nderive: {y: 2 * x}\nrequire: [x > 0]", file);
    ASSERT_EQ(rows.size(), 2U) << "of tree: 2 and 4, since nothing is known of 5";
    EXPECT_EQ(rows[0].point.values, (std::vector<double>{1, 2, 4}));
    EXPECT_EQ(rows[0].metrics.iteration_time, 2.0);
    EXPECT_EQ(rows[1].point.values[1], 4.0);
    EXPECT_EQ(rows[1].status, space::Status::out_of_memory);
    EXPECT_TRUE(known("axes: {kind: [tree], x: [2]}\nrequire: [x > 2]", file).empty());
}

TEST_F(KnownRows, OfAnotherQuestionAreRefused) {
    const std::string file = walked("axes: {x: [1, 2]}");
    EXPECT_THAT(refusal("axes: {x: [1, 2], y: [1]}", file), ::testing::HasSubstr("have no 'y'"));
    const SpacePointer space = space::parse_space("axes: {x: [1, 2]}");
    results::ResultSchema other = schema_of(space);
    other.sweep.facts.back().second = "event";
    try {
        known_rows(*space, other, file);
        FAIL() << "taken";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("fidelity.engine is 'folded' there and 'event' here"));
    }
}

}  // namespace
}  // namespace dse::explore::test

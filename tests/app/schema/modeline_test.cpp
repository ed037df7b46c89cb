#include "app/schema/modeline.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

TEST(Modeline, NamesTheSchemaOfTheDataFolder) {
    const dse::test::TemporaryFolder folder;
    std::filesystem::create_directories(folder.path("hardware"));
    const config::Library library{{folder.path("")}};
    EXPECT_EQ(modeline("sweep", library), "") << "nothing to name";
    folder.write("schemas/sweep.json", "{}");
    EXPECT_EQ(modeline("sweep", library),
              "# yaml-language-server: $schema=" + folder.path("schemas/sweep.json") + "\n");
    EXPECT_EQ(modeline("model", library), "");
}

TEST(Modeline, BeginsWhatInitWrites) {
    const auto outcome = test::run_app({"init", "-o", "-"});
    EXPECT_THAT(outcome.out,
                testing::MatchesRegex("# yaml-language-server: \\$schema=/.*/schemas/sweep.json\n(.|\n)*"));
}

}  // namespace
}  // namespace dse::app

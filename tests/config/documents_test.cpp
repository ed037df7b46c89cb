#include "config/documents.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace dse::config {
namespace {

TEST(Documents, ReadsAFileOnce) {
    test::TemporaryFolder folder;
    const std::string file = folder.write("a.yaml", "power: 400 W\n");
    Documents documents;
    Diagnostics diagnostics;
    const auto first = documents.load(file, diagnostics);
    EXPECT_EQ(first->find("power")->text(), "400 W");
    folder.write("a.yaml", "power: 700 W\n");
    EXPECT_EQ(documents.load(file, diagnostics), first);
    EXPECT_EQ(Documents{}.load(file, diagnostics)->find("power")->text(), "700 W");
}

TEST(Documents, ReportsErrorsOfAFileEveryTime) {
    test::TemporaryFolder folder;
    const std::string file = folder.write("a.yaml", "power: 1\npower: 2\n");
    Documents documents;
    for (int round = 0; round < 2; ++round) {
        Diagnostics diagnostics;
        documents.load(file, diagnostics);
        EXPECT_EQ(diagnostics.error_count(), 1U) << "round " << round;
    }
    Diagnostics diagnostics;
    for (int round = 0; round < 2; ++round)
        EXPECT_THROW(documents.load(folder.path("none.yaml"), diagnostics), InputError);
}

TEST(Documents, ListsAFolderOnce) {
    test::TemporaryFolder folder;
    folder.write("devices/b.yaml", "");
    folder.write("devices/notes.txt", "");
    const std::vector<std::string> roots{folder.path(""), folder.path("none")};
    Documents documents;
    EXPECT_THAT(documents.names("devices", roots), testing::ElementsAre("b"));
    folder.write("devices/a.yaml", "");
    EXPECT_THAT(documents.names("devices", roots), testing::ElementsAre("b"));
    EXPECT_THAT(documents.names("clusters", roots), testing::IsEmpty());
    EXPECT_THAT(Documents{}.names("devices", roots), testing::ElementsAre("a", "b"));
}

}  // namespace
}  // namespace dse::config

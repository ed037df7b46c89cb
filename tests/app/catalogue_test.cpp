#include "app/catalogue.hpp"

#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "support/source_dir.hpp"

namespace dse::app {
namespace {

std::string text_of(const std::string& file) {
    std::ifstream stream{std::string{DSE_SOURCE_DIR} + "/" + file};
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

/// Where users read of a family.
const std::map<std::string, std::string> documents{
    {"samplers", "docs/search.md"},  {"searches", "docs/search.md"},       {"compute", "docs/compute.md"},
    {"network", "docs/networks.md"}, {"operators", "workloads/README.md"}, {"passes", "docs/programs.md"},
    {"engines", "docs/sweeps.md"}};

TEST(Catalogue, EveryNameOfARegistryStandsInItsDocument) {
    std::size_t found = 0;
    for (const Family& family : catalogue()) {
        const auto document = documents.find(family.name);
        if (document == documents.end()) continue;
        ++found;
        const std::string text = text_of(document->second);
        for (const Entry& entry : family.entries)
            EXPECT_NE(text.find(entry.name), std::string::npos)
                << entry.name << " of " << family.name << " is not in " << document->second;
    }
    EXPECT_EQ(found, documents.size());
}

}  // namespace
}  // namespace dse::app

#include "dse/config/outline.hpp"

#include <gtest/gtest.h>

namespace dse::config {
namespace {

struct Link {
    double share{0.5};
    std::int64_t lanes{2};
    BytesPerSecond bandwidth;
};

template <class Visitor>
void describe(Visitor& v, Link& link) {
    v.optional("share", link.share, share, "of traffic");
    v.optional("lanes", link.lanes, at_least(1), "side by side");
    v.required("bandwidth", link.bandwidth, positive, "of all lanes");
    v.renamed("width", "lanes", "side by side");
}

struct Host {
    std::string name{"none"};
    Link link;
    std::vector<Link> events;
};

template <class Visitor>
void describe(Visitor& v, Host& host) {
    v.optional("name", host.name, "for people");
    v.section("link", host.link, "to others");
    v.from_library("nic", host.link, "hardware/nics", "card");
    v.records("events", host.events, "what happened");
}

TEST(Outline, HasDefaultsRangesAndPaths) {
    const std::vector<Outline> members = outline_of<Host>("system");
    ASSERT_EQ(members.size(), 4U);
    EXPECT_EQ(members[0].standard, "none");
    EXPECT_FALSE(members[0].required);
    EXPECT_EQ(members[1].kind, Outline::Kind::section);
    EXPECT_TRUE(members[1].required);
    const std::vector<Outline>& link = members[1].members;
    ASSERT_EQ(link.size(), 3U);
    EXPECT_EQ(link[0].info.path, "system.link.share");
    EXPECT_EQ(link[0].standard, "0.5");
    EXPECT_EQ(link[1].standard, "2");
    EXPECT_EQ(format_range(link[1].info), "at least 1");
    EXPECT_TRUE(link[2].required);
    EXPECT_EQ(link[2].standard, "");
    EXPECT_EQ(unit_of(link[2].info.dimension), "B/s");
}

TEST(Outline, KnowsFilesAndLists) {
    const std::vector<Outline> members = outline_of<Host>();
    EXPECT_EQ(members[2].kind, Outline::Kind::library);
    EXPECT_EQ(members[2].folder, "hardware/nics");
    EXPECT_EQ(members[3].kind, Outline::Kind::records);
    EXPECT_EQ(members[3].members.size(), 3U);
}

}  // namespace
}  // namespace dse::config

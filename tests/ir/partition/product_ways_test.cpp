#include "ir/partition/product_ways.hpp"

#include <gtest/gtest.h>

#include "ir/partition/product_way.hpp"
#include "ir/partition/sharded_program.hpp"

namespace dse::ir::partition {
namespace {

using test::data;
using test::model;
using test::ShardedProgram;

const Axes mesh{data, model};

std::vector<const Relation*> products_of(const std::vector<Relation>& all) {
    std::vector<const Relation*> products;
    for (const Relation& relation : all)
        if (relation.made && relation.rule().operands.size() == 2) products.push_back(&relation);
    return products;
}

// Two products of equal sizes and one that is larger, in all layouts: each time the way of its own.
TEST(ProductWays, AreThoseOfEachProduct) {
    ShardedProgram p;
    p.product(p.argument({64, 64}), p.argument({64, 64}));
    p.product(p.argument({64, 64}), p.argument({64, 64}));
    p.product(p.argument({64, 4096}), p.argument({4096, 64}));
    const Slots slots{p.program};
    const auto all = relations(p.program, slots);
    const std::vector<Layout> layouts{{{}, {}}, {{data}, {}}, {{}, {model}}, {{data}, {model}}};
    ProductWays ways{slots, mesh};
    const auto products = products_of(all);
    ASSERT_EQ(products.size(), 3U);
    for (const Relation* product : products) {
        for (const Layout& lhs : layouts) {
            for (const Layout& rhs : layouts) {
                const std::vector<const Layout*> arrays{&lhs, &rhs, &layouts[1]};
                const auto alone = product_way(*product, slots, arrays, mesh);
                const auto& found = ways.of(*product, arrays);
                ASSERT_EQ(alone.has_value(), found.has_value());
                EXPECT_EQ(alone->axes, found->axes);
                EXPECT_EQ(alone->summing, found->summing);
                EXPECT_EQ(alone->stops, found->stops);
                EXPECT_EQ(alone->group, found->group);
            }
        }
    }
}

// What was found first serves all products like it.
TEST(ProductWays, AreSharedByAlikeProducts) {
    ShardedProgram p;
    p.product(p.argument({64, 64}), p.argument({64, 64}));
    p.product(p.argument({64, 64}), p.argument({64, 64}));
    p.product(p.argument({64, 32}), p.argument({32, 64}));
    const Slots slots{p.program};
    const auto all = relations(p.program, slots);
    const Layout rows{{data}, {}};
    const Layout whole{{}, {}};
    const Layout again = rows;
    ProductWays ways{slots, mesh};
    const auto products = products_of(all);
    ASSERT_EQ(products.size(), 3U);
    const auto* first = &ways.of(*products[0], {&rows, &whole, &rows});
    EXPECT_EQ(&ways.of(*products[1], {&again, &whole, &again}), first);
    EXPECT_NE(&ways.of(*products[1], {&whole, &whole, &rows}), first);
    EXPECT_NE(&ways.of(*products[2], {&rows, &whole, &rows}), first);
}

}  // namespace
}  // namespace dse::ir::partition

#include "space/search_spec_yaml.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tiny_sweep.hpp"

namespace dse::space {
namespace {

/// The errors of a sweep with one axis and this section.
config::Diagnostics errors_of(const std::string& search) {
    config::Diagnostics diagnostics;
    testing::try_compile("axes:\n  tp: [1]\nsearch: " + search + "\n", diagnostics);
    return diagnostics;
}

struct BadSearch {
    const char* text;
    const char* message;
};

TEST(SearchSpecYaml, SaysWhatIsWrongAndWhere) {
    const BadSearch cases[] = {
        {"{method: grit}", "sweep.yaml:3:18: error: search.method: unknown search method"},
        {"{method: random}", "needs a budget"},
        {"nsga2", "write search: {method: nsga2}"},
        {"{budget: 300}", "it has no budget (a search has one"},
        {"{method: nsga2}", "needs a budget"},
        {"{method: random, budget: 5, time_budget: 3 s}", "search.time_budget"},
        {"{method: nsga2, time_budget: 3}", "search.time_budget"},
        {"{method: nsga2, budget: 5, from: old.h5}", "'from' is a list"},
        {"{method: nsga2, budget: 5, from: [no.h5]}", "there is no results file"},
        {"{method: grid, from: []}", "does not choose points by the answers"},
        {"{method: sobol, budget: 1, cpu_budget: 3 h}", "search.cpu_budget"},
        {"{method: screen}", "'screen' needs a budget"},
        {"{method: screen, budget: 1, from: []}", "whatever 'from' knows of it"},
        {"{method: grid, budget: 5}", "sweep.yaml:3:32: error: search.budget"},
        {"{method: random, budget: 5, seed: -1}", "a seed is not negative"},
        {"{methd: random}", "unknown key 'methd'"},
        {"{method: nsga3, budget: 5}", "did you mean 'nsga2'?"},
        {"{method: nsga2}", "'nsga2' needs a budget"},
        {"{method: [nsga2, refin], budget: 5}", "did you mean 'refine'?"},
        {"{method: [sobol, refine], budget: 5}", "name it alone"},
        {"{method: [nsga2, [a]], budget: 5}", "expected a method, found"},
        {"{method: nsga2, budget: 5, population: 3}", "search.population"},
        {"{method: nsga2, budget: 5, patience: -3}", "search.patience"},
        {"{method: [nsga2, proven], budget: 5}", "ends with everything: name it alone"},
        {"{method: [nsga2, screen], budget: 5}", "'screen' evaluates every point: name it alone"},
        {"{method: proven, tolerance: 200 %}", "a tolerance is a share from 0 to 1"},
        {"{method: nsga2, budget: 5, tolerance: 1 %}", "'nsga2' proves nothing"},
    };
    for (const BadSearch& bad : cases) {
        const std::string errors = errors_of(bad.text).text();
        EXPECT_NE(errors.find(bad.message), std::string::npos) << bad.text << "\n" << errors;
    }
}

TEST(SearchSpecYaml, ReportsABudgetThatIsNoNumberOnce) {
    EXPECT_EQ(errors_of("{method: random, budget: 12.5}").error_count(), 1U);
}

TEST(SearchSpecYaml, ReadsMethodsOneAfterTheOther) {
    config::Diagnostics diagnostics;
    const config::Node node =
        config::parse_yaml("{method: [nsga2, refine], budget: 9}", "s.yaml", diagnostics);
    const SearchSpec search = read_search(&node, {}, diagnostics);
    EXPECT_TRUE(diagnostics.ok()) << diagnostics.text();
    EXPECT_EQ(search.method, "nsga2");
    EXPECT_EQ(search.then, std::vector<std::string>{"refine"});
    EXPECT_EQ(search.budget, 9);
}

TEST(SearchSpecYaml, IsAGridWithoutASection) {
    config::Diagnostics diagnostics;
    EXPECT_EQ(read_search(nullptr, {}, diagnostics).method, "grid");
    Axis endless;
    endless.continuum = Continuum{0.1, 0.9, Continuum::Scale::linear};
    read_search(nullptr, {endless}, diagnostics);
    EXPECT_NE(diagnostics.text().find("a range without steps cannot be a grid"), std::string::npos);
}

TEST(SearchSpecYaml, ReadsSharesOfATolerance) {
    for (const char* text : {"1 %", "0.01"}) {
        config::Diagnostics diagnostics;
        const config::Node search = config::parse_yaml(
            std::string{"{method: proven, tolerance: "} + text + "}", "s.yaml", diagnostics);
        EXPECT_EQ(read_search(&search, {}, diagnostics).tolerance, 0.01) << diagnostics.text();
    }
}

}  // namespace
}  // namespace dse::space

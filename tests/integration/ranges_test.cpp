// Every number of a scenario has a declared range, and what lies outside of it is refused at its place: in
// files, on axes and by --set, which all read a value by the same field.
#include <charconv>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/config/field_index.hpp"
#include "dse/config/reader.hpp"
#include "dse/study/scenario.hpp"

namespace dse {
namespace {

using config::FieldInfo;
using config::FieldType;

bool is_number(const FieldInfo& field) {
    return field.type == FieldType::integer || field.type == FieldType::number ||
           field.type == FieldType::quantity;
}

/// Values just outside of the range of a field, as people write them.
std::vector<std::string> refused_values(const FieldInfo& field) {
    std::vector<std::string> values;
    const auto add = [&](double value) {
        values.push_back(field.type == FieldType::quantity
                             ? fmt::format("{} {}", value, config::unit_of(field.dimension))
                             : fmt::format("{}", value));
    };
    const config::Range& range = field.range;
    if (range.least > -config::Range::unlimited) add(range.above_least ? range.least : range.least - 1);
    if (range.most < config::Range::unlimited) add(range.most + 1);
    return values;
}

/// A document that says one value alone; of a list all items up to it.
std::string document(std::string_view path, const std::string& value) {
    const std::size_t dot = path.find('.');
    const std::string_view key = path.substr(0, dot);
    const std::string inner = dot == std::string_view::npos ? value : document(path.substr(dot + 1), value);
    std::string before;
    int index = 0;
    std::from_chars(key.data(), key.data() + key.size(), index);
    for (int i = 0; i < index; ++i) before += fmt::format("{}: {{}}, ", i);
    return fmt::format("{{{}{}: {}}}", before, key, inner);
}

std::string errors_of(const std::string& yaml) {
    config::Diagnostics diagnostics;
    study::Scenario scenario;
    const config::Node node = config::parse_yaml(yaml, "t.yaml", diagnostics);
    config::read_struct(node, scenario, nullptr, diagnostics);
    return diagnostics.text();
}

class Ranges : public testing::Test {
  protected:
    Ranges() { index_.add("", scenario_); }

    study::Scenario scenario_;
    config::FieldIndex index_;
};

TEST_F(Ranges, EveryNumberHasOne) {
    std::size_t numbers = 0;
    for (const config::FieldRef& field : index_.fields()) {
        if (!is_number(field.info())) continue;
        ++numbers;
        EXPECT_TRUE(field.info().range.is_limited()) << field.info().path;
    }
    EXPECT_GT(numbers, 100U);
}

TEST_F(Ranges, FilesAreRefusedAtTheValue) {
    for (const config::FieldRef& field : index_.fields()) {
        if (!is_number(field.info())) continue;
        const std::string& path = field.info().path;
        for (const std::string& value : refused_values(field.info())) {
            const std::string yaml = document(path, value);
            const std::string place = fmt::format("t.yaml:1:{}: error: {}: '{}' is out of range: must be {}",
                                                  yaml.find(": " + value + "}") + 3, path, value,
                                                  config::format_range(field.info()));
            EXPECT_THAT(errors_of(yaml), testing::HasSubstr(place)) << yaml;
        }
    }
}

TEST_F(Ranges, AxesAndSettingsAreRefusedAtTheValue) {
    for (const config::FieldRef& field : index_.fields()) {
        if (!is_number(field.info())) continue;
        for (const std::string& value : refused_values(field.info())) {
            config::Diagnostics diagnostics;
            const config::Node node = config::Node::scalar(value, "axes.x", "--set");
            EXPECT_FALSE(config::parse_value(node, field.info(), diagnostics)) << field.info().path;
            EXPECT_THAT(diagnostics.text(),
                        testing::StartsWith("--set: error: axes.x: '" + value + "' is out of range"));
        }
    }
}

TEST_F(Ranges, DefaultsOfAnOptionalFieldLieInside) {
    for (const config::FieldRef& field : index_.fields()) {
        // Of a device, a link or a memory that nobody has described there is nothing yet.
        const bool is_described =
            field.info().path.starts_with("workload.") || field.info().path.starts_with("fidelity.");
        if (!is_number(field.info()) || !is_described) continue;
        EXPECT_TRUE(field.info().range.contains(field.read())) << field.info().path;
    }
}

}  // namespace
}  // namespace dse

#pragma once

#include <cctype>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app::test {

/// Sizes as the published configurations have them, with the parameters that their model cards or the headers
/// of their weights state.
struct Published {
    std::string name;
    std::string config;
    std::int64_t parameters;
    double missing;  ///< of the template, at most, in per cent: biases
};

inline void PrintTo(const Published& model, std::ostream* stream) {
    *stream << model.name;
}

/// Name of a test.
inline std::string name_of(const testing::TestParamInfo<Published>& model) {
    std::string name = model.param.name;
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return name;
}

/// The import has the published number of parameters, knows every field, and is a model that a sweep may
/// name.
inline void expect_its_parameters(const Published& model) {
    const dse::test::TemporaryFolder folder;
    const std::string file = folder.write(model.name + ".json", model.config);
    const auto outcome = run_app({"import", file, "--json", "-o", folder.path("models")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = outcome.json();
    EXPECT_EQ(json["parameters"].get<std::int64_t>(), model.parameters);
    const auto published = static_cast<double>(model.parameters);
    EXPECT_LE(std::abs(json["parameters_template"].get<double>() - published),
              published * model.missing / 100.0);
    EXPECT_TRUE(json["unknown_fields"].empty()) << json["unknown_fields"];
    EXPECT_EQ(run_app({"check", json["file"].get<std::string>()}).code, 0);
}

}  // namespace dse::app::test

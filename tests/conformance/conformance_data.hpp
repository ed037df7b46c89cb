#pragma once

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace dse::conformance {

/// Tests against data of other systems and real machines. The data is no part of the project: without
/// $DSE_CONFORMANCE these tests skip themselves, and say so.
class ConformanceData : public testing::Test {
  protected:
    void SetUp() override {
        const char* folder = std::getenv("DSE_CONFORMANCE");
        if (folder == nullptr || *folder == '\0') GTEST_SKIP() << "DSE_CONFORMANCE names no folder";
        folder_ = folder;
    }

    [[nodiscard]] std::string path(const std::string& file) const { return folder_ + "/" + file; }

  private:
    std::string folder_;
};

}  // namespace dse::conformance

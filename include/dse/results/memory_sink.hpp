#pragma once

#include <vector>

#include "dse/results/result_sink.hpp"

namespace dse::results {

/// Keeps records in memory, for tests and for evaluations that need no file.
class MemorySink final : public ResultSink {
  public:
    void write(std::span<const space::Record> records) override;
    void cover(const Coverage& coverage) override;
    void flush() override;

    /// Flushed records, in the order in which they were written.
    [[nodiscard]] const std::vector<space::Record>& records() const { return records_; }
    [[nodiscard]] const std::vector<Coverage>& coverage() const { return coverage_; }

  private:
    std::vector<space::Record> pending_records_;
    std::vector<Coverage> pending_coverage_;
    std::vector<space::Record> records_;
    std::vector<Coverage> coverage_;
};

}  // namespace dse::results

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>

namespace dse::dist {

/// Names the point that this process evaluates in a small file that outlives it, so that a point which takes
/// its process along can be told from a process that was killed: a fault (SIGSEGV, SIGABRT, …) leaves its
/// signal there too. The file is mapped into memory; naming a point costs two stores.
///
/// One at a time in a process.
class CrashRecord {
  public:
    /// \param folder  made when it is not there
    /// \throws InputError when the file cannot be made
    CrashRecord(const std::filesystem::path& folder, int rank);
    CrashRecord(const CrashRecord&) = delete;
    CrashRecord& operator=(const CrashRecord&) = delete;

    /// Removes the file: this process has come to its end.
    ~CrashRecord();

    void begin(std::uint64_t index);
    void end();

  private:
    struct Page;

    std::filesystem::path path_;
    Page* page_{nullptr};
};

/// The point under evaluation at a rank that is silent, if there is one.
std::optional<std::uint64_t> point_in_flight(const std::filesystem::path& folder, int rank);

/// How often each point took a process along, over all runs: gathers the records of faults into one list in
/// the folder and removes them. To be called by one process, before any is at work.
std::map<std::uint64_t, int> gather_crashes(const std::filesystem::path& folder);

}  // namespace dse::dist

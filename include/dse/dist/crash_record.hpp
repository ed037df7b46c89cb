#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>

namespace dse::dist {

/// Records the point that this process is evaluating in a small file that outlives the process, in order to
/// distinguish a point that crashes its process from a process that was killed: a fault (SIGSEGV, SIGABRT, …)
/// also leaves its signal there. The file is memory-mapped, so that recording a point costs two stores.
///
/// At most one per process at a time.
class CrashRecord {
  public:
    /// \param folder  created if it does not exist
    /// \throws InputError if the file cannot be created
    CrashRecord(const std::filesystem::path& folder, int rank);
    CrashRecord(const CrashRecord&) = delete;
    CrashRecord& operator=(const CrashRecord&) = delete;

    /// Removes the file, since this process ends normally.
    ~CrashRecord();

    void begin(std::uint64_t index);
    void end();

  private:
    struct Page;

    std::filesystem::path path_;
    Page* page_{nullptr};
};

/// The point being evaluated by an unresponsive rank, if any.
std::optional<std::uint64_t> point_in_flight(const std::filesystem::path& folder, int rank);

/// Number of processes that each point has crashed, over all runs. Collects the records of faults into one
/// list in the folder and removes them. To be called by one process before any evaluation starts.
std::map<std::uint64_t, int> gather_crashes(const std::filesystem::path& folder);

}  // namespace dse::dist

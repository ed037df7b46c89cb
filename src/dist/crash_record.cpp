#include "dse/dist/crash_record.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"

namespace dse::dist {

namespace fs = std::filesystem;

/// Content of the file.
struct CrashRecord::Page {
    std::atomic<std::uint64_t> in_flight;  ///< index + 1; 0 between points
    std::atomic<std::uint64_t> signal;     ///< the signal that ended the process; 0 if none was recorded
};

namespace {

/// Content of the file, read back.
struct Content {
    std::uint64_t in_flight{0};
    std::uint64_t signal{0};
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && sizeof(std::atomic<std::uint64_t>) == 8);

constexpr std::array faults{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr const char* list_name = "crashes";

// A signal handler can only access globals.
std::atomic<std::uint64_t>* noted_signal = nullptr;
std::array<struct sigaction, faults.size()> handlers_before;

/// Records the signal, then restores the previous handler, so that the default happens next.
extern "C" void on_fault(int signal) {
    if (noted_signal != nullptr)
        noted_signal->store(static_cast<std::uint64_t>(signal), std::memory_order_relaxed);
    for (std::size_t i = 0; i < faults.size(); ++i) {
        if (faults[i] == signal) sigaction(signal, &handlers_before[i], nullptr);
    }
    std::raise(signal);
}

void watch_faults() {
    struct sigaction action {};
    action.sa_handler = on_fault;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < faults.size(); ++i) sigaction(faults[i], &action, &handlers_before[i]);
}

void unwatch_faults() {
    for (std::size_t i = 0; i < faults.size(); ++i) sigaction(faults[i], &handlers_before[i], nullptr);
}

std::string prefix_of(int rank) {
    return fmt::format("crash-{:05}-", rank);
}

[[noreturn]] void refuse(const fs::path& path) {
    throw InputError(
        fmt::format("cannot write '{}': {}", path.string(), std::generic_category().message(errno)));
}

/// Maps a file of the given size: what is stored there persists, whatever happens to the process.
void* map_file(const fs::path& path, std::size_t bytes) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor < 0) refuse(path);
    // Also reserves the space, so that a full disk is reported here and not as a fault at the first store.
    const int error = ::posix_fallocate(descriptor, 0, static_cast<off_t>(bytes));
    void* const memory =
        error == 0 ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0) : MAP_FAILED;
    if (error != 0) errno = error;
    const int why = errno;
    ::close(descriptor);
    errno = why;
    if (memory == MAP_FAILED) refuse(path);
    return memory;
}

Content read(const fs::path& path) {
    Content content;
    std::ifstream file{path, std::ios::binary};
    file.read(reinterpret_cast<char*>(&content), sizeof content);
    return file ? content : Content{};
}

template <class Visit>
void for_each_record(const fs::path& folder, const std::string& prefix, Visit visit) {
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator{folder, none}) {
        if (entry.path().filename().string().starts_with(prefix)) visit(entry.path());
    }
}

}  // namespace

CrashRecord::CrashRecord(const fs::path& folder, int rank) {
    DSE_REQUIRE(noted_signal == nullptr);
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    std::error_code error;
    fs::create_directories(folder, error);
    path_ = folder / fmt::format("{}{}-{}", prefix_of(rank), host.data(), getpid());
    page_ = new (map_file(path_, sizeof(Page))) Page{};
    noted_signal = &page_->signal;
    watch_faults();
}

CrashRecord::~CrashRecord() {
    unwatch_faults();
    noted_signal = nullptr;
    ::munmap(page_, sizeof(Page));
    std::error_code ignored;
    fs::remove(path_, ignored);
}

void CrashRecord::begin(std::uint64_t index) {
    page_->in_flight.store(index + 1, std::memory_order_relaxed);
}

void CrashRecord::end() {
    page_->in_flight.store(0, std::memory_order_relaxed);
}

std::optional<std::uint64_t> point_in_flight(const fs::path& folder, int rank) {
    std::optional<std::uint64_t> index;
    for_each_record(folder, prefix_of(rank), [&](const fs::path& path) {
        const Content content = read(path);
        if (content.in_flight > 0) index = content.in_flight - 1;
    });
    return index;
}

std::map<std::uint64_t, int> gather_crashes(const fs::path& folder) {
    {
        std::ofstream list{folder / list_name, std::ios::app};
        for_each_record(folder, "crash-", [&](const fs::path& path) {
            const Content content = read(path);
            if (content.in_flight > 0 && content.signal > 0) list << content.in_flight - 1 << '\n';
        });
        if (!list.flush()) return {};
    }
    // Files of this run's live processes have no point in flight, and stay.
    for_each_record(folder, "crash-", [](const fs::path& path) {
        if (read(path).in_flight > 0) fs::remove(path);
    });
    std::map<std::uint64_t, int> crashes;
    std::ifstream list{folder / list_name};
    for (std::uint64_t index = 0; list >> index;) ++crashes[index];
    list.close();
    if (crashes.empty()) fs::remove(folder / list_name);
    return crashes;
}

}  // namespace dse::dist

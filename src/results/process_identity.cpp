#include "results/process_identity.hpp"

#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

#include "dse/results/provenance.hpp"

namespace dse::results {
namespace {

/// State letter and start time, fields 3 and 22 of /proc/<pid>/stat, counted after the command, which is in
/// parentheses and may contain anything. Source: proc(5).
struct ProcessStat {
    char state{'X'};
    std::string start;
};

ProcessStat stat_of(long pid) {
    std::ifstream file{fmt::format("/proc/{}/stat", pid)};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    const std::size_t end = text.rfind(')');
    if (end == std::string::npos) return {};
    std::istringstream fields{text.substr(end + 1)};
    ProcessStat stat;
    fields >> stat.state;
    for (int field = 4; field <= 22; ++field) fields >> stat.start;
    return stat;
}

struct Named {
    std::string host;
    long pid{0};
    std::string start;
};

Named parse(const std::string& process) {
    Named named;
    std::istringstream{process} >> named.host >> named.pid >> named.start;
    return named;
}

}  // namespace

std::string this_process() {
    return fmt::format("{} {} {}", host_name(), getpid(), stat_of(getpid()).start);
}

Liveness liveness(const std::string& process) {
    const Named named = parse(process);
    if (named.start.empty()) return Liveness::dead;
    if (named.host != host_name()) return Liveness::on_another_machine;
    const ProcessStat stat = stat_of(named.pid);
    const bool runs = stat.state != 'Z' && stat.state != 'X' && stat.start == named.start;
    return runs ? Liveness::alive : Liveness::dead;
}

std::string describe(const std::string& process) {
    const Named named = parse(process);
    return fmt::format("process {} on host {}", named.pid, named.host);
}

}  // namespace dse::results

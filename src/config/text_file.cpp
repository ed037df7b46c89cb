#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"
#include "dse/config/csv.hpp"
#include "dse/config/node.hpp"

namespace dse::config {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_configuration = 8U << 20U;
/// Some 100,000 rows with all columns; the parsed table takes up to 30 times as much memory.
constexpr std::size_t largest_table = 64U << 20U;

/// Suggests the most similar file name in the same folder.
std::string suggested_neighbour(const std::string& file) {
    const fs::path path{file};
    std::error_code error;
    std::vector<std::string> names;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path{"."};
    for (const fs::directory_entry& entry : fs::directory_iterator{folder, error}) {
        if (entry.is_regular_file(error)) names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    const auto near = nearest(path.filename().string(), names);
    return near ? fmt::format(" (did you mean '{}'?)", (path.parent_path() / *near).string()) : "";
}

/// Reads in chunks, since a pipe or a device has no size.
/// \param kind  of file, and what to do if it is larger: "a configuration"
std::string read_at_most(const std::string& file, std::size_t largest, std::string_view kind) {
    if (file.empty()) throw InputError("a file without a name cannot be read");
    std::error_code error;
    if (fs::is_directory(file, error)) throw InputError(file + ": is a directory, not a file");
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
        const int reason = errno;
        throw InputError(fmt::format("{}: cannot be read: {}{}", file, std::strerror(reason),
                                     reason == ENOENT ? suggested_neighbour(file) : ""));
    }
    std::string text;
    std::array<char, 65536> piece{};
    while (stream.read(piece.data(), piece.size()) || stream.gcount() > 0) {
        text.append(piece.data(), static_cast<std::size_t>(stream.gcount()));
        if (text.size() > largest)
            throw InputError(
                fmt::format("{}: more than {} MiB is too large for {}", file, largest >> 20U, kind));
    }
    if (stream.bad()) throw InputError(fmt::format("{}: cannot be read: {}", file, std::strerror(errno)));
    return text;
}

}  // namespace

std::string read_text(const std::string& file) {
    return read_at_most(file, largest_configuration, "a configuration");
}

std::string read_table(const std::string& file) {
    return read_at_most(file, largest_table, "a table (split it)");
}

std::vector<CsvRecord> read_csv(const std::string& file) {
    return parse_csv(read_table(file), file);
}

std::vector<std::string> read_csv_header(const std::string& file) {
    std::error_code error;
    const fs::file_type type = fs::status(file, error).type();
    if (type == fs::file_type::fifo || type == fs::file_type::character)
        throw InputError(
            fmt::format("{}: is a pipe or a device, which can be read only once (write it to a file)", file));
    const std::string text = read_table(file);
    auto records = parse_csv(text.substr(0, text.find('\n') + 1), file);
    return records.empty() ? std::vector<std::string>{} : std::move(records.front().fields);
}

}  // namespace dse::config

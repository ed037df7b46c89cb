#include "results/finished_file.hpp"

#include <system_error>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/temporary_path.hpp"
#include "results/finished_header.hpp"
#include "results/finished_source.hpp"
#include "results/guarded_child.hpp"
#include "results/hdf5/dataset.hpp"
#include "results/log/append_file.hpp"
#include "results/seal.hpp"
#include "results/shard_records.hpp"
#include "results/shard_source.hpp"

namespace dse::results {
namespace {

namespace fs = std::filesystem;

constexpr const char* points_group = "points";  // all files of dse have it
constexpr std::size_t write_bytes = std::size_t{1} << 20U;

/// Copies the content of a source to a log.
void copy(const RowSource& source, AppendFile& to) {
    const LogHeader header{.header = source.header(), .hosts = source.hosts(), .name = source.path()};
    const RowShape shape{source.header().schema};
    const std::vector<std::byte> content = encode(header);
    const std::uint64_t salt = salt_of(content);
    RecordWriter records;
    const auto add = [&](RecordKind kind, const auto& encode_payload) {
        records.begin(kind);
        encode_payload(records.bytes());
        records.end(salt);
        if (records.bytes().size() < write_bytes) return;
        to.append(records.bytes());
        records.clear();
    };
    add(RecordKind::header, [&](auto& bytes) { bytes.insert(bytes.end(), content.begin(), content.end()); });
    const auto rows = source.rows_as_written(write_bytes);
    for (Row row; rows->next(row);) {
        add(RecordKind::row, [&](auto& bytes) { encode(row, shape, bytes); });
    }
    to.append(records.bytes());
}

/// Ten megabytes per second is slow for HDF5.
ChildLimits limits_for(const fs::path& path) {
    ChildLimits limits;
    limits.time += std::chrono::seconds{fs::file_size(path) / 10'000'000};
    return limits;
}

/// How the refusal of a file of another program begins.
std::string foreign(const fs::path& path) {
    return fmt::format("'{}' is not a results file of dse", path.string());
}

std::unique_ptr<RowSource> open_unsealed(const fs::path& path) {
    AppendFile file = AppendFile::nameless(temporary_folder());
    const std::string trouble = run_guarded([&] { copy(*open_columns(path), file); }, limits_for(path));
    if (trouble.starts_with(foreign(path))) throw InputError(trouble);
    if (!trouble.empty()) {
        throw InputError(fmt::format("'{}' is damaged and cannot be read: {}", path.string(), trouble));
    }
    auto source = std::make_unique<ShardSource>(std::move(file), path.string());
    source->mark_unsealed();
    return source;
}

}  // namespace

void require_file(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    const auto refuse = [&](const std::string& why) {
        throw InputError(fmt::format("cannot open '{}': {}", path.string(), why));
    };
    if (status.type() == fs::file_type::none) refuse(error.message());
    if (!fs::exists(status)) refuse("no such file");
    if (fs::is_directory(status)) refuse("it is a directory");
    // A pipe would be waited for.
    if (!fs::is_regular_file(status)) refuse("it is not a regular file");
    if (looks_finished(path)) return;
    const bool sweep = path.extension() == ".yaml" || path.extension() == ".yml";
    refuse(sweep ? "it is not an HDF5 file (a sweep? run it first; its results are in results/NAME.h5)"
                 : "it is not an HDF5 file");
}

void refuse_unsealed(const fs::path& path, std::string_view hint) {
    const auto look = [&] {
        const h5::File file = h5::File::open(path);
        if (!h5::has_link(file, points_group)) require_kind(file);
    };
    const std::string trouble = run_guarded(look, limits_for(path));
    if (trouble.starts_with(foreign(path))) throw InputError(trouble);
    throw InputError(
        fmt::format("'{}' has no valid seal: it is damaged, or another program has written to it since{}",
                    path.string(), hint));
}

std::unique_ptr<RowSource> open_finished(const fs::path& path, Trust trust) {
    require_file(path);
    if (is_sealed(path)) return open_columns(path);
    if (trust == Trust::unsealed) return open_unsealed(path);
    refuse_unsealed(path,
                    "; dse best, export, merge and others read it anyway with --unsealed, without any "
                    "guarantee");
}

}  // namespace dse::results

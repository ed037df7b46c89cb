#include "dse/results/proof.hpp"

#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "dse/base/error.hpp"
#include "results/durable_rename.hpp"
#include "results/finished_file.hpp"
#include "results/hdf5/attribute.hpp"
#include "results/hdf5/dataset.hpp"
#include "results/hdf5/library.hpp"
#include "results/seal.hpp"

namespace dse::results {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t proof_chunk = 16384;
const std::string proof_group = "proof";

template <class Value>
hid_t proof_type();
template <>
hid_t proof_type<std::uint8_t>() {
    return H5T_NATIVE_UINT8;
}
template <>
hid_t proof_type<std::uint64_t>() {
    return H5T_NATIVE_UINT64;
}
template <>
hid_t proof_type<double>() {
    return H5T_NATIVE_DOUBLE;
}

std::string member(const std::string& name) {
    return proof_group + "/" + name;
}

template <class Value, class Items, class Of>
void write_proof_column(const h5::File& file, const std::string& name, const Items& items, Of&& of) {
    std::vector<Value> values;
    values.reserve(items.size());
    for (const auto& item : items) values.push_back(of(item));
    const hid_t type = proof_type<Value>();
    h5::Dataset data =
        h5::Dataset::create(file, member(name), h5::own(H5Tcopy(type), H5Tclose, "write to", file.path()),
                            h5::chunk_for(values.size(), proof_chunk), h5::Compression::shuffle_deflate);
    if (!values.empty()) data.append(values.data(), values.size(), type);
}

template <class Value>
std::vector<Value> read_proof_column(const h5::File& file, const std::string& name) {
    const h5::Dataset data = h5::Dataset::open(file, member(name));
    std::vector<Value> values(data.size());
    if (!values.empty()) data.read(0, values.size(), proof_type<Value>(), values.data());
    return values;
}

void write_parts(const h5::File& file, const Proof& proof) {
    using Part = Proof::Part;
    write_proof_column<std::uint8_t>(file, "verdict", proof.parts, [](const Part& part) {
        return static_cast<std::uint8_t>(part.verdict);
    });
    write_proof_column<std::uint64_t>(file, "row", proof.parts, [](const Part& part) { return part.row; });
    for (std::size_t i = 0; i < proof.axes.size(); ++i) {
        write_proof_column<std::uint64_t>(file, fmt::format("first_{}", i), proof.parts,
                                          [&](const Part& part) { return part.box.axes[i].first; });
        write_proof_column<std::uint64_t>(file, fmt::format("count_{}", i), proof.parts,
                                          [&](const Part& part) { return part.box.axes[i].count; });
    }
    for (std::size_t i = 0; i < proof.objectives.size(); ++i)
        write_proof_column<double>(file, fmt::format("bound_{}", i), proof.parts,
                                   [&](const Part& part) { return part.bounds[i]; });
}

void write_course(const h5::File& file, const Proof& proof) {
    using Mark = Proof::Mark;
    write_proof_column<std::uint64_t>(file, "course_points", proof.course,
                                      [](const Mark& mark) { return mark.points; });
    write_proof_column<std::uint64_t>(file, "course_bounds", proof.course,
                                      [](const Mark& mark) { return mark.bounds; });
    write_proof_column<double>(file, "course_epsilon", proof.course,
                               [](const Mark& mark) { return mark.epsilon; });
}

void add_to(const fs::path& path, const Proof& proof) {
    h5::File file = h5::File::open_to_write(path);
    if (h5::has_link(file, proof_group))
        h5::check(H5Ldelete(file.id(), proof_group.c_str(), H5P_DEFAULT), "write to", file.path());
    h5::create_group(file, proof_group);
    const h5::Handle group =
        h5::own(H5Gopen2(file.id(), proof_group.c_str(), H5P_DEFAULT), H5Gclose, "write to", file.path());
    h5::write_attribute(file, group.id(), "tolerance", std::string_view{proof.tolerance});
    h5::write_attribute(file, group.id(), "objectives", proof.objectives);
    h5::write_attribute(file, group.id(), "axes", proof.axes);
    if (proof.spent_at) h5::write_attribute(file, group.id(), "spent_at", *proof.spent_at);
    write_parts(file, proof);
    write_course(file, proof);
    file.close();
}

[[noreturn]] void refuse_proof(const h5::File& file) {
    throw InputError(fmt::format("'{}' holds a damaged proof: its columns do not fit together", file.path()));
}

void read_parts(const h5::File& file, Proof& proof) {
    const auto verdicts = read_proof_column<std::uint8_t>(file, "verdict");
    const auto rows = read_proof_column<std::uint64_t>(file, "row");
    if (rows.size() != verdicts.size()) refuse_proof(file);
    proof.parts.resize(verdicts.size());
    for (std::size_t n = 0; n < verdicts.size(); ++n) {
        if (verdicts[n] < 1 || verdicts[n] > 5) refuse_proof(file);
        proof.parts[n].verdict = static_cast<Proof::Verdict>(verdicts[n]);
        proof.parts[n].row = rows[n];
    }
    for (std::size_t i = 0; i < proof.axes.size(); ++i) {
        const auto first = read_proof_column<std::uint64_t>(file, fmt::format("first_{}", i));
        const auto count = read_proof_column<std::uint64_t>(file, fmt::format("count_{}", i));
        if (first.size() != rows.size() || count.size() != rows.size()) refuse_proof(file);
        for (std::size_t n = 0; n < rows.size(); ++n) proof.parts[n].box.axes.push_back({first[n], count[n]});
    }
    for (std::size_t i = 0; i < proof.objectives.size(); ++i) {
        const auto bound = read_proof_column<double>(file, fmt::format("bound_{}", i));
        if (bound.size() != rows.size()) refuse_proof(file);
        for (std::size_t n = 0; n < rows.size(); ++n) proof.parts[n].bounds.push_back(bound[n]);
    }
}

void read_course(const h5::File& file, Proof& proof) {
    const auto points = read_proof_column<std::uint64_t>(file, "course_points");
    const auto bounds = read_proof_column<std::uint64_t>(file, "course_bounds");
    const auto epsilon = read_proof_column<double>(file, "course_epsilon");
    if (points.size() != bounds.size() || points.size() != epsilon.size()) refuse_proof(file);
    for (std::size_t n = 0; n < points.size(); ++n)
        proof.course.push_back({points[n], bounds[n], epsilon[n]});
}

}  // namespace

void write_proof(const fs::path& file, const Proof& proof) {
    // Write a copy, so that a kill leaves the file unchanged.
    const fs::path fresh = fmt::format("{}.proof-{}", file.string(), getpid());
    std::error_code error;
    fs::copy_file(file, fresh, fs::copy_options::overwrite_existing, error);
    if (error) throw InputError(fmt::format("cannot write '{}': {}", fresh.string(), error.message()));
    try {
        add_to(fresh, proof);
        seal(fresh);
        durable_rename(fresh, file);
    } catch (...) {
        fs::remove(fresh, error);
        throw;
    }
}

std::optional<Proof> read_proof(const fs::path& path) {
    require_file(path);
    if (!is_sealed(path)) refuse_unsealed(path);
    const h5::File file = h5::File::open(path);
    if (!h5::has_link(file, proof_group)) return std::nullopt;
    const h5::Handle group =
        h5::own(H5Gopen2(file.id(), proof_group.c_str(), H5P_DEFAULT), H5Gclose, "read", file.path());
    Proof proof;
    proof.tolerance = h5::read_text(file, group.id(), "tolerance");
    proof.objectives = h5::read_texts(file, group.id(), "objectives");
    proof.axes = h5::read_texts(file, group.id(), "axes");
    if (h5::has_attribute(group.id(), "spent_at"))
        proof.spent_at = h5::read_integer(file, group.id(), "spent_at");
    read_parts(file, proof);
    read_course(file, proof);
    return proof;
}

}  // namespace dse::results

#include "results/hdf5/attribute.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "results/hdf5/library.hpp"

namespace dse::results::h5 {
namespace {

Handle create(const File& file, hid_t owner, const std::string& name, hid_t type, hid_t space) {
    return own(H5Acreate2(owner, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, "write to",
               file.path());
}

Handle open(const File& file, hid_t owner, const std::string& name) {
    if (!has_attribute(owner, name)) {
        throw InputError(
            fmt::format("'{}' is not a results file of dse: attribute '{}' is missing", file.path(), name));
    }
    return own(H5Aopen(owner, name.c_str(), H5P_DEFAULT), H5Aclose, "read", file.path());
}

[[noreturn]] void refuse_type(const File& file, const std::string& name) {
    throw InputError(fmt::format("'{}' is not a results file of dse: attribute '{}' is of another type",
                                 file.path(), name));
}

struct NumberType {
    hid_t stored;
    hid_t in_memory;
};

void write_number(const File& file, hid_t owner, const std::string& name, NumberType type,
                  const void* value) {
    const Handle space = own(H5Screate(H5S_SCALAR), H5Sclose, "write to", file.path());
    const Handle attribute = create(file, owner, name, type.stored, space.id());
    check(H5Awrite(attribute.id(), type.in_memory, value), "write to", file.path());
}

std::vector<const char*> pointers(const std::vector<std::string>& values) {
    std::vector<const char*> result;
    result.reserve(values.size());
    for (const std::string& value : values) result.push_back(value.c_str());
    return result;
}

}  // namespace

Handle text_type(const File& file) {
    Handle type = own(H5Tcopy(H5T_C_S1), H5Tclose, "read", file.path());
    check(H5Tset_size(type.id(), H5T_VARIABLE), "read", file.path());
    check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "read", file.path());
    return type;
}

void write_attribute(const File& file, hid_t owner, const std::string& name, std::string_view value) {
    const std::string text{value};
    const char* const pointer = text.c_str();
    const Handle type = text_type(file);
    const Handle space = own(H5Screate(H5S_SCALAR), H5Sclose, "write to", file.path());
    const Handle attribute = create(file, owner, name, type.id(), space.id());
    check(H5Awrite(attribute.id(), type.id(), &pointer), "write to", file.path());
}

void write_attribute(const File& file, hid_t owner, const std::string& name, std::uint64_t value) {
    write_number(file, owner, name, {.stored = H5T_STD_U64LE, .in_memory = H5T_NATIVE_UINT64}, &value);
}

void write_attribute(const File& file, hid_t owner, const std::string& name, double value) {
    write_number(file, owner, name, {.stored = H5T_IEEE_F64LE, .in_memory = H5T_NATIVE_DOUBLE}, &value);
}

void write_attribute(const File& file, hid_t owner, const std::string& name,
                     const std::vector<std::string>& values) {
    const hsize_t size = values.size();
    const Handle type = text_type(file);
    const Handle space = own(H5Screate_simple(1, &size, nullptr), H5Sclose, "write to", file.path());
    const Handle attribute = create(file, owner, name, type.id(), space.id());
    const std::vector<const char*> texts = pointers(values);
    if (!texts.empty()) check(H5Awrite(attribute.id(), type.id(), texts.data()), "write to", file.path());
}

bool has_attribute(hid_t owner, const std::string& name) {
    return H5Aexists(owner, name.c_str()) > 0;
}

std::string read_text(const File& file, hid_t owner, const std::string& name) {
    std::vector<std::string> texts = read_texts(file, owner, name);
    if (texts.size() != 1) refuse_type(file, name);
    return std::move(texts.front());
}

std::uint64_t read_integer(const File& file, hid_t owner, const std::string& name) {
    const Handle attribute = open(file, owner, name);
    const Handle type = own(H5Aget_type(attribute.id()), H5Tclose, "read", file.path());
    const Handle space = own(H5Aget_space(attribute.id()), H5Sclose, "read", file.path());
    if (H5Tget_class(type.id()) != H5T_INTEGER || H5Sget_simple_extent_npoints(space.id()) != 1) {
        refuse_type(file, name);
    }
    std::uint64_t value = 0;
    check(H5Aread(attribute.id(), H5T_NATIVE_UINT64, &value), "read", file.path());
    return value;
}

std::vector<std::string> read_texts(const File& file, hid_t owner, const std::string& name) {
    const Handle attribute = open(file, owner, name);
    const Handle stored = own(H5Aget_type(attribute.id()), H5Tclose, "read", file.path());
    if (H5Tis_variable_str(stored.id()) <= 0) refuse_type(file, name);
    const Handle space = own(H5Aget_space(attribute.id()), H5Sclose, "read", file.path());
    const auto size = check(H5Sget_simple_extent_npoints(space.id()), "read", file.path());
    if (size == 0) return {};
    std::vector<char*> texts(static_cast<std::size_t>(size), nullptr);
    const Handle type = text_type(file);
    check(H5Aread(attribute.id(), type.id(), texts.data()), "read", file.path());
    std::vector<std::string> values;
    values.reserve(texts.size());
    for (const char* text : texts) values.emplace_back(text == nullptr ? "" : text);
    H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, texts.data());
    return values;
}

}  // namespace dse::results::h5

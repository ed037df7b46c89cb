#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "results/hdf5/file.hpp"

/// Attributes. `owner` is the identifier of the object that has them: a file's root or a dataset.
namespace dse::results::h5 {

void write_attribute(const File& file, hid_t owner, const std::string& name, std::string_view value);
void write_attribute(const File& file, hid_t owner, const std::string& name, std::uint64_t value);
void write_attribute(const File& file, hid_t owner, const std::string& name, double value);
/// Variable-length texts of any length and number, including none.
void write_attribute(const File& file, hid_t owner, const std::string& name,
                     const std::vector<std::string>& values);

[[nodiscard]] bool has_attribute(hid_t owner, const std::string& name);

/// \throws InputError if the attribute does not exist or has another type
[[nodiscard]] std::string read_text(const File& file, hid_t owner, const std::string& name);
[[nodiscard]] std::uint64_t read_integer(const File& file, hid_t owner, const std::string& name);
[[nodiscard]] std::vector<std::string> read_texts(const File& file, hid_t owner, const std::string& name);

/// The HDF5 type of variable-length UTF-8 text.
[[nodiscard]] Handle text_type(const File& file);

}  // namespace dse::results::h5

#pragma once

#include <string>
#include <string_view>

#include "results/hdf5/file.hpp"
#include "results/header.hpp"

/// The attributes of a finished file's root, which describe it.
namespace dse::results {

void write_header(const h5::File& file, const Header& header);

/// \throws InputError if the file was not written by dse, is of another kind, or has a major version that is
///         neither the current nor the previous one
Header read_header(const h5::File& file);

/// \throws InputError, which names what the file holds, if it calls itself something else than a results file
///         of dse, or nothing and does not look like one
void require_kind(const h5::File& file);

}  // namespace dse::results

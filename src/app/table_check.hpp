#pragma once

#include "app/file_check.hpp"
#include "dse/config/diagnostics.hpp"

namespace dse::app {

/// Checks a table whose kind is that of its columns. Rows that `dse validate` would not read are errors;
/// those that it could not predict are not.
/// \param check  of a CSV file; receives its kind
/// \throws InputError for what its reader refuses
void check_table(FileCheck& check, config::Diagnostics& diagnostics);

/// Checks a trace of requests. \throws InputError as above
void check_requests(FileCheck& check);

}  // namespace dse::app

#pragma once

#include <string>
#include <vector>

#include "dse/config/field_index.hpp"
#include "dse/config/node.hpp"
#include "dse/study/setting.hpp"

namespace dse::study {

/// The settings with names of files, which the command line gives relative to the working directory, relative
/// to a folder.
std::vector<Setting> named_from(const std::string& folder, std::vector<Setting> settings,
                                const config::FieldIndex& fields);

/// Applies the settings of the command line to the sweep's document, as if they were in the file: for an
/// axis, the value becomes its only one; any other value is put into its section. Errors go to the
/// diagnostics, including two settings of the same axis or field, however their keys are written.
config::Node with_settings(const config::Node& root, const std::vector<Setting>& settings,
                           const config::FieldIndex& fields, config::Diagnostics& diagnostics);

/// Adds, for each axis that sets a direct field of workload or system, its first value to the section if the
/// section lacks the field, so that fields set by an axis need not be repeated there. A map in place of a
/// file gets the axis' first value as its base.
config::Node with_axis_values(const config::Node& root, const config::FieldIndex& fields);

/// A sweep without `axes` has one point: it gets an axis with its number of devices as the only value.
config::Node with_an_axis(const config::Node& root);

/// Paths of the fields that the document itself sets, in the order of the index: those beside the name of a
/// file (cluster, device, stack), which therefore hold for any file that an axis names. A map in place of a
/// file, without `base`, has no fields beside a file.
std::vector<std::string> stated_fields(const config::Node& root, const config::FieldIndex& fields);

}  // namespace dse::study

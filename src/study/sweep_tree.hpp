#pragma once

#include <string>
#include <vector>

#include "dse/config/field_index.hpp"
#include "dse/config/node.hpp"
#include "dse/study/setting.hpp"

namespace dse::study {

/// The sweep's document with the settings of the command line in it, as if the file said so: a value that an
/// axis names becomes the axis' only one, any other stands in its section. What is wrong goes to the
/// diagnostics; so do two settings of the same axis or field, however their keys are written.
config::Node with_settings(const config::Node& root, const std::vector<Setting>& settings,
                           const config::FieldIndex& fields, config::Diagnostics& diagnostics);

/// The document with the first value of every axis that sets a field of workload or system themselves, where
/// their section does not say it: what an axis sets need not stand there as well. Fields in the place of a
/// file get the axis' first one as their base.
config::Node with_axis_values(const config::Node& root, const config::FieldIndex& fields);

/// Paths of the fields that the document itself gives a value to, in the order of the index: what it says
/// beside the name of a file (cluster, device, stack), and so holds whatever file an axis names. A map that
/// stands in the place of a file, without `base`, says nothing beside one.
std::vector<std::string> stated_fields(const config::Node& root, const config::FieldIndex& fields);

}  // namespace dse::study

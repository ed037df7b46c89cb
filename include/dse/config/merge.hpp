#pragma once

#include "dse/config/diagnostics.hpp"
#include "dse/config/node.hpp"

namespace dse::config {

/// The fields of `base` where `overrides` says nothing else: what `base: name` with some fields beside it
/// means. Maps are merged key by key, all else is replaced: lists as a whole, {value: …} with its source;
/// but a map whose keys are numbers overrides those items of a list of `base` (see numbered()).
/// A key that names a file in `base` ("device: h100_sxm") and holds some fields in `overrides` becomes a map
/// with that name as its own `base`. The key `base` of `overrides` itself has done its work and is left out.
/// A key without a value leaves sections and lists as they are, see refuse_erased().
/// Places stay those of the file that says it; the path is that of `overrides`.
Node merged(const Node& base, const Node& overrides);

/// Reports keys of `overrides` without a value that are sections or lists in `base`: they would erase them
/// silently, although most often their fields are indented wrongly, commented out or not yet written. (A
/// field without a value is an error where it is read.)
void refuse_erased(const Node& base, const Node& overrides, Diagnostics& diagnostics);

/// A list as a map of its items by their numbers: 0, 1, … Anything else as it is.
Node numbered(const Node& node);

}  // namespace dse::config

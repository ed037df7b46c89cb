#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dse/base/factory_table.hpp"
#include "dse/space/sampler.hpp"

namespace dse::space {

using SamplerFactory = std::unique_ptr<Sampler> (*)(std::shared_ptr<const Space>);

/// Every sampler that `search.method` can name.
const FactoryTable<SamplerFactory>& samplers();

/// The other values of `search.method`: adaptive methods. They are created on a higher floor
/// (explore::searches(), which has the same names), but sweeps are read here.
const std::vector<std::string>& learning_methods();

}  // namespace dse::space

// The ids of the catalogue's enumerations, in their order.
#pragma once

#include "vramfit/catalog.h"

namespace vramfit {

inline constexpr Id form_ids[] = {"sxm", "pcie", "oam", "superchip", "workstation", "consumer", "laptop", "unified"};
inline constexpr Id basis_ids[] = {"driver", "rule", "assumed"};
inline constexpr Id price_kind_ids[] = {"on-demand", "marketplace", "spot", "reference", "publisher", "own"};

}  // namespace vramfit

// The languages there are, and the units figures are shown in.
#pragma once

#include <cstdint>
#include <string_view>

#include "vramfit/model.h"

namespace vramfit::shell {

enum class Language : std::uint8_t { en, es, pt_br };
inline constexpr int num_languages = 3;

// What a figure of bytes is counted in: decimal (kB, MB, GB) or binary (KiB, MiB, GiB).
enum class ByteUnit : std::uint8_t { gb, gib };

// What the reader asked for: `own` leaves each figure in the unit it was made in.
enum class Units : std::uint8_t { own, gb, gib };

Id language_id(Language language);  // en, es, pt-BR

// The language meant by "pt", "es-MX", "es_MX.UTF-8"; `otherwise` when it is none of ours.
Language match_language(std::string_view wanted, Language otherwise);

// The share string's view key `units`: GB, GiB; anything else is `own`.
Units match_units(std::string_view wanted);

// The unit each method counts in: the worksheet in GiB, the rule in GB.
ByteUnit own_unit(Id method);

}  // namespace vramfit::shell

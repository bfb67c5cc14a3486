// Answers of the calculator in the program.
#include "answers.h"
#include "vramfit/estimate.h"
#include "vramfit/price_list.h"
#include "vramfit/share_string.h"

namespace vramfit::shell {

Answers answers_to(const std::string& share, const std::string& prices) {
  const ShareResult asked = parse_share(share);
  const auto list = read_price_list(prices);
  Answers out;
  out.result = estimate(asked.inputs, asked.notices, list ? &*list : nullptr);
  out.what_if = what_if(asked.inputs, asked.notices, list ? &*list : nullptr);
  for (int i = 0; i < num_fields; ++i) out.applies[i] = applies(fields()[i], asked.inputs, list.has_value());
  return out;
}

}  // namespace vramfit::shell

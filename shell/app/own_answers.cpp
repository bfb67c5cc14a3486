// Answers of the calculator in the program.
#include "answers.h"
#include "vramfit/estimate.h"
#include "vramfit/price_list.h"

namespace vramfit::shell {

Answers answers_to(const std::string& share, const std::string& prices) {
  Answers out;
  out.asked = std::make_unique<ShareResult>(parse_share(share));
  const ShareResult& asked = *out.asked;
  const auto list = read_price_list(prices);
  out.result = estimate(asked.inputs, asked.notices, list ? &*list : nullptr);
  out.what_if = what_if(asked.inputs, asked.notices, list ? &*list : nullptr);
  for (int i = 0; i < num_fields; ++i) out.applies[i] = applies(fields()[i], asked.inputs, list.has_value());
  return out;
}

}  // namespace vramfit::shell

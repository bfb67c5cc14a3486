// Reads share strings, one a line, and writes each one's two JSON answers, a line each: the native side of the parity tests.
//
//   answer [PRICES]   PRICES: a price list as read_price_list() takes it
#include <iostream>
#include <string>

#include "result_json.h"

int main(int argc, char** argv) {
  const std::string_view prices = argc > 1 ? argv[1] : "";
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);)
    std::cout << vramfit::estimate_json(line, prices) << '\n' << vramfit::what_if_json(line, prices) << '\n';
}

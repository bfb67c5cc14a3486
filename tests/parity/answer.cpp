// Reads share strings, one a line, and writes each one's two JSON answers, a line each: the native side of the parity tests.
#include <iostream>
#include <string>

#include "result_json.h"

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);)
    std::cout << vramfit::estimate_json(line) << '\n' << vramfit::what_if_json(line) << '\n';
}

// Every kind of figure once; tests/web/words.test.mjs compares many thousands with Intl.
#include "text/numbers.h"

#include <cmath>

#include "support.h"

using namespace vramfit::shell;
using namespace vramfit::shell::test;

namespace {

const Text english = text_in(Language::en), spanish = text_in(Language::es), portuguese = text_in(Language::pt_br);
const Text mexican = text_in(Language::es, Units::own, "es-MX"), african = text_in(Language::en, Units::own, "en-ZA");
const Numbers &en = english.numbers, &es = spanish.numbers, &pt = portuguese.numbers, &mx = mexican.numbers,
              &za = african.numbers;

}  // namespace

TEST_CASE("numbers: halves go up, of the shortest decimal") {
  CHECK(en.number(1.005, 2) == "1.01");
  CHECK(en.number(std::nextafter(1.005, 0), 2) == "1");
  CHECK(en.number(0.5) == "1");
  CHECK(en.number(2.5) == "3");
  CHECK(en.number(0.29, 2) == "0.29");
  CHECK(en.number(8.345, 2) == "8.35");
  CHECK(en.number(0.000001, 6) == "0.000001");
  CHECK(en.number(0) == "0");
  CHECK(en.number(-2.5, 1) == "-2.5");
}

TEST_CASE("numbers: groups are the language's") {
  CHECK(en.number(1234567.25, 1) == "1,234,567.3");
  CHECK(es.number(1234567.25, 1) == "1.234.567,3");
  CHECK(en.number(9999) == "9,999");
  CHECK(es.number(9999) == "9999");
  CHECK(es.number(9999.5) == "10.000");
  CHECK(pt.number(9999) == "9.999");
  CHECK(es.plain(1234567.5, 6) == "1234567,5");
  CHECK(mx.number(1234567.25, 1) == "1,234,567.3");
  CHECK(mx.number(9999) == "9,999");
  CHECK(mx.plain(1234567.5, 6) == "1234567.5");
  CHECK(shown(za.number(1234567.25, 1)) == "1~234~567,3");
}

TEST_CASE("numbers: beyond what a double counts one by one") {
  CHECK(en.number(1e15, 6) == "1,000,000,000,000,000");
  CHECK(en.number(1e300) == "∞");
  CHECK(en.number(0.0 / 0.0) == "NaN");
}

TEST_CASE("figures: bytes in the reader's units or their own") {
  CHECK(en.bytes(84e9).text() == "84 GB");
  CHECK(en.bytes(84e9, ByteUnit::gib).text() == "78.2 GiB");
  CHECK(Numbers(english.messages, Units::gib).bytes(84e9).text() == "78.2 GiB");
  CHECK(Numbers(english.messages, Units::gb).bytes(84e9, ByteUnit::gib).text() == "84 GB");
  CHECK(en.in(ByteUnit::gb, 0).text() == "0 GB");
  CHECK(en.in(ByteUnit::gb, 94.9e6).text() == "94.9 MB");
  CHECK(en.in(ByteUnit::gb, 95e6).text() == "0.1 GB");
  CHECK(en.in(ByteUnit::gib, 1).text() == "1 B");
  CHECK(en.in(ByteUnit::gb, 123456e9).text() == "123,456 GB");
}

TEST_CASE("figures: parameters, parts and prices") {
  CHECK(en.params(70.55e9) == "70.55B");
  CHECK(es.params(1.5e12) == "1,5T");
  CHECK(en.params(999999) == "999,999");
  CHECK(en.percent(12.5) == "12.5%");
  CHECK(shown(es.percent(12.5)) == "12,5~%");
  CHECK(en.share(0.125) == "13%");
  CHECK(en.share(0.0001) == "<1%");
  CHECK(shown(es.share(0.0001)) == "<1~%");
  CHECK(en.share(0) == "0%");
  CHECK(en.usd_per_hour(1234.5).text() == "$1,234.50/h");
  CHECK(shown(es.usd_per_hour(1234.5).text()) == "1234,50~US$/h");
  CHECK(shown(pt.usd_per_hour(2.989).text()) == "US$~2,99/h");
  CHECK(shown(mx.usd_per_hour(1234.5).text()) == "USD~1,234.50/h");
  CHECK(mx.percent(12.5) == "12.5%");
}

TEST_CASE("dates") {
  CHECK(en.date("2026-03-09") == "Mar 9, 2026");
  CHECK(es.date("2026-09-19") == "19 sept 2026");
  CHECK(pt.date("2026-05-01") == "1 de mai. de 2026");
  CHECK(mx.date("2026-09-09") == "9 sep 2026");
  CHECK(za.date("2026-09-09") == "09 Sept 2026");
  CHECK(en.date("soon") == "soon");
  CHECK(en.date("2026-13-01") == "2026-13-01");
}

TEST_CASE("lists") {
  const std::string three[] = {"a", "b", "c"};
  const std::string ending_in_8[] = {"4", "8"};
  const std::string ending_in_i[] = {"a", "Hielo"};
  CHECK(en.list_and(three) == "a, b, and c");
  CHECK(en.list_or({three, 2}) == "a or b");
  CHECK(es.list_or(ending_in_8) == "4 u 8");
  CHECK(es.list_and(ending_in_i) == "a y Hielo");
  CHECK(pt.list_and(three) == "a, b e c");
  CHECK(en.list_or({three, 1}) == "a");
  CHECK(en.list_or({}) == "");
}

TEST_CASE("languages and units by their names") {
  CHECK(match_language("pt", Language::en) == Language::pt_br);
  CHECK(match_language("es-MX", Language::en) == Language::es);
  CHECK(match_language("EN", Language::es) == Language::en);
  CHECK(match_language("es_MX.UTF-8", Language::en) == Language::es);
  CHECK(match_language("C.UTF-8", Language::es) == Language::es);
  CHECK(match_language("est", Language::en) == Language::en);
  CHECK(match_language("", Language::es) == Language::es);
  CHECK(match_language("klingon", Language::es) == Language::es);
  CHECK(match_units("GiB") == Units::gib);
  CHECK(match_units("gib") == Units::own);
}

#include "text/field_text.h"

#include "support.h"

using namespace vramfit;
using namespace vramfit::shell;
using namespace vramfit::shell::test;

namespace {

const Field& context = field(FieldId::context);
const Field& params = field(FieldId::params);
const Field& headroom = field(FieldId::headroom);

}  // namespace

TEST_CASE("fields: typed numbers in either decimal style") {
  CHECK(read_typed(context, "131,072") == "131072");
  CHECK(read_typed(context, "131.072") == "131072");
  CHECK(read_typed(context, "32K") == "32k");
  CHECK(read_typed(context, "1,5k") == "1.5k");
  CHECK(read_typed(headroom, "12,125") == "12.125");
  CHECK(read_typed(params, "1,234.5") == "1234.5");
  CHECK(read_typed(params, "32,5 B") == "32.5b");
  CHECK(read_typed(params, "1\u202F000\u00A0000") == "1000000");
  CHECK(read_typed(headroom, ",5") == "0.5");
  CHECK(read_typed(headroom, "5.") == "5");
  for (const char* none : {"", "-5", "1.2,3.4", "1,,000", "12,34,567", "1e3", "70x", "k", "."})
    CHECK_FALSE(read_typed(context, none));
  CHECK_FALSE(read_typed(headroom, "5k"));
}

TEST_CASE("fields: a number as the share string would take it") {
  CHECK(read_number(context, "32k") == 32768);
  CHECK(read_number(context, "9999999999") == context.maximum);
  CHECK(read_number(field(FieldId::sequences), "2.5") == 2);
  CHECK(read_number(headroom, "") == 0);
  CHECK_FALSE(read_number(context, ""));
  CHECK_FALSE(read_number(context, std::string(50, '9')));
}

TEST_CASE("fields: what is shown is read back") {
  for (const Language language : {Language::en, Language::es, Language::pt_br}) {
    const Text text = text_in(language);
    for (const double value : {1.0, 1024.0, 131072.0, 1e6})
      CHECK(read_number(context, number_text(context, value, text)) == value);
    for (const double value : {7e9, 70.6e9, 1.5e12, 123456789.0})
      CHECK(read_number(params, number_text(params, value, text)) == value);
    for (const double value : {12.5, 0.1, 0.125}) CHECK(read_number(headroom, number_text(headroom, value, text)) == value);
  }
  const Text es = text_in(Language::es);
  CHECK(number_text(params, 32.5e9, es) == "32,5B");
  CHECK(number_text(headroom, 0, es) == "");
}

TEST_CASE("fields: labels") {
  const Text en = text_in(Language::en);
  CHECK(field_label(context, en) == "Context");
  CHECK(field_unit(context, en) == "tokens");
  CHECK(field_unit(params, en) == "");
  CHECK(choice_label(field(FieldId::weights), "fp8", en) == "FP8");
  CHECK(choice_label(field(FieldId::weights), "no.such", en) == "no.such");
  CHECK(group_label(FieldGroup::hardware, en) == "GPUs and prices");
  CHECK(searched_text(FieldId::gpu, "", en) == "smallest that fits");
  CHECK(searched_text(FieldId::model, "nobody", en) == "nobody");
  CHECK(not_a_number(params, en) != not_a_number(context, en));
}

#include "text/messages.h"

#include "support.h"

using namespace vramfit::shell;
using namespace vramfit::shell::test;

namespace {

// Out of order, with a line that is none.
const char* const table =
    "a.words\t{n:one thing|many things}\n"
    "a.count#other\t{count} cards\n"
    "a.plain\tPlain {braces stay, {x}, }\n"
    "no tab\n"
    "a.tabs\tone\ttwo\n"
    "a.count#one\t{count} card\n"
    "a.empty\t\n"
    "a.figures\t{4.25} of {20%}, {15}\n"
    "marks.decimal\t,\n"
    "marks.percent\t{n} %\n"
    "a.dots.in.id\tfound";

const Figure figure{"84", "GB", " "};

}  // namespace

TEST_CASE("messages: looked up, or the last part of the key") {
  const Text text(table, Language::en, Units::own);
  CHECK(text.messages.has("a.plain"));
  CHECK(text.messages.has("a.count"));
  CHECK(text.messages.has("a.empty"));
  CHECK_FALSE(text.messages.has("a"));
  CHECK_FALSE(text.messages.has("no tab"));
  CHECK(text.say("a.dots.in.id") == "found");
  CHECK(text.say("a.nothing.here") == "here");
  CHECK(text.say("nothing") == "nothing");
  CHECK(text.say("a.empty") == "");
  CHECK(text.say("a.tabs") == "one\ttwo");
}

TEST_CASE("messages: filled in") {
  const Text text(table, Language::en, Units::own);
  CHECK(text.say("a.plain", {{"x", figure}}) == "Plain {braces stay, 84 GB, }");
  CHECK(text.say("a.plain") == "Plain {braces stay, , }");
  CHECK(text.say("a.figures") == "4,25 of 20 %, 15");
  CHECK(text.say("a.count", {{"count", 1}}) == "1 card");
  CHECK(text.say("a.count", {{"count", 1024}}) == "1024 cards");
  CHECK(text.say("a.count") == " cards");
  CHECK(text.say("a.words", {{"n", "1", 1}}) == "one thing");
  CHECK(text.say("a.words", {{"n", "1.024", 1024}}) == "many things");
  CHECK(text.say("a.words", {{"n", "1"}}) == "many things");
}

TEST_CASE("messages: plural forms are those of the language") {
  CHECK(plural_of(Language::en, 1) == Plural::one);
  CHECK(plural_of(Language::en, 1.5) == Plural::other);
  CHECK(plural_of(Language::en, 0) == Plural::other);
  CHECK(plural_of(Language::es, 1.0001) == Plural::one);
  CHECK(plural_of(Language::es, 1e6) == Plural::many);
  CHECK(plural_of(Language::pt_br, 0) == Plural::one);
  CHECK(plural_of(Language::pt_br, 1.9) == Plural::one);
  CHECK(plural_of(Language::pt_br, 2) == Plural::other);
  CHECK(plural_of(Language::pt_br, 2e6) == Plural::many);
}

TEST_CASE("messages: the built-in tables") {
  for (const Language language : {Language::en, Language::es, Language::pt_br}) {
    const Text text = text_in(language);
    CHECK(text.has_word("answer.", "gpus"));
    CHECK(text.has_word("interconnect.", "none"));
    CHECK(text.has_word("cli.", "window.usage"));
  }
  CHECK(text_in(Language::es, Units::own, "es-MX").say("compartment.margin") == "Margen del 20%");
  // A region of another language, and one that nobody knows: the language's own figures.
  for (const char* tag : {"en-US", "es-XX", "marks.date", ""})
    CHECK(shown(text_in(Language::es, Units::own, tag).say("compartment.margin")) == "Margen del 20~%");
  CHECK(text_in(Language::es).say("verdict.fits") != text_in(Language::en).say("verdict.fits"));
}

// What is being asked and what there is to show for it: one share string, and everything derived from it. Whoever draws reads it;
// whoever edits calls the verbs below, which do as the page's form does.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "../text/describe.h"
#include "../text/field_text.h"
#include "../text/text.h"
#include "answers.h"
#include "vramfit/share_string.h"

namespace vramfit::shell {

class Session {
 public:
  Session(std::string message_table, Language language, Units units);

  void speak(std::string message_table, Language language, Units units);

  // From outside: shows `share` as it is. Nothing is handed out again.
  void open(std::string_view share);
  // From outside too: the prices to go by, as answers_to() takes them; the catalogue's again with an empty text.
  void price(std::string list);
  std::string share() const { return format_share(share_.inputs, share_.unknown); }  // canonical, without view keys

  const Inputs& inputs() const { return share_.inputs; }
  const Result& result() const { return answers_.result; }
  const WhatIf& what_if() const { return answers_.what_if; }
  const Description& words() const { return words_; }
  const GpuNames& names() const { return names_; }
  const Text& text() const { return *text_; }
  bool applies(const Field& field) const { return answers_.applies[static_cast<std::size_t>(&field - fields().data())]; }
  unsigned revision() const { return revision_; }  // another one: something to show has changed
  ByteUnit unit() const { return own_unit(share_.inputs.text(FieldId::method)); }
  double shown_unit_bytes() const;  // of the unit that figures are shown in: the reader's, else the method's own

  // --- edits; `finished` false while a drag goes on. They take effect in settle(), so that nobody draws from under his feet ---
  void choose(FieldId field, std::string_view id);
  void enter(FieldId field, double number,
             bool finished = true);  // clamped to the field's range; 0 on an optional field leaves it to the program
  void pick(int gpu, int count);     // again on what is picked: back to the program's choice
  void reset();
  void settle();  // after each frame

  // What settled edits made of the share string since last asked, for the page's form and address.
  struct Change {
    std::string share;
    bool finished;
  };
  std::optional<Change> take_change();

 private:
  void recompute();
  Inputs& edit(bool finished);

  ShareResult share_;
  std::optional<Inputs> next_;  // edited, not yet settled
  bool next_finished_ = false;
  std::string asked_;  // what share_ was read from
  std::string prices_;
  Answers answers_;
  Description words_;
  GpuNames names_;
  std::unique_ptr<Text> text_;
  std::optional<Change> change_;
  unsigned revision_ = 0;
};

}  // namespace vramfit::shell

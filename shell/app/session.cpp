#include "session.h"

#include <algorithm>
#include <cmath>

namespace vramfit::shell {

Session::Session(std::string message_table, Language language, Units units) {
  share_ = parse_share("");
  speak(std::move(message_table), language, units);
}

void Session::speak(std::string message_table, Language language, Units units) {
  text_ = std::make_unique<Text>(std::move(message_table), language, units);
  recompute();
}

void Session::open(std::string_view share) {
  asked_ = share;
  ShareResult parsed = parse_share(share);
  const bool same =
      parsed.inputs == share_.inputs && parsed.unknown == share_.unknown && parsed.notices.empty() && share_.notices.empty();
  share_ = std::move(parsed);
  change_.reset();
  next_.reset();
  if (!same) recompute();
}

void Session::price(std::string list) {
  prices_ = std::move(list);
  recompute();
}

double Session::shown_unit_bytes() const {
  const Units wish = text_->numbers.units();
  const bool binary = wish == Units::own ? unit() == ByteUnit::gib : wish == Units::gib;
  return binary ? bytes_per_gib : bytes_per_gb;
}

void Session::recompute() {
  ++revision_;
  answers_ = answers_to(asked_, prices_);
  words_ = describe(share_.inputs, answers_.result, *text_);
  names_ = GpuNames(answers_.result.fit);
}

Inputs& Session::edit(bool finished) {
  if (!next_) {
    next_ = share_.inputs;
    next_finished_ = false;
  }
  next_finished_ = next_finished_ || finished;
  return *next_;
}

void Session::settle() {
  if (!next_) return;
  const bool same = *next_ == share_.inputs;
  // What was wrong with the link no longer holds for what was edited since: the canonical string says which remarks stay.
  if (!same) share_ = parse_share(asked_ = format_share(*next_, share_.unknown));
  next_.reset();
  if (!same) recompute();
  if (same && !next_finished_) return;
  // One that nobody has taken yet stays finished.
  change_ = Change{share(), next_finished_ || (change_ && change_->finished)};
}

void Session::choose(FieldId id, std::string_view value) {
  Inputs& in = edit(true);
  in.set(id, Id(value));
  // A catalogue model brings its own shape, so figures typed for a bare size go; an imported model goes with either.
  if (id == FieldId::model)
    for (const Field& f : fields()) {
      const auto other = static_cast<FieldId>(&f - fields().data());
      if (f.kind == FieldKind::text) in.set(other, f.default_text);
      else if (f.group == FieldGroup::model && other != id && !value.empty()) in.set(other, f.default_number);
    }
  // Another GPU need not take the count that the last one did.
  if (id == FieldId::gpu) in.set(FieldId::count, 0);
}

void Session::enter(FieldId id, double number, bool finished) {
  const Field& f = field(id);
  if (!(f.optional && number == 0)) {
    number = std::clamp(number, f.minimum, f.maximum);
    if (f.whole) number = std::floor(number);
  }
  edit(finished).set(id, number);
}

void Session::pick(int gpu, int count) {
  const Id id = gpus()[gpu].id;
  const bool again = inputs().is(FieldId::gpu, id) && inputs().number(FieldId::count) == count;
  Inputs& in = edit(true);
  in.set(FieldId::gpu, again ? Id() : id);
  in.set(FieldId::count, again ? 0.0 : count);
}

void Session::reset() {
  share_.unknown.clear();
  edit(true) = Inputs();
}

std::optional<Session::Change> Session::take_change() {
  std::optional<Change> out = std::move(change_);
  change_.reset();
  return out;
}

}  // namespace vramfit::shell

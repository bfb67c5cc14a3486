#include "answer.h"

#include <algorithm>
#include <vector>

#include "notices.h"
#include "published.h"
#include "reasons.h"
#include "vramfit/catalog.h"

namespace vramfit::shell {
namespace {

std::string set_text(const Inputs& inputs, const Text& text) {
  const Id set = inputs.text(FieldId::gpus);
  if (set == "all") return text.say("answer.set.all", {{"count", static_cast<int>(gpus().size())}});
  const std::string own = concat({"answer.set.", set});
  return text.say(inputs.text(FieldId::gpu).empty() && text.has(own) ? own : "answer.set.other");
}

// `count` GPUs of one kind, with the memory of all of them.
struct Offer {
  int gpu = -1;
  int count = 0;
  double bytes = 0;

  bool smaller_than(const Offer& other) const { return count < other.count || (count == other.count && bytes < other.bytes); }
};

Offer offer_of(const FitRow& row, int count) { return {row.gpu, count, count * published(row.capacity_bytes)}; }

// Of what has `verdict`: the fewest GPUs, then the least memory.
Offer smallest(const Result& result, Verdict verdict) {
  Offer best;
  for (const FitRow& row : result.fit) {
    const auto at = std::find(std::begin(row.verdicts), std::end(row.verdicts), verdict);
    if (at == std::end(row.verdicts)) continue;
    const Offer offer = offer_of(row, static_cast<int>(at - row.verdicts) + 1);
    if (best.gpu < 0 || offer.smaller_than(best)) best = offer;
  }
  return best;
}

// The most memory that is a usable layout and still too little.
Offer largest(const Result& result) {
  Offer most;
  for (const FitRow& row : result.fit) {
    int count = max_gpu_count;
    while (count > 0 && row.verdicts[count - 1] != Verdict::does_not_fit) --count;
    if (count == 0) continue;
    const Offer offer = offer_of(row, count);
    if (most.gpu < 0 || offer.bytes > most.bytes) most = offer;
  }
  return most;
}

struct Speaker {
  const Inputs& inputs;
  const Result& result;
  const GpuNames& names;
  const Text& text;
  const MethodResult& method = result.method(inputs.text(FieldId::method));
  std::vector<Filling> fillings = {};

  std::string bytes(double bytes) const { return text.numbers.bytes(bytes, own_unit(method.id)).text(); }
  std::string call(const Offer& offer) const { return names.counted(offer.count, offer.gpu); }
  std::string call(const Pick& pick) const { return names.counted(pick.count, pick.gpu); }

  void with(std::string_view name, std::string value) { fillings.emplace_back(name, std::move(value)); }

  Answer say(AnswerState state, std::string_view id) const {
    return {state, text.messages.say(id, std::span<const Filling>(fillings))};
  }

  // What every sentence starts with: which model, how much it needs, and which cards are considered.
  void begin() {
    const std::string weights = text.say(concat({"choice.weights.", result.weights}));
    const std::string model = model_name(result.model, text);
    with("what", text.say(concat({"answer.what.", inputs.text(FieldId::task)}), {{"model", model}, {"weights", weights}}));
    with("need", text.say(concat({"answer.need.", method.id, method.missing.empty() ? "" : ".least"}),
                          {{"need", bytes(published(method.total).likely)}}));
    with("set", set_text(inputs, text));
  }

  Answer none_at(int count) {
    with("count", text.say("answer.gpus", {{"count", count}}));
    return say(AnswerState::none, "answer.none_at");
  }

  // The GPU or the count is the user's own.
  Answer about_chosen() {
    const Pick& chosen = result.chosen;
    const Layout& layout = method.layouts[chosen.count - 1];
    with("gpus", call(chosen));
    switch (chosen.verdict) {
      case Verdict::fits: return say(AnswerState::fits, "answer.chosen_fits");
      case Verdict::tight: return say(AnswerState::tight, "answer.tight");
      case Verdict::does_not_fit:
        with("per_gpu", bytes(published(layout.need).likely));
        for (const FitRow& row : result.fit)
          if (row.gpu == chosen.gpu) with("capacity", bytes(published(row.capacity_bytes)));
        return say(AnswerState::none, "answer.chosen_short");
      case Verdict::unusable: break;
    }
    const int host_limit = gpus()[chosen.gpu].max_per_node;
    with("reason", chosen.count > host_limit ? host_limit_text(host_limit, text)
                                             : reason_text(layout.reason, layout.reason_number, {&chosen.count, 1}, text));
    return say(AnswerState::none, "answer.chosen_unusable");
  }

  Answer about_all() {
    const Offer fits = smallest(result, Verdict::fits);
    const Offer tight = smallest(result, Verdict::tight);
    if (fits.gpu >= 0) {
      with("gpus", call(result.best));
      if (tight.gpu < 0 || !tight.smaller_than(fits)) return say(AnswerState::fits, "answer.fits");
      with("tight", call(tight));
      return say(AnswerState::fits, "answer.fits_or_tight");
    }
    if (tight.gpu >= 0) {
      with("gpus", call(tight));
      return say(AnswerState::tight, "answer.tight");
    }
    const Offer most = largest(result);
    if (most.gpu < 0) return none_at(std::max(1, static_cast<int>(inputs.number(FieldId::count))));
    with("gpus", call(most));
    with("capacity", bytes(most.bytes));
    return say(AnswerState::none, "answer.none");
  }
};

}  // namespace

Answer describe_answer(const Inputs& inputs, const Result& result, const GpuNames& names, const Text& text) {
  Speaker speaker{inputs, result, names, text};
  if (result.refused) {
    for (const Notice& notice : result.notices) {
      if (notice.severity != Severity::error) continue;
      speaker.with("reason", notice_text(notice, text));
      break;
    }
    return speaker.say(AnswerState::refused, "answer.refused");
  }
  speaker.begin();
  const int count = static_cast<int>(inputs.number(FieldId::count));
  const bool asked = count > 0 || !inputs.text(FieldId::gpu).empty();
  if (asked && result.chosen.gpu >= 0) return speaker.about_chosen();
  if (count > 0 && result.chosen.gpu < 0) return speaker.none_at(count);
  return speaker.about_all();
}

}  // namespace vramfit::shell

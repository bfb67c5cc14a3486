#include "answer.h"

#include <algorithm>

#include "notices.h"
#include "published.h"
#include "reasons.h"
#include "vramfit/catalog.h"

namespace vramfit::shell {
namespace {

std::string set_text(const Inputs& inputs, const Text& text) {
  const Id set = inputs.text(FieldId::gpus);
  if (set == "all") return text.say("answer.set.all", {{"count", static_cast<int>(gpus().size())}});
  const std::string other = text.say("answer.set.other");
  return inputs.text(FieldId::gpu).empty() ? text.word_or("answer.set.", set, other) : other;
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
  // What most sentences start with: which model in which form, how much it needs, and which cards are considered.
  std::string what = what_text();
  std::string need = need_text();
  std::string set = set_text(inputs, text);

  std::string what_text() const {
    return text.say(concat({"answer.what.", inputs.text(FieldId::task)}),
                    {{"model", model_name(result.model, text)}, {"weights", text.word("choice.weights.", result.weights)}});
  }
  std::string need_text() const {
    return text.say(concat({"answer.need.", method.id, method.missing.empty() ? "" : ".least"}),
                    {{"need", bytes(published(method.total).likely)},
                     {"engine", text.word_or("choice.engine.", result.engine_report.engine, {})}});
  }

  Figure bytes(double bytes) const { return text.numbers.bytes(bytes, own_unit(method.id)); }
  std::string call(const Offer& offer) const { return names.counted(offer.count, offer.gpu); }

  Answer say(AnswerState state, std::string_view id, std::initializer_list<Filling> more) const {
    constexpr std::size_t most = 3;
    Filling fillings[3 + most] = {{"what", what}, {"need", need}, {"set", set}};
    std::copy_n(more.begin(), std::min(more.size(), most), fillings + 3);
    return {state, text.messages.say(id, fillings)};
  }

  Answer none_at(int count) const {
    return say(AnswerState::none, "answer.none_at", {{"count", text.say("answer.gpus", {{"count", count}})}});
  }

  // The GPU or the count is the user's own.
  Answer about_chosen() const {
    const Pick& chosen = result.chosen;
    const Layout& layout = method.layouts[chosen.count - 1];
    const std::string gpus_called = names.counted(chosen.count, chosen.gpu);
    switch (chosen.verdict) {
      case Verdict::fits: return say(AnswerState::fits, "answer.chosen_fits", {{"gpus", gpus_called}});
      case Verdict::tight: return say(AnswerState::tight, "answer.tight", {{"gpus", gpus_called}});
      case Verdict::does_not_fit: {
        double capacity_bytes = 0;
        for (const FitRow& row : result.fit)
          if (row.gpu == chosen.gpu) capacity_bytes = published(row.capacity_bytes);
        return say(
            AnswerState::none, "answer.chosen_short",
            {{"gpus", gpus_called}, {"per_gpu", bytes(published(layout.need).likely)}, {"capacity", bytes(capacity_bytes)}});
      }
      case Verdict::unusable: break;
    }
    const int host_limit = gpus()[chosen.gpu].max_per_node;
    for (const FitRow& row : result.fit)
      if (const Id cause = row.causes[chosen.count - 1]; row.gpu == chosen.gpu && !cause.empty())
        return say(AnswerState::none, "answer.chosen_unusable",
                   {{"gpus", gpus_called},
                    {"reason", reason_text(cause, row.cause_numbers[chosen.count - 1], {&chosen.count, 1}, text)}});
    return say(
        AnswerState::none, "answer.chosen_unusable",
        {{"gpus", gpus_called},
         {"reason", chosen.count > host_limit ? host_limit_text(host_limit, text)
                                              : reason_text(layout.reason, layout.reason_number, {&chosen.count, 1}, text)}});
  }

  Answer about_all() const {
    const Offer fits = smallest(result, Verdict::fits);
    const Offer tight = smallest(result, Verdict::tight);
    if (fits.gpu >= 0) {
      const std::string best = names.counted(result.best.count, result.best.gpu);
      if (tight.gpu < 0 || !tight.smaller_than(fits)) return say(AnswerState::fits, "answer.fits", {{"gpus", best}});
      return say(AnswerState::fits, "answer.fits_or_tight", {{"gpus", best}, {"tight", call(tight)}});
    }
    if (tight.gpu >= 0) return say(AnswerState::tight, "answer.tight", {{"gpus", call(tight)}});
    const Offer most = largest(result);
    if (most.gpu < 0) return none_at(std::max(1, static_cast<int>(inputs.number(FieldId::count))));
    return say(AnswerState::none, "answer.none", {{"gpus", call(most)}, {"capacity", bytes(most.bytes)}});
  }
};

// The first error is the reason.
Answer refusal(const Result& result, const Text& text) {
  std::string reason;
  for (const Notice& notice : result.notices)
    if (notice.severity == Severity::error && reason.empty()) reason = notice_text(notice, text);
  return {AnswerState::refused, text.say("answer.refused", {{"reason", reason}})};
}

}  // namespace

Answer describe_answer(const Inputs& inputs, const Result& result, const GpuNames& names, const Text& text) {
  if (result.refused) return refusal(result, text);
  const Speaker speaker{inputs, result, names, text};
  const int count = static_cast<int>(inputs.number(FieldId::count));
  const bool asked = count > 0 || !inputs.text(FieldId::gpu).empty();
  if (asked && result.chosen.gpu >= 0) return speaker.about_chosen();
  if (count > 0 && result.chosen.gpu < 0) return speaker.none_at(count);
  return speaker.about_all();
}

}  // namespace vramfit::shell

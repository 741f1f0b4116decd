// Takes one page through the nine steps of docs/impl.md: it is read, compared, decided and committed.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "collection/page_record.hpp"
#include "core/memory.hpp"
#include "core/result.hpp"
#include "core/update_lock.hpp"
#include "decision/answer.hpp"
#include "decision/decision.hpp"
#include "decision/verification.hpp"
#include "engine/candidate_gathering.hpp"
#include "engine/page_view.hpp"
#include "page/feature_builder.hpp"
#include "page/features.hpp"
#include "page/own_text.hpp"
#include "page/packed_text.hpp"

namespace nd::engine {

class Engine;

// A page of which the time is not known was fetched now.
PageFacts facts_of(const PageInput& page) noexcept;

// What became of a candidate.
struct CandidateTrace {
  uint64_t group_id;
  bool same_text;             // a member with exactly the same text is known
  bool verified;              // it was compared; otherwise the answer was already clear, or a limit was hit
  Verification verification;  // if verified
};

// The groups that a check examined before it answered, in order of rank; for measurements and tests, never
// for callers of ndcapi.h. With several threads: those of the last look before the commit.
struct CheckTrace {
  Vector<CandidateTrace> candidates;
};

// The working memory, including the decision so far, belongs to the scratch, which outlives the check.
// Threads: one. It takes the engine's lock itself; no step that reads or compares a page holds it.
class Check {
 public:
  enum class Purpose {
    kCommit,
    kQuery,   // nothing is committed
    kSettle,  // of a page that was checked and counted before; see Engine::settle()
  };

  Check(Engine& engine, Scratch& scratch) noexcept;
  ~Check();
  Check(const Check&) = delete;
  Check& operator=(const Check&) = delete;

  // [1]-[6] `take_text`: may be null.
  Result<void> read(const PageInput& page, const TakeText* take_text = nullptr);
  // Replaces read(): takes features that already exist. `bytes`: the size of the document they were made
  // from.
  void take(Features page, uint64_t bytes) noexcept;
  // After take() of a page whose boilerplate is marked in the scratch: it is counted if it has no text of its
  // own.
  void note_own_text() noexcept;
  // [7]-[9] Called once, after read() or take().
  Result<Answer> decide(Purpose purpose, CheckTrace* trace = nullptr);
  // [9] Replaces decide(): commits what was decided elsewhere, as Engine::apply() says. After take().
  Result<Answer> apply(const Answer& decided);

 private:
  const Features& page() const noexcept { return *page_; }
  // The engine's current collection: a refresh replaces it, so it is fetched again under each lock.
  const Collection& collection() const noexcept;

  void give_own_text(std::span<const FeatureBlock> blocks, const SiteCounts& site, const TakeText& take_text);

  // [7] Candidates.
  Result<void> gather_with_readers();
  // At the collection as it is now; the lock must be held.
  CandidateGathering look() const noexcept;

  // [8] Verification.
  Result<void> verify_candidates();
  Candidate* next_to_verify();
  PairCounts prepare(Candidate& candidate);
  void verify(Candidate& candidate, const PairCounts& counts);
  uint64_t share_of_budget() const;
  bool lost_a_text() const;
  CheckTrace trace() const;

  // [9] Commit.
  Result<std::optional<Answer>> commit_round(Purpose purpose, bool is_last, CheckTrace* trace);
  Result<bool> look_again();
  void prepare_storing();
  Result<void> take_decision(const Answer& decided);
  Result<Answer> commit_under(std::unique_lock<UpdateLock>& lock, Purpose purpose);
  Result<Answer> commit();
  Result<Answer> commit_prepared(const Outcome& outcome);
  Result<Answer> commit_seen(const Answer& answer);
  Outcome outcome_of(const Answer& answer) const;
  void count_limits();

  Engine& engine_;
  Scratch& scratch_;
  Decision& decision_;  // the scratch's
  std::optional<Features> page_;
  bool lacks_own_text_ = false;
  // The page as it will be stored, and by what its site will count it, made when first needed.
  PackedText packed_;
  Vector<uint64_t> parts_;
};

}  // namespace nd::engine

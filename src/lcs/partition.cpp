// Collects the candidate sets through an index from keys to documents and groups each of them around
// representatives.
#include "lcs/partition.hpp"

#include <algorithm>

namespace nd::lcs {
namespace {

constexpr uint32_t kNoDocument = UINT32_MAX;

// A key of a document, which is identified by its rank in the order.
struct Posting {
  uint64_t key;
  uint32_t rank;
};

class Partitioner {
 public:
  Partitioner(std::span<const PartitionDocument> documents, const PartitionParameters& parameters,
              const Similarity& similarity, const BeginDocument& begin_document)
      : documents_(documents),
        parameters_(parameters),
        similarity_(similarity),
        begin_document_(begin_document) {}

  Partition run() {
    sort_documents();
    index_keys();
    result_.representatives.assign(documents_.size(), kNoDocument);
    result_.limited.assign(documents_.size(), 0);
    votes_.assign(documents_.size(), 0);
    set_of_.assign(documents_.size(), 0);
    drawn_.assign(documents_.size(), false);
    for (uint32_t rank = 0; rank < order_.size(); ++rank) {
      if (drawn_[rank]) continue;
      collect_candidates(rank);
      group_candidates();
    }
    return std::move(result_);
  }

 private:
  // Postings of one key, by rank; those behind `end` are in a candidate set already.
  struct List {
    size_t begin;
    size_t end;
    size_t last;  // the initial `end`
  };

  void sort_documents() {
    order_.resize(documents_.size());
    for (uint32_t i = 0; i < order_.size(); ++i)
      order_[i] = i;
    std::stable_sort(order_.begin(), order_.end(),
                     [&](uint32_t x, uint32_t y) { return documents_[x].rank > documents_[y].rank; });
  }

  void index_keys() {
    size_t keys = 0;
    for (const PartitionDocument& document : documents_)
      keys += document.keys.size();
    postings_.reserve(keys);
    for (uint32_t rank = 0; rank < order_.size(); ++rank) {
      for (const uint64_t key : documents_[order_[rank]].keys)
        postings_.push_back({key, rank});
    }
    std::sort(postings_.begin(), postings_.end(), [](const Posting& x, const Posting& y) {
      return x.key != y.key ? x.key < y.key : x.rank < y.rank;
    });
    first_list_of_.assign(order_.size() + 1, 0);
    for (size_t begin = 0, end = 0; begin < postings_.size(); begin = end) {
      while (end < postings_.size() && postings_[end].key == postings_[begin].key)
        ++end;
      if (is_deleted({begin, end, end})) {
        ++result_.counts.deleted_keys;
        continue;
      }
      // A key of a single document adds no other to a set.
      if (end - begin < 2) continue;
      lists_.push_back({begin, end, end});
      for (size_t i = begin; i < end; ++i)
        ++first_list_of_[postings_[i].rank + 1];
    }
    for (size_t rank = 0; rank < order_.size(); ++rank)
      first_list_of_[rank + 1] += first_list_of_[rank];
    lists_of_.resize(first_list_of_.back());
    Vector<size_t> next(first_list_of_.begin(), first_list_of_.end() - 1);
    for (size_t list = 0; list < lists_.size(); ++list) {
      for (size_t i = lists_[list].begin; i < lists_[list].end; ++i)
        lists_of_[next[postings_[i].rank]++] = list;
    }
  }

  bool is_deleted(const List& list) {
    const size_t documents = list.end - list.begin;
    if (documents > parameters_.fingerprint_limit) return true;
    if (documents <= parameters_.site_fingerprint_limit) return false;
    sites_.clear();
    for (size_t i = list.begin; i < list.end; ++i)
      sites_.push_back(documents_[order_[postings_[i].rank]].site);
    std::sort(sites_.begin(), sites_.end());
    const auto distinct = static_cast<size_t>(std::unique(sites_.begin(), sites_.end()) - sites_.begin());
    return distinct <= parameters_.few_sites;
  }

  // Each posting is added at most once over all sets, because a list is shortened to the document that reads
  // it.
  void collect_candidates(uint32_t founder) {
    candidates_.assign(1, founder);
    drawn_[founder] = true;
    for (size_t next = 0; next < candidates_.size(); ++next) {
      const uint32_t rank = candidates_[next];
      for (size_t i = first_list_of_[rank]; i < first_list_of_[rank + 1]; ++i) {
        List& list = lists_[lists_of_[i]];
        for (; list.end > list.begin && postings_[list.end - 1].rank > rank; --list.end) {
          const uint32_t later = postings_[list.end - 1].rank;
          if (drawn_[later]) continue;
          drawn_[later] = true;
          candidates_.push_back(later);
        }
      }
    }
    std::sort(candidates_.begin(), candidates_.end());
    ++result_.counts.candidate_sets;
  }

  void group_candidates() {
    founders_.clear();
    for (const uint32_t rank : candidates_) {
      const uint32_t document = order_[rank];
      uint32_t best = kNoDocument;
      double best_similarity = 0;
      const std::span<const uint32_t> compared = founders_to_compare(rank);
      if (begin_document_) begin_document_(document, compared.size());
      for (const uint32_t founder : compared) {
        ++result_.counts.comparisons;
        const double its_similarity = similarity_(founder, document);
        if (its_similarity > best_similarity) {
          best_similarity = its_similarity;
          best = founder;
          if (parameters_.first_similar) break;
        }
      }
      if (best == kNoDocument) {
        founders_.push_back(document);
        set_of_[document] = result_.counts.candidate_sets;
        ++result_.counts.groups;
        best = document;
      }
      result_.representatives[document] = best;
    }
  }

  std::span<const uint32_t> founders_to_compare(uint32_t rank) {
    if (founders_.size() <= parameters_.comparisons) return founders_;
    result_.limited[order_[rank]] = 1;
    // Each key has one vote, shared by the groups of the earlier documents that have it.
    chosen_.clear();
    by_length_.clear();
    for (size_t i = first_list_of_[rank]; i < first_list_of_[rank + 1]; ++i)
      by_length_.push_back(lists_of_[i]);
    std::sort(by_length_.begin(), by_length_.end(), [&](size_t x, size_t y) {
      const size_t length_x = lists_[x].last - lists_[x].begin;
      const size_t length_y = lists_[y].last - lists_[y].begin;
      return length_x != length_y ? length_x < length_y : x < y;
    });
    uint32_t postings = 0;
    for (const size_t list : by_length_) {
      const double vote = 1.0 / static_cast<double>(lists_[list].last - lists_[list].begin);
      for (size_t i = lists_[list].begin;
           i < lists_[list].last && postings_[i].rank < rank && postings < parameters_.postings;
           ++i, ++postings) {
        const uint32_t founder = result_.representatives[order_[postings_[i].rank]];
        // A larger document may be in another set, or in none yet.
        if (founder == kNoDocument || set_of_[founder] != result_.counts.candidate_sets) continue;
        if (votes_[founder] == 0) chosen_.push_back(founder);
        votes_[founder] += vote;
      }
    }
    std::sort(chosen_.begin(), chosen_.end(),
              [&](uint32_t x, uint32_t y) { return votes_[x] != votes_[y] ? votes_[x] > votes_[y] : x < y; });
    for (const uint32_t founder : chosen_)
      votes_[founder] = 0;
    if (chosen_.size() > parameters_.comparisons) chosen_.resize(parameters_.comparisons);
    if (!parameters_.first_similar) return chosen_;
    std::sort(chosen_.begin(), chosen_.end());
    in_order_.clear();
    for (const uint32_t founder : founders_)
      if (std::binary_search(chosen_.begin(), chosen_.end(), founder)) in_order_.push_back(founder);
    return in_order_;
  }

  std::span<const PartitionDocument> documents_;
  const PartitionParameters& parameters_;
  const Similarity& similarity_;
  const BeginDocument& begin_document_;
  Vector<uint32_t> order_;  // by rank: index of the document
  Vector<Posting> postings_;
  Vector<List> lists_;
  Vector<size_t> first_list_of_, lists_of_;  // by rank: its lists
  Vector<bool> drawn_;                       // by rank: is in a candidate set
  Vector<uint64_t> sites_;
  Vector<uint32_t> candidates_;  // ranks of the current set
  Vector<uint32_t> founders_;    // representatives of the current set
  Vector<uint32_t> chosen_;      // of them, for the current document
  Vector<uint32_t> in_order_;    // the same, as they were founded
  Vector<size_t> by_length_;     // its lists
  Vector<double> votes_;         // by document
  Vector<uint64_t> set_of_;      // by representative: the number of its set, from 1
  Partition result_;
};

}  // namespace

Partition partition(std::span<const PartitionDocument> documents, const PartitionParameters& parameters,
                    const Similarity& similarity, const BeginDocument& begin_document) {
  return Partitioner(documents, parameters, similarity, begin_document).run();
}

}  // namespace nd::lcs

// One step a function of the C interface.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "faults/scenario.hpp"

namespace faults::calls {

using Settings = std::vector<std::pair<const char*, const char*>>;

Step set_allocator();  // too late
Step read_names();     // of versions and status codes
Step new_options();
Step set_option(const char* key, const char* value);
Step get_option(const char* key);
Step describe_option(size_t index);
Step free_options();

Step open();        // in memory, with the options if there are any
Step open_store();  // at the world's path
Step open_again();  // the same store, which is open
Step close();
Step open_reader();
Step refresh();
Step find_by_reader(std::string url);
Step close_reader();

Step check(std::string url, std::string body, std::string content_type = "");
Step query(std::string url, std::string body);
Step own_text(std::string url, std::string body);
Step check_with_text(std::string url, std::string body);
Step remove(std::string url);
Step remove_matching(std::string url_prefix, bool purge);
Step snapshot();
Step compact();
Step set_bookmark(const char* name, std::string data);
Step get_bookmark(const char* name);
Step verify_store();
Step repair_store();
Step merge_stores();

Step find_page(std::string url);
Step get_page(uint64_t page_id);
Step each_page(uint64_t group_id);
Step kept_page(uint64_t group_id, int32_t rule);
Step settle();
Step each_group();
Step each_event();
Step explain(uint64_t page_a, uint64_t page_b);
Step compare_pages(uint64_t page_a, uint64_t page_b);
Step similar_pages(uint64_t page_id);
Step get_stats();
Step metrics();
Step set_logger();
Step set_options_logger();

Step extract(std::string url, std::string body);
Step choose_copy(int32_t rule);
Step describe_page(std::string url, std::string body);
// Uses a reader for each page in turn: features, signature, report.
Step read_pages(std::vector<std::pair<std::string, std::string>> pages);
// Features and signatures are kept by name for later steps.
Step features(const char* name, std::string url, std::string body);
Step features_keys(const char* name);
Step features_parts(const char* name);
// The features of `pages` as a site's pages.
Step learn_site(std::vector<std::string> pages, const char* saved);
Step merge_site(const char* saved);
Step site_weights(const char* name, const char* saved);
Step features_with_site(const char* name, const char* saved, const char* with_site);
Step features_representative(const char* name, const char* saved, const char* representative);
Step features_info(const char* name);
Step features_decide(const char* a, const char* b);
Step join_features(std::vector<const char*> names);
Step read_page(const char* name, std::string url, std::string body);
Step learn_features(const char* name);
Step check_features(const char* name);
Step query_features(const char* name);
Step apply_outcome(const char* name, int32_t verdict, uint64_t group_id);
Step partition(std::vector<const char*> names);
Step signature(const char* name, std::string url, std::string body);
Step signature_keys(const char* name);
Step signature_compare(const char* a, const char* b);

// new_options, set_option for each, open or open_store, free_options.
std::vector<Step> opened(const Settings& settings, bool store);

}  // namespace faults::calls

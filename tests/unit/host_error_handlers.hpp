// libxml2's error handlers of this thread, as a program sets them that uses libxml2 itself beside ndc.
#pragma once

#include <libxml/xmlerror.h>

namespace sample {

// While it lives, the thread's handlers are these, which count.
class HostErrorHandlers {
 public:
  HostErrorHandlers() {
    xmlSetStructuredErrorFunc(&structured_count_, hear_structured);
    xmlSetGenericErrorFunc(&generic_count_, hear_generic);
  }
  HostErrorHandlers(const HostErrorHandlers&) = delete;
  HostErrorHandlers& operator=(const HostErrorHandlers&) = delete;
  ~HostErrorHandlers() {
    xmlSetStructuredErrorFunc(structured_context_, structured_);
    xmlSetGenericErrorFunc(generic_context_, generic_);
  }

  // Handlers and what is handed to them.
  bool are_as_set() {
    return xmlStructuredError == hear_structured && xmlStructuredErrorContext == &structured_count_ &&
           xmlGenericError == hear_generic && xmlGenericErrorContext == &generic_count_;
  }
  // How often they were called.
  int count() const { return structured_count_ + generic_count_; }

 private:
  static void hear_structured(void* count, xmlErrorPtr) { ++*static_cast<int*>(count); }
  static void hear_generic(void* count, const char*, ...) { ++*static_cast<int*>(count); }

  int structured_count_ = 0;
  int generic_count_ = 0;
  const xmlStructuredErrorFunc structured_ = xmlStructuredError;
  void* const structured_context_ = xmlStructuredErrorContext;
  const xmlGenericErrorFunc generic_ = xmlGenericError;
  void* const generic_context_ = xmlGenericErrorContext;
};

}  // namespace sample

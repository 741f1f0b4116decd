/* As header_c99.c, under C11; and an initialiser serves as a compound literal too. */
#include <ndcapi.h>

int main(void) {
  const nd_page page = (nd_page)ND_PAGE_INIT;
  const nd_result result = (nd_result)ND_RESULT_INIT;
  return (int)(page.flags + result.flags);
}

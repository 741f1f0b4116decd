/* The other order of header_before_icmp6.c. */
#include <netinet/icmp6.h>

#include <ndcapi.h>

int main(void) {
  nd_page page = ND_PAGE_INIT;
  return (int)page.flags + ND_OK - (int)(ND_ROUTER_SOLICIT - 133);
}

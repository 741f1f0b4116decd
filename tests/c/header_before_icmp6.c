/* <netinet/icmp6.h> owns many names that begin with nd_ and ND_; crawlers include it through their DNS or
 * proxy code. */
#include <ndcapi.h>

#include <netinet/icmp6.h>

int main(void) {
  nd_page page = ND_PAGE_INIT;
  return (int)page.flags + ND_OK - (int)(ND_ROUTER_SOLICIT - 133);
}

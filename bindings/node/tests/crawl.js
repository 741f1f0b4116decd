// crawl.js ADDRESS STORE [PAGES]: crawls the site of crawled_site.js with Crawlee's CheerioCrawler and prints the
// answer about each page as a line of JSON. Ends by SIGKILL when it has that many PAGES.
'use strict';

const { writeSync } = require('node:fs');
const { CheerioCrawler, Configuration } = require('@crawlee/cheerio');
const { NearDuplicates } = require('..');

async function main([address, store, pages]) {
  const known = await NearDuplicates.open(store);
  let seen = 0;
  const crawler = new CheerioCrawler(
    {
      minConcurrency: 8, // however busy the machine is
      maxConcurrency: 8,
      async requestHandler({ request, body, contentType, enqueueLinks }) {
        const result = await known.check({ url: request.url, body, contentType: contentType.type });
        const path = request.url.slice(address.length) || '/';
        writeSync(1, `${JSON.stringify({ path, verdict: result.verdict, group: result.groupId })}\n`);
        if (++seen === Number(pages)) process.kill(process.pid, 'SIGKILL');
        if (!result.isDuplicate) await enqueueLinks();
      }
    },
    new Configuration({ persistStorage: false, availableMemoryRatio: 0.5 })
  );
  await crawler.run([`${address}/`]);
  await known.close();
}

main(process.argv.slice(2));

// A site on the loopback whose copies are known: articles, changed copies of some, and one long article with a copy.
'use strict';

const { createServer } = require('node:http');
const { text } = require('./texts');

const ARTICLES = 12;
const COPIES = 5; // of the first articles

const frame = (title, body) =>
  `<html><head><title>${title}</title></head><body><nav><a href=/>Home</a></nav>${body}</body></html>`;
const article = (seed, note = '', words = 150) =>
  frame(`Article ${seed}`, `<h1>Article ${seed}</h1><p>${text(seed, words)} ${note}</p>`);

/** Path to HTML; `/copy/N` is a copy of `/article/N`. */
function pages() {
  const out = new Map();
  for (let seed = 0; seed < ARTICLES; seed++) out.set(`/article/${seed}`, article(seed));
  for (let seed = 0; seed < COPIES; seed++) out.set(`/copy/${seed}`, article(seed, 'Read more on Monday.'));
  out.set('/article/long', article(200, '', 60_000));
  out.set('/copy/long', article(200, 'Read more on Monday.', 60_000));
  const links = [...out.keys()].map((path) => `<p><a href="${path}">${path}</a>`);
  out.set('/', frame('Home', links.join('')));
  return out;
}

/** Serves the site; its address, and a function that ends it. */
async function serve() {
  const site = pages();
  const server = createServer((request, response) => {
    const body = site.get(request.url);
    response.writeHead(body === undefined ? 404 : 200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(body ?? '<p>not here');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => (server.closeAllConnections(), server.close());
  return { address: `http://127.0.0.1:${server.address().port}`, site, close };
}

module.exports = { COPIES, serve };

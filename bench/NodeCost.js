// The Node side of bench/node_cost: checks one page again and again.
//
//   NodeCost.js PACKAGE PAGE
//
// For each line "FLIGHT COUNT" of its input it checks the page COUNT times, FLIGHT calls at a time, or with checkSync
// where FLIGHT is 0, and prints the nanoseconds that took: of the CPU of all threads, of the wall clock.
'use strict';

const { readFileSync } = require('node:fs');
const readline = require('node:readline');

const { NearDuplicates } = require(process.argv[2]);
const page = { url: 'http://a.example/', body: readFileSync(process.argv[3]), contentType: 'text/html; charset=utf-8' };

async function main() {
  const engine = await NearDuplicates.open();
  const check = async (count) => {
    for (let i = 0; i < count; i++) await engine.check(page);
  };
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [flight, count] = line.split(' ').map(Number);
    const cpu = process.cpuUsage();
    const wall = process.hrtime.bigint();
    if (flight === 0) for (let i = 0; i < count; i++) engine.checkSync(page);
    else await Promise.all(Array.from({ length: flight }, () => check(count / flight)));
    const took = process.hrtime.bigint() - wall;
    const { user, system } = process.cpuUsage(cpu);
    console.log(`${(user + system) * 1000} ${took}`);
  }
  await engine.close();
}

main();

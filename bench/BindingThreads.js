// The Node side of bench/binding_threads.
//
//   BindingThreads.js PACKAGE FOLDER
//
// For each line "THREADS ENGINES" of its input it checks the pages of FOLDER in new engines and prints the nanoseconds
// by the clock and of the CPU that took, and the founder of each page's group. One thread: by checkSync. Two in one
// engine: by promises, of which eight are in flight. With an engine each: by checkSync in two worker threads.
'use strict';

const { readFileSync, readdirSync } = require('node:fs');
const path = require('node:path');
const readline = require('node:readline');
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');

const [root, folder] = process.argv.slice(2);
const { NearDuplicates } = require(root);
const IN_FLIGHT = 8;

const bodies = readdirSync(folder)
  .sort((a, b) => a - b)
  .map((name) => readFileSync(path.join(folder, name)));
const page = (i) => ({ url: `http://a${i % 7}.example/${i}`, body: bodies[i], contentType: 'text/html' });

/** The groups of every page from `first` on that is so many further. */
function checkInTurn(first, step) {
  const engine = NearDuplicates.openSync();
  const groups = [];
  for (let i = first; i < bodies.length; i += step) groups.push(engine.checkSync(page(i)).groupId);
  engine.closeSync();
  return groups;
}

async function checkAtOnce() {
  const engine = await NearDuplicates.open();
  const groups = [];
  let next = 0;
  const check = async () => {
    while (next < bodies.length) {
      const i = next++;
      groups[i] = (await engine.check(page(i))).groupId;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, check));
  await engine.close();
  return groups;
}

/** Worker threads that have read the pages, and a function that has them check. */
async function startWorkers() {
  const workers = [0, 1].map((first) => new Worker(__filename, { argv: [root, folder], workerData: { first } }));
  const answers = () => Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('message', resolve))));
  await answers();
  return {
    check() {
      for (const worker of workers) worker.postMessage('check');
      return answers();
    },
    end: () => Promise.all(workers.map((worker) => worker.terminate()))
  };
}

async function main() {
  const workers = await startWorkers();
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const cpu = process.cpuUsage();
    const wall = process.hrtime.bigint();
    let groups = [];
    if (line === '1 1') groups = checkInTurn(0, 1);
    else if (line === '2 1') groups = await checkAtOnce();
    else await workers.check();
    const took = process.hrtime.bigint() - wall;
    const { user, system } = process.cpuUsage(cpu);
    const first = new Map();
    groups.forEach((group, i) => first.has(group) || first.set(group, i));
    console.log(`${took} ${(user + system) * 1000} ${groups.map((group) => first.get(group)).join(',') || '-'}`);
  }
  await workers.end();
}

if (isMainThread) {
  main();
} else {
  parentPort.on('message', () => parentPort.postMessage(checkInTurn(workerData.first, 2).length));
  parentPort.postMessage('ready');
}

#!/usr/bin/env node
// Starts the command line. Plain old syntax: this file has to load on any Node.
import { existsSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
const sources = new URL('../main.ts', import.meta.url);
const hubs = new URL('../../../bin/rapport.mjs', import.meta.url);

if (major < 20 || (major === 20 && minor < 12)) {
  console.error(`Rapport needs Node 20.12 or newer and this is ${process.version}.`);
  process.exitCode = 1;
} else {
  // Beside its sources nothing is built here: in the repository the name belongs to the hub's program, which knows
  // these commands too.
  await import(existsSync(sources) ? hubs.href : new URL('../dist/main.js', import.meta.url).href);
}

// How long a built hub takes to start with 0, 5 and 20 plugins, and what memory it has when idle.
//   DATABASE_URL=… [REDIS_URL=…] node test/plugins/measure-many.mjs [times]
// On a quiet machine with Node 22.18 or newer. DATABASE_URL names a database of its own: it is migrated first.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const { manyPlugins } = await import(new URL('../support/many-plugins.ts', import.meta.url).href);
const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const times = Number(process.argv[2] ?? 3);
const IDLE_MS = 3_000;

async function measure(PLUGINS_DIR) {
  const began = performance.now();
  const env = {
    ...process.env,
    PORT: '0',
    LOG_LEVEL: 'warn',
    SECRET_KEYS: `m:${Buffer.alloc(32).toString('base64')}`,
    PLUGINS_DIR,
  };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise(resolve => child.once('exit', resolve));
  const url = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', chunk => {
      const [, found] = /ready at (\S+)/.exec((text += chunk)) ?? [];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(`the hub ended at its start: ${text}`)));
  });
  const startMs = Math.round(performance.now() - began);
  const { plugins = {} } = await (await fetch(`${url}/readyz`)).json();
  await pause(IDLE_MS);
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
  child.kill('SIGTERM');
  await exited;
  return {
    ready: Object.values(plugins).filter(state => state === 'ready').length,
    startMs,
    rssMb: Math.round(kilobytes / 1024),
  };
}

for (const count of [0, 5, 20]) {
  const many = manyPlugins(count);
  const rows = [];
  for (let time = 0; time < times; time++) rows.push(await measure(many.dir));
  console.log(
    JSON.stringify({
      plugins: count,
      ready: rows[0].ready,
      startMs: rows.map(r => r.startMs),
      rssMb: rows.map(r => r.rssMb),
    }),
  );
  many.end();
}

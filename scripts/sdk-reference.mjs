// Writes docs/plugins-reference.md from the doc comments of the SDK.
//   node scripts/sdk-reference.mjs           writes it
//   node scripts/sdk-reference.mjs --check   exit code 1 when what is written is not current
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chapters } from './sdk-reference/chapters.mjs';
import { exportsOf } from './sdk-reference/exports.mjs';

const file = fileURLToPath(new URL('../docs/plugins-reference.md', import.meta.url));

const HEAD = `# Plugin SDK reference

<!-- Generated from the comments in src/sdk by npm run docs:sdk. Do not edit. -->

[plugins.md](plugins.md) explains how to write a plugin.
`;

function page() {
  const contents = chapters.map(({ title, files }) => {
    const names = files.flatMap(name => exportsOf(name).map(entry => `[${entry.name}](#${entry.name.toLowerCase()})`));
    return `- **${title}**: ${names.join(', ')}`;
  });
  return `${HEAD}\n${contents.join('\n')}\n\n${chapters.map(chapterOf).join('\n')}`;
}

function chapterOf({ title, about, from, files }) {
  const parts = files.flatMap(name => exportsOf(name).map(entryOf));
  return [`## ${title}`, '', about, '', `\`import { … } from '${from}';\``, '', ...parts].join('\n');
}

function entryOf({ name, text, example, code }) {
  const shown = example ? ['', '```ts', example, '```'] : [];
  return [
    `### ${name}`,
    '',
    text,
    '',
    '```ts',
    code,
    '```',
    ...(shown.length > 0 ? ['', 'Example:', ...shown] : []),
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] !== '--check') writeFileSync(file, page());
  else if (readFileSync(file, 'utf8') !== page()) {
    console.error('docs/plugins-reference.md is not current: run node scripts/sdk-reference.mjs');
    process.exit(1);
  }
}

// What a release does to a changelog in the format of https://keepachangelog.com.
import { execFileSync } from 'node:child_process';

const UNRELEASED = /^## Unreleased$/m;
const HEADINGS = { feat: 'Added', fix: 'Fixed', perf: 'Changed' };
const SUBJECT = /^(feat|fix|perf)(?:\(([^)]+)\))?!?: (.+)$/;

/** Reads the newest version that a changelog has a section for; `Unreleased` before the first release. */
export function readReleasedVersion(text) {
  return /^## (\d+\.\d+\.\d+\S*)/m.exec(text)?.[1] ?? 'Unreleased';
}

/**
 * Moves the section Unreleased under a version and leaves an empty one. If it is empty already, the section of the version lists
 * the commits since the last release.
 * @param commits `tagPrefix` of the releases, and the `path` that the commits have to touch
 * @throws Error when the changelog has no section Unreleased
 */
export function releaseUnreleased(text, version, commits, today = new Date()) {
  const start = UNRELEASED.exec(text);
  if (!start) throw new Error('The changelog has no section "## Unreleased": add one below its introduction.');
  const from = start.index + start[0].length;
  const rest = text.slice(from);
  const length = /^## /m.exec(rest)?.index ?? rest.length;
  const written = rest.slice(0, length).trim();
  const section = written || formatSection(readSubjects(commits));
  const heading = `## ${version} - ${today.toISOString().slice(0, 10)}`;
  return `${text.slice(0, from)}\n\n${heading}\n\n${section}\n\n${rest.slice(length)}`.trimEnd() + '\n';
}

/** Formats the subjects of those Conventional Commits that users notice, by type. */
export function formatSection(subjects) {
  const parsed = subjects.map(subject => SUBJECT.exec(subject)).filter(found => found !== null);
  const parts = Object.entries(HEADINGS).map(([type, heading]) => {
    const lines = parsed.filter(([, kind]) => kind === type).map(([, , scope, what]) => formatLine(scope, what));
    return lines.length === 0 ? '' : `### ${heading}\n\n${lines.join('\n')}`;
  });
  return parts.filter(part => part !== '').join('\n\n') || 'No changes that users notice.';
}

function formatLine(scope, what) {
  return scope === undefined ? `- ${what}` : `- **${scope}**: ${what}`;
}

function readSubjects({ tagPrefix, path }) {
  const git = (...words) =>
    execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  const last = git('tag', '--merged=HEAD', '--sort=-version:refname', '--list', `${tagPrefix}[0-9]*`).split('\n')[0];
  return git('log', '--format=%s', ...(last ? [`${last}..HEAD`] : []), '--', path).split('\n');
}

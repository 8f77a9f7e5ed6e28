// npm run release: the hub, the command line and the bundled plugins, which have one version.
import { updateChangelog, updateJson, updateLockfile, updatePackageJson, updateText } from './updaters.mjs';

const folders = ['src/cli', 'plugins/calcom', 'plugins/crm', 'plugins/csv-import', 'plugins/triggers'];
const tagPrefix = 'v';

export default {
  tagPrefix,
  packageFiles: ['package.json'],
  bumpFiles: [
    updatePackageJson('package.json'),
    ...folders.map(folder => updatePackageJson(`${folder}/package.json`)),
    updateLockfile(['', ...folders]),
    updateText('src/cli/version.ts', /(?<= VERSION = ')[^']+/g),
    updateJson('test/contract/openapi.json', ['info', 'version']),
    updateChangelog('CHANGELOG.md', { tagPrefix, path: '.' }),
  ],
  releaseCommitMessageFormat: `chore(release): ${tagPrefix}{{currentTag}}`,
  skip: { changelog: true },
};

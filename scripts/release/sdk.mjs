// npm run release:sdk: the plugin SDK, whose version follows its own changes only.
import { updateChangelog, updateLockfile, updatePackageJson, updateText } from './updaters.mjs';

const tagPrefix = 'plugin-sdk-v';
const path = 'src/sdk';

export default {
  tagPrefix,
  path,
  packageFiles: [updatePackageJson('src/sdk/package.json')],
  bumpFiles: [
    updatePackageJson('src/sdk/package.json'),
    updateLockfile(['src/sdk']),
    updateText('src/sdk/version.ts', /(?<= SDK_VERSION = ')[^']+/g),
    updateText('docs/plugins-reference.md', /(?<= SDK_VERSION = ')[^']+/g),
    updateText('docs/plugins.md', /(?<=rapport-plugin-sdk-)\d+\.\d+\.\d+(?=\.tgz)/g),
    updateChangelog('src/sdk/CHANGELOG.md', { tagPrefix, path }),
  ],
  releaseCommitMessageFormat: `chore(release): ${tagPrefix}{{currentTag}}`,
  skip: { changelog: true },
};

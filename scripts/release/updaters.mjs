// Updaters of commit-and-tag-version: how each file of a release takes the new version.
import { releaseUnreleased, readReleasedVersion } from './changelog.mjs';

/** Updates the version of a package.json. */
export const updatePackageJson = filename => ({ filename, type: 'json' });

/**
 * Updates a version within JSON, in one place or in several.
 * @param places paths of keys, such as `['info', 'version']`
 */
export const updateJson = (filename, ...places) => ({
  filename,
  updater: {
    readVersion: text => readAt(JSON.parse(text), places[0]),
    writeVersion: (text, version) => {
      const value = JSON.parse(text);
      for (const place of places) readAt(value, place.slice(0, -1))[place.at(-1)] = version;
      return `${JSON.stringify(value, null, 2)}\n`;
    },
  },
});

/** Updates a version within text. @param version matches the version alone, wherever it occurs (flag `g`) */
export const updateText = (filename, version) => ({
  filename,
  updater: {
    readVersion: text => text.match(version)?.[0],
    writeVersion: (text, next) => text.replaceAll(version, next),
  },
});

/** Updates the versions of these folders in the lockfile; '' is the root. */
export const updateLockfile = folders => {
  const places = folders.map(folder => ['packages', folder, 'version']);
  return updateJson('package-lock.json', ...places, ...(folders.includes('') ? [['version']] : []));
};

/** Moves the section Unreleased of a changelog under the new version. */
export const updateChangelog = (filename, commits) => ({
  filename,
  updater: {
    readVersion: readReleasedVersion,
    writeVersion: (text, version) => releaseUnreleased(text, version, commits),
  },
});

function readAt(value, place) {
  return place.reduce((at, key) => at?.[key], value);
}

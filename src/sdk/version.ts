/**
 * Version of this package, against which the range `sdk` of a manifest is checked.
 * @example satisfies(SDK_VERSION, manifest.sdk)
 */
export const SDK_VERSION = '1.0.0';

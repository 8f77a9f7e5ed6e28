/**
 * The version of this package, which the range `sdk` of a manifest is compared with.
 * @example satisfies(SDK_VERSION, manifest.sdk)
 */
export const SDK_VERSION = '1.0.0';

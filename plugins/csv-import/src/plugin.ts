import { definePlugin } from '@rapport/plugin-sdk';
import manifest from './manifest.js';

/** The decorators of this plugin: what does not fit the manifest does not compile. */
export const plugin = definePlugin({ manifest });

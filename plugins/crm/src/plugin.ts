import { definePlugin, type HubOf } from '@rapport/plugin-sdk';
import manifest from './manifest.js';

/** The decorators of this plugin: what does not fit the manifest does not compile. */
export const plugin = definePlugin({ manifest });

/** The hub, with the credentials and settings of this plugin. */
export type Hub = HubOf<typeof plugin>;

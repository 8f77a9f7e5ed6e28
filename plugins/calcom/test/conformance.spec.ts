import { conformance } from '@rapport/plugin-sdk/testing';
import { CalcomPlugin } from '../src/calcom.plugin.js';
import fixtures from '../src/fixtures.js';
import manifest from '../src/manifest.js';

it.each(conformance(CalcomPlugin, manifest, fixtures))('$name', ({ run }) => run());

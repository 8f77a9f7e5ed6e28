import { conformance } from '@rapport/plugin-sdk/testing';
import { CrmPlugin } from '../src/crm.plugin.js';
import fixtures from '../src/fixtures.js';
import manifest from '../src/manifest.js';

it.each(conformance(CrmPlugin, manifest, fixtures))('$name', ({ run }) => run());

import { conformance } from '@rapport/plugin-sdk/testing';
import { CsvImportPlugin } from '../src/csv-import.plugin.js';
import fixtures from '../src/fixtures.js';
import manifest from '../src/manifest.js';

it.each(conformance(CsvImportPlugin, manifest, fixtures))('$name', ({ run }) => run());

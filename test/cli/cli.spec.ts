import { fileURLToPath } from 'node:url';
import { homeAt } from '../support/process/cli.js';
import { startTestHub } from '../support/hub.js';
import { bridgeCases } from './bridge.cases.js';
import { commandCases } from './commands.cases.js';
import { importCases } from './import.cases.js';
import { loginCases } from './login.cases.js';
import type { Place } from './cli.fixture.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../plugins', import.meta.url));
const place = {} as Place;

beforeAll(async () => {
  place.hub = await startTestHub({ PLUGINS_DIR });
  place.acme = await place.hub.workspace();
});
afterAll(() => place.hub.end());
beforeEach(() => {
  place.home = homeAt({ RAPPORT_BASE_URL: place.hub.url, RAPPORT_API_KEY: place.acme.key });
});
afterEach(() => place.home.remove());

describe('commands', () => void commandCases(place));
describe('signing in by a code', () => void loginCases(place));
describe('import', () => void importCases(place));
describe('the bridge', () => void bridgeCases(place));

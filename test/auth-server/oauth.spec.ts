import { clientCases } from './clients.cases.js';
import { codeCases } from './code.cases.js';
import { deviceCases } from './device.cases.js';
import { discoveryCases } from './discovery.cases.js';
import { type OAuthGround, openGround } from './oauth.fixture.js';
import { pageCases } from './page.cases.js';
import { personCases } from './person.cases.js';
import { refreshCases } from './refresh.cases.js';

let ground: OAuthGround;
beforeAll(async () => {
  ground = await openGround();
});
afterAll(() => ground?.end());

const ofThisSuite = () => ground;

describe('a client that knows the address of MCP', () => {
  discoveryCases(ofThisSuite);
});
describe('a client', () => {
  clientCases(ofThisSuite);
});
describe('a code', () => {
  codeCases(ofThisSuite);
});
describe('a refresh token', () => {
  refreshCases(ofThisSuite);
});
describe('a device', () => {
  deviceCases(ofThisSuite);
});
describe('a person with an account', () => {
  personCases(ofThisSuite);
});
describe('the page', () => {
  pageCases(ofThisSuite);
});

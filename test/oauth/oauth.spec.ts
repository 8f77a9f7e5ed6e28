import { deviceCases } from './device.cases.js';
import { type OAuthGround, openGround } from './ground.js';

let ground: OAuthGround;
beforeAll(async () => {
  ground = await openGround();
});
afterAll(() => ground?.end());

describe('a device', () => {
  deviceCases(() => ground);
});

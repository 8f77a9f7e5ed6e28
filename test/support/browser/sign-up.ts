import type { Client } from '../hub.js';
import { PASSWORD } from '../sign-in.js';
import type { ConsoleHub } from './console-hub.js';
import type { ConsolePage } from './console-page.js';

let count = 0;

/** Makes the person of a page the first owner of a workspace. @returns the e-mail address of the owner */
export async function signUpOwner({ page }: ConsolePage, hub: ConsoleHub, client: Client): Promise<string> {
  const email = `olga${count++}@people.example`;
  await page.goto(await hub.setupAddress(client));
  await page.getByLabel('Your name').fill('Olga Owner');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Attention' }).waitFor();
  return email;
}

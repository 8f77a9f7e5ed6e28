import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { bodyOf, createHub, ExplainedError } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { signInWords } from '../words/signIn.ts';

/** Most people who sign in load no passkey code: it comes when it is needed. */
const loadBrowserPart = () => import('@simplewebauthn/browser');

/** Lets the device create a passkey, and adds it. @throws HubError, ExplainedError if the device refuses */
export async function addPasskey(name: string, proof: Schemas['BeginPasskey']): Promise<void> {
  const hub = createHub();
  const { options } = bodyOf(await hub.POST('/auth/passkeys/options', { body: proof }));
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const { startRegistration } = await loadBrowserPart();
  const created = await startRegistration({ optionsJSON }).catch(explain);
  const credential = { ...created, response: { ...created.response } };
  await hub.POST('/auth/passkeys', { body: { name, credential } });
}

/** Signs in by a passkey that the person chooses. @throws HubError, ExplainedError if the device refuses */
export async function signInByPasskey(): Promise<void> {
  const hub = createHub();
  const { options } = bodyOf(await hub.POST('/auth/passkeys/sign-in/options'));
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { startAuthentication } = await loadBrowserPart();
  const signed = await startAuthentication({ optionsJSON }).catch(explain);
  const credential = { ...signed, response: { ...signed.response } };
  await hub.POST('/auth/passkeys/sign-in', { body: { credential } });
}

/** Browsers do not tell a person who cancels from a device without a passkey. */
function explain(error: unknown): never {
  const name = error instanceof Error ? error.name : '';
  if (name === 'InvalidStateError') throw new ExplainedError(signInWords.passkeys.known);
  if (name === 'SecurityError') throw new ExplainedError(signInWords.passkeys.needsDomain);
  throw new ExplainedError(signInWords.passkeys.cancelled);
}

import type { ErrorRow } from './integration-errors.js';

/** The errors of people who sign in. */
export const signInErrors = {
  sign_in_failed: { status: 401, detail: 'E-mail address or password are wrong. Check both and try again.' },
  second_factor_required: {
    status: 401,
    detail:
      'This account has a second factor. Send the code that the authenticator app shows, or a recovery code, as `code`.',
  },
  second_factor_failed: {
    status: 401,
    detail:
      'The code is wrong or was used before. Send the code that the authenticator app shows next, or a recovery code.',
  },
  passkey_failed: {
    status: 401,
    detail: 'The passkey was not accepted. Try again, or sign in with your password.',
  },
  single_sign_on_failed: {
    status: 401,
    detail:
      'The sign-in at the provider was cancelled, has expired, or was begun in another browser. Begin it again from the ' +
      'sign-in page.',
  },
  single_sign_on_unknown: {
    status: 403,
    detail:
      'No account of this hub is connected with this sign-in. Sign in with your password and connect it in your profile, or ' +
      'accept an invitation with it.',
  },
  single_sign_on_taken: {
    status: 409,
    detail: 'Another account of this hub is connected with this sign-in. Disconnect it there first.',
  },
  single_sign_on_unavailable: {
    status: 502,
    detail:
      'The provider of single sign-on did not respond as expected. Try again later, or ask the operator of this hub to ' +
      'check its OIDC settings.',
  },
  invited_otherwise: {
    status: 403,
    detail:
      'The invitation is for another e-mail address than the one that the provider names. Ask for an invitation of that ' +
      'address, or accept this one with a password.',
  },
  account_exists: {
    status: 409,
    detail:
      'The invited address has an account, which is not connected with this sign-in. Accept with its password, then connect ' +
      'it in your profile.',
  },
  approval_expired: {
    status: 410,
    detail: 'This request was decided before or has expired. Start again in your program; it makes a new one.',
  },
  new_workspace_refused: {
    status: 403,
    detail:
      'The workspace was not created. People create workspaces in the console, unless the operator of the hub does.',
  },
  second_factor_enabled: {
    status: 409,
    detail: 'This account has a second factor already. Turn it off before another one is set up.',
  },
} as const satisfies Record<string, ErrorRow>;

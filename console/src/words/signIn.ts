import { count } from './count.ts';

/** The words of sign-in, and of how a person signs in. They load with these pages only. */
export const signInWords = {
  signIn: {
    title: 'Sign in to Rapport',
    email: 'E-mail address',
    password: 'Password',
    submit: 'Sign in',
    busy: 'Signing in…',
    wrong: 'The address and the password do not match. Check both.',
    byPasskey: 'Use a passkey',
    bySingleSignOn: (provider: string) => `Continue with ${provider}`,
    code: 'Code',
    codeHint: 'The six digits that your authenticator app shows, or a recovery code.',
    wrongCode: 'This code is wrong or was used before. Take the next one that the app shows, or a recovery code.',
    setUpFirst:
      'Nobody has an account yet. Open the setup address that the hub printed when it first started; “rapport admin workspace setup-address” prints another one.',
    forgotten: 'Forgot your password? The operator of this hub can give you an address at which you set a new one.',
  },
  secret: {
    gone: 'This address does not work any more',
    signIn: 'Sign in',
  },
  setup: {
    title: 'Set up your workspace',
    text: 'You become its owner. Invite others afterwards.',
    workspace: 'Name of the workspace',
    name: 'Your name',
    passwordHint: 'At least 12 characters.',
    submit: 'Create account',
  },
  invitation: {
    title: (workspace: string) => `Join ${workspace}`,
    text: (role: string, email: string, until: string, hasAccount: boolean) =>
      `You are invited as ${role}, with ${email}, until ${until}. ` +
      (hasAccount ? 'You have an account: accept with its password.' : 'Create your account to accept.'),
    wrong: 'This is not the password of your account.',
    submit: 'Accept the invitation',
    bySingleSignOn: (provider: string) => `Accept with ${provider}`,
  },
  reset: {
    title: 'Set a new password',
    text: 'All your sessions end when you do.',
    password: 'New password',
    submit: 'Set password',
    done: 'Your new password holds',
    doneText: 'Sign in with it.',
  },
  profile: {
    name: 'Your name',
    signsInAs: (email: string) => `You sign in as ${email}.`,
    rename: 'Save name',
    named: 'Your name is saved.',
    password: 'Password',
    passwordText: 'A new password ends your sessions in all other browsers.',
    current: 'Current password',
    wrong: 'This is not your current password.',
    change: 'Change password',
    changed: 'Your password is changed. All other sessions have ended.',
  },
  secondFactor: {
    title: 'Second factor',
    off: 'Off. With a second factor, signing in takes a code from an app on your phone as well as your password.',
    on: (left: number) =>
      `On. Signing in takes a code from your authenticator app. ${count(left, 'recovery code is', 'recovery codes are')} left.`,
    setUp: 'Set up a second factor',
    passwordFirst:
      'First enter your password. You need an authenticator app, such as the one of your password manager.',
    next: 'Continue',
    scan: 'Scan this code with your authenticator app, and enter the six digits that it shows.',
    qrCode: 'QR code of the second factor',
    typeSecret: 'Or type the secret into the app:',
    codeHint: 'The code changes every 30 seconds.',
    turnOn: 'Turn on',
    codes: 'Recovery codes',
    keepCodes:
      'The second factor is on. Keep these recovery codes where you keep passwords: each signs you in once without the app. They are not shown again.',
    copyCodes: 'Copy the codes',
    saveCodes: 'Save as a file',
    fileName: 'rapport-recovery-codes.txt',
    newCodes: 'New recovery codes',
    newCodesText: 'New codes replace all earlier ones, also those that you have not used.',
    disable: 'Turn off the second factor',
    disableText: 'Signing in will take your password only.',
    disabled: 'The second factor is off.',
  },
  passkeys: {
    title: 'Passkeys',
    text: 'With a passkey you sign in by fingerprint, face or PIN, without a password and a code.',
    add: 'Add a passkey',
    example: 'MacBook',
    waiting: 'Waiting for your device…',
    added: (name: string) => `The passkey “${name}” is added.`,
    removed: (name: string) => `The passkey “${name}” is removed. Delete it on your device as well.`,
    synced: 'Synced between devices',
    onDevice: 'On one device',
    since: (date: string) => `added ${date}`,
    used: (when: string) => `used ${when}`,
    unused: 'not used yet',
    known: 'This device has a passkey of your account already.',
    needsDomain:
      'Passkeys need a domain name. This hub is opened at another address than its PUBLIC_URL, or at an IP address.',
    cancelled: 'No passkey was used. The device has none for this hub, or the request was cancelled.',
  },
  singleSignOn: {
    title: (provider: string) => `Sign-in with ${provider}`,
    on: 'Connected. You sign in there, without a password and a code.',
    off: 'Not connected. Once it is, you sign in there, without a password and a code.',
    only: (provider: string) =>
      `You sign in with ${provider} only. The operator of this hub can give you an address at which you set a password; then you can also set up a second factor and passkeys.`,
    connect: 'Connect',
    connectText: (provider: string) => `Enter your password, then sign in at ${provider}.`,
    disconnect: 'Disconnect',
    disconnectText: 'Signing in will take your password again.',
    disconnected: 'Single sign-on is disconnected.',
    refused: {
      single_sign_on_failed:
        'The sign-in at the provider was cancelled, has expired, or was begun in another browser. Try it again.',
      single_sign_on_unknown:
        'No account here is connected with this sign-in. Sign in with your password and connect it in your profile, or accept an invitation with it.',
      single_sign_on_taken: 'Another account here is connected with this sign-in. Disconnect it there first.',
      single_sign_on_unavailable:
        'The provider did not respond as expected. Try again later; if it stays so, the operator of this hub has to look at its settings.',
      invited_otherwise:
        'The invitation is for another e-mail address than the one that the provider names. Accept it with a password, or ask for another one.',
      account_exists:
        'The invited address has an account already. Accept the invitation with its password, then connect the account in your profile.',
      not_found: 'This invitation was accepted or withdrawn, or has expired. Ask for a new one.',
    } as Readonly<Record<string, string>>,
    refusedOtherwise: 'Signing in at the provider did not work.',
  },
};

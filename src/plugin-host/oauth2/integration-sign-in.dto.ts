import { ApiProperty } from '@nestjs/swagger';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { listOAuth2Settings, listSignIns, type ProviderSignIn, signInSetting } from '#sdk/manifest/oauth2-rules.js';

/** A provider at which people can sign in. */
export class IntegrationSignInProvider {
  @ApiProperty({
    description: 'Value of the setting that selects the provider. Null if the integration has only this one.',
    type: String,
    nullable: true,
    maxLength: 40,
    example: 'hubspot',
  })
  value: string | null;

  @ApiProperty({ description: 'Name of the provider.', maxLength: 200, example: 'HubSpot' })
  name: string;

  @ApiProperty({
    description: 'Whether the operator has registered this hub with the provider. If not, sign-in is not possible.',
    example: true,
  })
  is_configured: boolean;

  @ApiProperty({
    description: 'Permissions that the hub requests.',
    type: [String],
    maxItems: 100,
    example: ['contacts.read'],
  })
  scopes: string[];

  @ApiProperty({
    description: 'Settings that are parts of the address at which people sign in, such as that of a sandbox.',
    type: [String],
    maxItems: 100,
    example: ['salesforce_login'],
  })
  settings: string[];
}

/** How an integration is connected by sign-in. */
export class IntegrationSignIn {
  @ApiProperty({
    description: 'Whether people can sign in: the operator has registered this hub with at least one of the providers.',
    example: true,
  })
  is_configured: boolean;

  @ApiProperty({
    description: 'Permissions that the hub requests, of all providers together.',
    type: [String],
    maxItems: 100,
    example: ['contacts.read'],
  })
  scopes: string[];

  @ApiProperty({
    description:
      'Setting that says at which provider people sign in; send it in `settings` of `POST …/:plugin/authorize`. Null if there is one provider.',
    type: String,
    nullable: true,
    maxLength: 200,
    example: 'provider',
  })
  setting: string | null;

  @ApiProperty({
    description: 'Providers at which people can sign in.',
    type: [IntegrationSignInProvider],
    maxItems: 20,
  })
  providers: IntegrationSignInProvider[];
}

/**
 * Presents the sign-in of a plugin; null if it has none.
 * @param isConfigured whether the operator has registered the hub with a provider
 */
export function toIntegrationSignIn(
  manifest: PluginManifest,
  isConfigured: (signIn: ProviderSignIn) => boolean,
): IntegrationSignIn | null {
  const signIns = listSignIns(manifest);
  if (signIns.length === 0) return null;
  const providers = signIns.map(signIn => ({
    value: signIn.value,
    name: signIn.name,
    is_configured: isConfigured(signIn),
    scopes: [...signIn.oauth2.scopes],
    settings: listOAuth2Settings(signIn.oauth2),
  }));
  return {
    is_configured: providers.some(({ is_configured }) => is_configured),
    scopes: [...new Set(providers.flatMap(({ scopes }) => scopes))],
    setting: signInSetting(manifest),
    providers,
  };
}

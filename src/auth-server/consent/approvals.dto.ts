import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsString, IsUUID, Length } from 'class-validator';
import { toIso } from '#domain/time/instant.js';
import type { Scope } from '#kernel/auth/caller.js';
import { OptionalField } from '#kernel/http/validation.decorators.js';
import { KEY_TTL_DAYS, REFRESH_TTL_DAYS } from '../grants/granted-keys.service.js';
import { isPreselectedScope, listOfferedScopes, SUPPORTED_SCOPES } from '../oauth/scopes.js';
import { UserDto } from '../users/sign-in.dto.js';
import { toUserDto } from '../users/sign-in.presenter.js';
import { MAX_TICKET_LENGTH } from './approval-tickets.service.js';
import type { OpenApproval } from './approvals.service.js';
import type { AuthorizedKey } from './consent.service.js';
import { toAuthorizedAdmin } from './consenting-people.service.js';

const EXAMPLE_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const EXAMPLE_TIME = '2026-11-20T09:30:00.000000Z';
const MAX_KEY_LENGTH = 200;
const TICKET = {
  description:
    'Ticket in the address of the approval page (`/approve?ticket=`), or the user code that a program shows. A ticket is ' +
    'valid for ten minutes, like a user code.',
  maxLength: MAX_TICKET_LENGTH,
  example: 'BCDF-GHJK',
};
const API_KEY = {
  description: 'An API key of the workspace with the scope `admin`. It is used for this call only and is not stored.',
  format: 'password',
  maxLength: MAX_KEY_LENGTH,
};

/** Query of `GET /auth/approvals`. */
export class ApprovalQuery {
  @ApiProperty(TICKET)
  @IsString()
  @Length(1, MAX_TICKET_LENGTH)
  ticket: string;
}

/** Body of `POST /auth/approvals/key`. */
export class IdentifyApprover {
  @ApiProperty(TICKET)
  @IsString()
  @Length(1, MAX_TICKET_LENGTH)
  ticket: string;

  @ApiProperty(API_KEY)
  @IsString()
  @Length(1, MAX_KEY_LENGTH)
  api_key: string;
}

/** Body of `POST /auth/approvals/decision`. */
export class DecideApproval {
  @ApiProperty(TICKET)
  @IsString()
  @Length(1, MAX_TICKET_LENGTH)
  ticket: string;

  @ApiProperty({ description: 'Whether the program gets a key; false denies the request.', example: true })
  @IsBoolean()
  approve: boolean;

  @ApiPropertyOptional({
    description: 'Scopes to grant, of those that are offered and that the approver holds. Needed to approve.',
    enum: SUPPORTED_SCOPES,
    isArray: true,
    maxItems: SUPPORTED_SCOPES.length,
    default: [],
    example: ['read', 'write'],
  })
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(SUPPORTED_SCOPES.length)
  @IsIn(SUPPORTED_SCOPES, { each: true })
  scopes: Scope[] = [];

  @ApiPropertyOptional({
    description: 'Workspace whose key the program gets. Needed from a person who may approve for several.',
    format: 'uuid',
  })
  @OptionalField()
  @IsUUID()
  workspace?: string;

  @ApiPropertyOptional({
    description: 'User who the page says is signed in. A session of another user is refused: 401 `unauthorized`.',
    format: 'uuid',
  })
  @OptionalField()
  @IsUUID()
  user_id?: string;

  @ApiPropertyOptional({ ...API_KEY, description: `${API_KEY.description} Without it the session decides.` })
  @OptionalField()
  @IsString()
  @Length(1, MAX_KEY_LENGTH)
  api_key?: string;
}

/** A scope that a person can grant to a program. */
export class OfferedScope {
  @ApiProperty({ description: 'Name of the scope.', enum: SUPPORTED_SCOPES, example: 'read' })
  scope: Scope;

  @ApiProperty({ description: 'Whether the program requested it.', example: true })
  requested: boolean;

  @ApiProperty({
    description: 'Whether the page selects it at first. Scopes that manage the workspace never are.',
    example: true,
  })
  preselected: boolean;
}

/** A program that requests an API key. */
export class RequestingProgram {
  @ApiProperty({ description: 'Name that the program gives itself.', maxLength: 200, example: 'Rapport CLI (laptop)' })
  name: string;

  @ApiProperty({
    description: 'Host that vouches for the program; null if nobody does, so that any program could use the name.',
    type: String,
    maxLength: 255,
    nullable: true,
    example: 'agent.example',
  })
  verified_by: string | null;

  @ApiProperty({
    description:
      'How it signs in: `oauth` by an authorization code or a code of a device, `cli` as the `rapport` command.',
    enum: ['oauth', 'cli'],
    example: 'cli',
  })
  origin: 'oauth' | 'cli';

  @ApiProperty({
    description: 'Address to which an approval leads the browser; null for a program that waits by itself.',
    type: String,
    format: 'uri',
    nullable: true,
    example: 'http://127.0.0.1:49152/callback',
  })
  redirect_uri: string | null;

  @ApiProperty({
    description: 'Code that the program shows and that a person compares; null for one that opened the browser itself.',
    type: String,
    maxLength: 20,
    nullable: true,
    example: 'BCDF-GHJK',
  })
  user_code: string | null;

  @ApiProperty({ description: 'IP address of the request.', maxLength: 45, example: '203.0.113.7' })
  address: string;
}

/** A workspace for which a person or key can approve a program. */
export class ApprovingWorkspace {
  @ApiProperty({ description: 'Unique identifier of the workspace.', format: 'uuid', example: EXAMPLE_ID })
  id: string;

  @ApiProperty({ description: 'Name of the workspace.', maxLength: 200, example: 'Acme' })
  name: string;

  @ApiProperty({
    description: 'Scopes that the approver holds there; others cannot be granted.',
    type: String,
    isArray: true,
    example: ['read', 'write', 'settings', 'admin'],
    maxLength: 20,
  })
  scopes: Scope[];
}

/** A request that waits for a decision. */
export class Approval {
  @ApiProperty({ description: 'The program, as far as it is known.', type: RequestingProgram })
  program: RequestingProgram;

  @ApiProperty({ description: 'Scopes that can be granted: the requested ones and `settings`.', type: [OfferedScope] })
  scopes: OfferedScope[];

  @ApiProperty({ description: 'Days until a granted key expires.', example: 90 })
  key_days: number;

  @ApiProperty({
    description: 'Days without a renewal after which the program needs another approval; null if it renews nothing.',
    type: Number,
    nullable: true,
    example: 180,
  })
  renewal_days: number | null;

  @ApiProperty({ description: 'Who is signed in; null without a session.', type: UserDto, nullable: true })
  user: UserDto | null;

  @ApiProperty({
    description: 'Workspaces for which they may approve it: those in which they are owner or admin.',
    type: [ApprovingWorkspace],
  })
  workspaces: ApprovingWorkspace[];
}

/** An API key that can approve a program. */
export class ApprovingKey {
  @ApiProperty({ description: 'Name of the key.', maxLength: 200, example: 'first key' })
  name: string;

  @ApiProperty({ description: 'First characters of the key.', maxLength: 20, example: 'rap_live_1a2b' })
  prefix: string;

  @ApiProperty({ description: 'Last four characters of the key.', maxLength: 4, example: '9f3c' })
  last_four: string;

  @ApiProperty({
    description:
      'Time at which the key expires, ISO 8601, and every key that it approves with it; null if it does not.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: EXAMPLE_TIME,
  })
  expires_at: string | null;

  @ApiProperty({ description: 'The workspace of the key.', type: ApprovingWorkspace })
  workspace: ApprovingWorkspace;
}

/** What became of a request. */
export class DecidedApproval {
  @ApiProperty({ description: 'Whether the program was approved.', example: true })
  approved: boolean;

  @ApiProperty({
    description:
      'Address to open next, with which the program learns of the decision; null for a device, whose program polls.',
    type: String,
    format: 'uri',
    nullable: true,
    example: null,
  })
  redirect_to: string | null;
}

/** Presents a request that waits for a decision. */
export function toApprovalDto({ request, person }: OpenApproval): Approval {
  const { clientName, clientHost, origin, redirect, userCode, address, scopes } = request;
  const admins = (person?.workspaces ?? []).map(({ id }) => toAuthorizedAdmin(person!, id)!);
  return {
    program: {
      name: clientName,
      verified_by: clientHost ?? null,
      origin,
      redirect_uri: redirect?.uri ?? null,
      user_code: userCode ?? null,
      address,
    },
    scopes: listOfferedScopes(scopes).map(scope => ({
      scope,
      requested: scopes.includes(scope),
      preselected: isPreselectedScope(scope),
    })),
    key_days: KEY_TTL_DAYS[origin],
    renewal_days: origin === 'oauth' ? REFRESH_TTL_DAYS : null,
    user: person ? toUserDto(person.user) : null,
    workspaces: admins.map(toApprovingWorkspace),
  };
}

/** Presents a key that can approve a program. */
export function toApprovingKeyDto(key: AuthorizedKey): ApprovingKey {
  const { name, prefix, lastFour, expiresAt } = key;
  return {
    name,
    prefix,
    last_four: lastFour,
    expires_at: expiresAt === null ? null : toIso(expiresAt),
    workspace: toApprovingWorkspace(key),
  };
}

function toApprovingWorkspace({
  consenter,
  workspaceName,
  scopes,
}: Pick<AuthorizedKey, 'consenter' | 'workspaceName' | 'scopes'>): ApprovingWorkspace {
  return { id: consenter.workspaceId, name: workspaceName, scopes: [...scopes] };
}

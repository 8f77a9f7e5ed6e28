import { ApiProperty } from '@nestjs/swagger';
import { IsEmail, IsIn, MaxLength } from 'class-validator';
import { ROLES, type Role } from '#domain/actor/roles.js';
import { toIso } from '#domain/time/instant.js';
import { ActorDto } from '#kernel/auth/actor.dto.js';
import { INVITATION_DAYS, type InvitationRow } from './invitations.service.js';
import type { MemberRow } from './members.queries.js';

const EXAMPLE_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const EXAMPLE_TIME = '2026-11-20T09:30:00.000000Z';
const ROLE_DESCRIPTION =
  '`owner` and `admin` may do everything (owners also manage owners), `member` reads and records, `viewer` reads.';

/** Body of `PATCH /v2/workspace/members/:user_id`. */
export class ChangeMember {
  @ApiProperty({ description: `New role. ${ROLE_DESCRIPTION}`, enum: ROLES, example: 'admin' })
  @IsIn(ROLES)
  role: Role;
}

/** Body of `POST /v2/workspace/invitations`. */
export class CreateInvitation {
  @ApiProperty({
    description: 'E-mail address of the person.',
    format: 'email',
    maxLength: 254,
    example: 'ada@acme.com',
  })
  @IsEmail({}, { message: 'email must be an e-mail address' })
  @MaxLength(254)
  email: string;

  @ApiProperty({ description: `Role that the person gets. ${ROLE_DESCRIPTION}`, enum: ROLES, example: 'member' })
  @IsIn(ROLES)
  role: Role;
}

/** A member of the workspace. */
export class Member {
  @ApiProperty({ description: 'Unique identifier of the user.', format: 'uuid', example: EXAMPLE_ID })
  user_id: string;

  @ApiProperty({ description: 'Name of the user.', maxLength: 200, example: 'Ada Lovelace' })
  name: string;

  @ApiProperty({ description: 'E-mail address of the user.', format: 'email', example: 'ada@acme.com' })
  email: string;

  @ApiProperty({ description: `Role in this workspace. ${ROLE_DESCRIPTION}`, enum: ROLES, example: 'member' })
  role: Role;

  @ApiProperty({ description: 'Time of joining, ISO 8601.', format: 'date-time', example: EXAMPLE_TIME })
  joined_at: string;

  @ApiProperty({
    description: 'Time of the last use of a session that has not ended, ISO 8601; null if there is none.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: EXAMPLE_TIME,
  })
  last_seen_at: string | null;

  @ApiProperty({ description: 'Whether the user signs in with a code as well as the password.', example: true })
  second_factor: boolean;
}

/** The members of a workspace. */
export class MemberList {
  @ApiProperty({ description: 'Members, those who joined first first.', type: [Member] })
  members: Member[];
}

/** A member who was removed. */
export class RemovedMember {
  @ApiProperty({ description: 'Unique identifier of the user.', format: 'uuid', example: EXAMPLE_ID })
  user_id: string;

  @ApiProperty({ description: 'Always true: the user is no member any more.', example: true })
  removed: boolean;
}

/** An open invitation. */
export class Invitation {
  @ApiProperty({ description: 'Unique identifier of the invitation.', format: 'uuid', example: EXAMPLE_ID })
  id: string;

  @ApiProperty({ description: 'E-mail address that was invited.', format: 'email', example: 'ada@acme.com' })
  email: string;

  @ApiProperty({ description: `Role that the person gets. ${ROLE_DESCRIPTION}`, enum: ROLES, example: 'member' })
  role: Role;

  @ApiProperty({ description: 'Who invited the person.', type: ActorDto })
  invited_by: ActorDto;

  @ApiProperty({ description: 'Time of the invitation, ISO 8601.', format: 'date-time', example: EXAMPLE_TIME })
  created_at: string;

  @ApiProperty({
    description: `Time at which it expires, ${INVITATION_DAYS} days later, ISO 8601.`,
    format: 'date-time',
    example: EXAMPLE_TIME,
  })
  expires_at: string;
}

/** The open invitations of a workspace. */
export class InvitationList {
  @ApiProperty({ description: 'Invitations that nobody has accepted, the newest first.', type: [Invitation] })
  invitations: Invitation[];
}

/** A new invitation. */
export class CreatedInvitation {
  @ApiProperty({ description: 'The invitation, which is open now.', type: Invitation })
  invitation: Invitation;

  @ApiProperty({
    description:
      'Token by which the person accepts: `POST /auth/invitations/<token>/accept`. It is returned only here.',
    example: 'q1X0v8o4rN9cJ6mTt2bWzK7yHs5uLdEaPfGiQjRkSlM',
  })
  token: string;

  @ApiProperty({
    description:
      'Address at which the person accepts in a browser. It is returned only here; pass it on by a channel that only ' +
      'the person reads.',
    format: 'uri',
    example: 'http://localhost:3000/invite/q1X0v8o4rN9cJ6mTt2bWzK7yHs5uLdEaPfGiQjRkSlM',
  })
  link: string;
}

/** An invitation that was withdrawn. */
export class WithdrawnInvitation {
  @ApiProperty({ description: 'Unique identifier of the invitation.', format: 'uuid', example: EXAMPLE_ID })
  id: string;

  @ApiProperty({ description: 'Always true: its token stops working.', example: true })
  withdrawn: boolean;
}

/** Presents a member. */
export function toMember({ joined_at, last_seen_at, ...member }: MemberRow): Member {
  return {
    ...member,
    joined_at: toIso(joined_at),
    last_seen_at: last_seen_at === null ? null : toIso(last_seen_at),
  };
}

/** Presents an invitation. */
export function toInvitation({ created_at, expires_at, ...invitation }: InvitationRow): Invitation {
  return { ...invitation, created_at: toIso(created_at), expires_at: toIso(expires_at) };
}

import { ApiProperty } from '@nestjs/swagger';
import { ACTOR_KINDS, type ActorKind } from '#domain/actor/actor.js';

/** Who did something. */
export class ActorDto {
  @ApiProperty({
    description:
      'Kind of actor: `key` is an API key, `oauth` an API key that an OAuth client or a CLI sign-in received, `person` a ' +
      'signed-in person, `operator` the operator of the hub.',
    enum: ACTOR_KINDS,
    example: 'key',
  })
  kind: ActorKind;

  @ApiProperty({
    description: 'ID of the API key or of the person; `admin` for the operator.',
    maxLength: 100,
    example: '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17',
  })
  id: string;
}

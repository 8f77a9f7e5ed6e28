import { ApiProperty } from '@nestjs/swagger';
import { IsName } from '#kernel/http/validation.decorators.js';
import { UserWorkspaceDto } from '../users/sign-in.dto.js';

/** Body of `POST /v2/workspaces`. */
export class CreateWorkspace {
  @ApiProperty({
    description: 'Name of the workspace, 1 to 200 characters.',
    minLength: 1,
    maxLength: 200,
    example: 'Acme Europe',
  })
  @IsName()
  name: string;
}

/** A workspace that was created. */
export class CreatedWorkspaceDto {
  @ApiProperty({ description: 'The new workspace, with the role of its creator.', type: UserWorkspaceDto })
  workspace: UserWorkspaceDto;
}

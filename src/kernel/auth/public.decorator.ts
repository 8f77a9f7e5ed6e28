import { SetMetadata } from '@nestjs/common';

/** Metadata key of {@link Public}. */
export const PUBLIC = 'rapport:public';

/** Makes a handler, or every handler of a class, available without an API key. */
export const Public = () => SetMetadata(PUBLIC, true);

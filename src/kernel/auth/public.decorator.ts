import { SetMetadata } from '@nestjs/common';

/** Metadata key of {@link Public}. */
export const PUBLIC = 'rapport:public';

/** Opens a handler, or every handler of a class, to requests without an API key. */
export const Public = () => SetMetadata(PUBLIC, true);

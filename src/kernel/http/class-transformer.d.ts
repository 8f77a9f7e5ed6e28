/** What class-transformer knows of decorated classes. Its package describes the module, but at another path. */
declare module 'class-transformer/cjs/storage.js' {
  export const defaultMetadataStorage: import('class-transformer/types/MetadataStorage.js').MetadataStorage;
}

export type { BuildMetadata } from './vite/build-metadata.ts'
export { type BuglePlugin, bugle } from './vite/plugin.ts'

export { type BuglePlugin, type BuildMetadata, bugle } from './vite/plugin.ts'

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../start-process.ts'
import type { Block } from './blocks.ts'
import { makeClone } from './clone.ts'

const OPTIONS = {
  target: 'es2024',
  lib: ['es2024', 'dom'],
  types: ['node'],
  jsx: 'react-jsx',
  strict: true,
  allowJs: true,
  checkJs: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
}

/** The module resolution modes, with their file extensions. */
const RESOLUTIONS = {
  nodenext: { module: 'nodenext', endings: { js: 'mjs', ts: 'mts', tsx: 'tsx' } },
  bundler: { module: 'esnext', endings: { js: 'js', ts: 'ts', tsx: 'tsx' } },
} as const

/** Packages that are installed only where the skipped blocks would run. */
const ELSEWHERE = `declare module 'electron' {
  export const app: { getVersion(): string; getPath(name: string): string }
  type Contents = { capturePage(): Promise<{ toPNG(): Uint8Array<ArrayBuffer> }> }
  export const ipcMain: {
    handle(channel: string, listener: (event: { sender: Contents }) => Promise<unknown>): void
  }
  export const ipcRenderer: { invoke(channel: string): Promise<unknown> }
  export const contextBridge: { exposeInMainWorld(key: string, api: unknown): void }
  export const BrowserWindow: {
    getFocusedWindow(): { webContents: Contents } | null
  }
}
interface Window {
  /** What the preload script of the guide for Electron exposes. */
  takeScreenshot(): Promise<Uint8Array<ArrayBuffer>>
}
declare module 'modern-screenshot' {
  export function domToCanvas(node: Node, options?: object): Promise<HTMLCanvasElement>
  export function domToBlob(node: Node, options?: object): Promise<Blob>
}
declare module 'expo-file-system' {
  export const Paths: { readonly document: Directory }
  export class Directory {
    constructor(parent: Directory, name: string)
    create(options: { intermediates: boolean; idempotent: boolean }): void
    list(): { readonly name: string }[]
  }
  export class File {
    constructor(parent: Directory, name: string)
    readonly exists: boolean
    bytes(): Promise<Uint8Array>
    write(bytes: Uint8Array): void
    delete(): void
  }
}
declare module 'expo-sensors' {
  export const Accelerometer: {
    addListener(listener: (data: { x: number; y: number; z: number; timestamp: number }) => void): {
      remove(): void
    }
  }
}
declare module 'react-native-view-shot' {
  export function captureScreen(options: { result: 'base64' }): Promise<string>
}
declare module '@react-native-async-storage/async-storage' {
  const storage: {
    getAllKeys(): Promise<readonly string[]>
    getItem(key: string): Promise<string | null>
    setItem(key: string, value: string): Promise<void>
    removeItem(key: string): Promise<void>
  }
  export default storage
}
declare module '@angular/core' {
  export class ErrorHandler {
    handleError(error: unknown): void
  }
}
declare module '@sentry/browser' {
  export function init(options: { dsn: string }): void
}
`

/**
 * The type errors in the blocks of all documents, each with its location. Blocks for Node are checked with
 * Node's module resolution, and all blocks, including skipped ones, with that of bundlers.
 */
export function findTypeErrors(blocks: readonly Block[], sdk: string): readonly string[] {
  using clone = makeClone({ sdk, hasNpx: false })
  const run = blocks.filter(({ notRun }) => notRun === undefined)
  return [...check(clone.path, 'nodenext', run), ...check(clone.path, 'bundler', blocks)]
}

function check(
  path: string,
  resolution: keyof typeof RESOLUTIONS,
  blocks: readonly Block[],
): readonly string[] {
  const { module, endings } = RESOLUTIONS[resolution]
  const folder = join(path, resolution)
  mkdirSync(folder)
  for (const { language, text, place } of blocks) {
    if (!Object.hasOwn(endings, language)) continue
    const file = `${place.replaceAll(/[/:]/g, '~')}.${endings[language as keyof typeof endings]}`
    // Always a module, even without imports.
    writeFileSync(join(folder, file), `${text}\nexport {}\n`)
  }
  writeFileSync(join(folder, 'elsewhere.d.ts'), ELSEWHERE)
  const compilerOptions = { ...OPTIONS, module, moduleResolution: resolution }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  const { stdout, status } = spawnSync(tsc, ['-p', folder], { encoding: 'utf8', cwd: folder })
  return status === 0 ? [] : stdout.trim().replaceAll('~', '/').split('\n')
}

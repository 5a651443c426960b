import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const SOURCE = join(import.meta.dirname, '../src/theme/first-paint.js')
const HASH_CHARS = 8

/** Puts the script that applies the chosen theme first: a module would run after the first paint. */
export function firstPaint(): Plugin {
  let isBuild = false
  const name = () => {
    const digest = createHash('sha256').update(readFileSync(SOURCE)).digest('base64url')
    return `assets/first-paint-${digest.slice(0, HASH_CHARS)}.js`
  }
  return {
    name: 'bugle:first-paint',
    configResolved(config) {
      isBuild = config.command === 'build'
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: name(), source: readFileSync(SOURCE, 'utf8') })
    },
    transformIndexHtml: () => [
      {
        tag: 'script',
        attrs: { src: isBuild ? `/${name()}` : '/src/theme/first-paint.js' },
        injectTo: 'head-prepend',
      },
    ],
  }
}

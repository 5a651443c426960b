import type { Plugin } from 'vite'

const FONT = /inter-latin-wght-normal-.*\.woff2$/

/** Preloads the font: loaded through the styles, it would arrive after the first text and shift it. */
export function preloadFont(): Plugin {
  return {
    name: 'bugle:preload-font',
    apply: 'build',
    transformIndexHtml: (_, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => FONT.test(name))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: '' },
          injectTo: 'head',
        })),
  }
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './pack-package.ts'

interface BundledPackage {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly author?: string | { readonly name: string }
}

/** The folder of the package that a file was installed with. */
const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/

/** The licences of the bundled packages, given the files of the bundle. */
export function licencesOf(files: Iterable<string>): string {
  const folders = new Set([...files].flatMap((file) => PACKAGE_FOLDER.exec(file) ?? []))
  const sections = new Set([...folders].map(sectionOf).sort())
  return `# Licences\n\nThis package contains the following ones, each under its own licence.\n\n${[...sections].join('\n')}`
}

function sectionOf(folder: string): string {
  const found: BundledPackage = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const paper = fileIn(folder, /^licen[cs]e/i)
  const terms = paper === undefined ? termsOf(folder, found) : readFileSync(paper, 'utf8')
  return `## ${found.name} ${found.version} (${found.license})\n\n${terms.trim()}\n`
}

/** Some packages only name the same licence as ours, with the holder in their readme. Others must not be distributed without their licence text. */
function termsOf(folder: string, { name, license, author }: BundledPackage): string {
  if (license !== 'MIT') throw new Error(`${name} cannot be bundled: the terms of its licence are not in it`)
  const holder = typeof author === 'object' ? author.name : author
  const notice = noticeIn(folder) ?? `Copyright (c) ${holder ?? `the authors of ${name}`}`
  return readFileSync(join(ROOT, 'LICENSE'), 'utf8').replace(/^Copyright .*$/m, notice)
}

function noticeIn(folder: string): string | undefined {
  const readme = fileIn(folder, /^readme/i)
  return readme && /^Copyright .*$/m.exec(readFileSync(readme, 'utf8'))?.[0]
}

function fileIn(folder: string, name: RegExp): string | undefined {
  const file = readdirSync(folder).find((one) => name.test(one))
  return file && join(folder, file)
}

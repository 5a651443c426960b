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

/** Says whose work is bundled, and under which terms, given the files it consists of. */
export function licencesOf(files: Iterable<string>): string {
  const folders = new Set([...files].flatMap((file) => PACKAGE_FOLDER.exec(file) ?? []))
  const sections = new Set([...folders].map(sectionOf).sort())
  return `# Licenses\n\nThis package contains the following ones, each under its own license.\n\n${[...sections].join('\n')}`
}

function sectionOf(folder: string): string {
  const found: BundledPackage = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const paper = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file))
  const terms = paper === undefined ? termsOf(found) : readFileSync(join(folder, paper), 'utf8')
  return `## ${found.name} ${found.version} (${found.license})\n\n${terms.trim()}\n`
}

/** Some only name the license that we have too. Others must not be passed on without their terms. */
function termsOf({ name, license, author }: BundledPackage): string {
  if (license !== 'MIT') throw new Error(`${name} can not be bundled: the terms of its license are not in it`)
  const holder = typeof author === 'object' ? author.name : author
  const ours = readFileSync(join(ROOT, 'LICENSE'), 'utf8')
  return ours.replace(/^Copyright .*$/m, `Copyright (c) ${holder ?? `the authors of ${name}`}`)
}

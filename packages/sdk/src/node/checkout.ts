import { join, resolve } from 'node:path'
import { findAbove, readText } from './files.ts'

const SHORT_COMMIT_CHARS = 8

/** The branch and commit of the checkout around a folder, by reading its files: git itself is never started. */
export function readCheckout(folder: string): { readonly branch?: string; readonly commit?: string } {
  const git = findAbove(folder, '.git')
  if (git === undefined) return {}
  // In a worktree `.git` is a file that contains the path of the folder.
  const [, moved] = /^gitdir: (.+)/.exec(readText(git)) ?? []
  const gitFolder = moved ? resolve(git, '..', moved.trim()) : git
  const head = readText(join(gitFolder, 'HEAD')).trim()
  const [, branch] = /^ref: refs\/heads\/(.+)/.exec(head) ?? []
  const commit = branch ? readCommit(gitFolder, branch) : head
  return {
    ...(branch && { branch }),
    ...(commit && { commit: commit.slice(0, SHORT_COMMIT_CHARS) }),
  }
}

function readCommit(gitFolder: string, branch: string): string | undefined {
  const common = resolve(gitFolder, readText(join(gitFolder, 'commondir')).trim() || '.')
  const loose = readText(join(common, 'refs/heads', branch)).trim()
  const packed = readText(join(common, 'packed-refs')).split('\n')
  return loose || packed.find((line) => line.endsWith(` refs/heads/${branch}`))?.split(' ')[0]
}

import { projectNumberOf } from '../model/ids.ts'
import type { LineOf } from '../model/transfer/lines.ts'
import type { Storage } from '../storage/storage.ts'
import { refusedAt } from './file-refused.ts'
import type { PlacedLine } from './read-export.ts'

type Present = Pick<Storage, 'projects' | 'keys' | 'users'>

/** Refuses a file with records that the database already has: an import only adds. */
export async function refuseClash(present: Present, { line, number }: PlacedLine): Promise<void> {
  if (line.record === 'project' && (await hasProject(present, line)))
    throw refusedAt(
      number,
      `the database already has a project "${line.slug}", or this one under another name. Import into another database, or delete that project first.`,
    )
  if (line.record === 'instanceKey' && (await present.keys.findByHash(Buffer.from(line.hash, 'hex'))))
    throw refusedAt(number, `the database already has the key …${line.ending}. Import into another database.`)
  if (line.record === 'user' && (await hasUser(present, line)))
    throw refusedAt(
      number,
      `the database already has a person ${line.email}. Import into another database, or remove that person first.`,
    )
}

async function hasProject({ projects }: Present, { id, slug }: LineOf<'project'>): Promise<boolean> {
  const found =
    (await projects.find(id)) ??
    (await projects.find(slug)) ??
    (await projects.findByNumber(projectNumberOf(id)))
  return found !== undefined
}

async function hasUser({ users }: Present, { id, email }: LineOf<'user'>): Promise<boolean> {
  return ((await users.find(id)) ?? (await users.find(email))) !== undefined
}

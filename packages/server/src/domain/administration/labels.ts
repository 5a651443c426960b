import { DEFAULT_LABEL_COLOUR, MAX_LABELS } from '@bugle/contract'
import type { LabelCreation, LabelPatch, LabelSettings, LabelSettingsList } from '@bugle/contract/settings'
import { byName, type LabelRecord, revisionOfLabel } from '../../model/labels.ts'
import type { UserCaller } from '../access/access.ts'
import { badMember, DomainError, notFound } from '../domain-error.ts'
import { showLabel } from '../projects/labels.ts'
import { requireOwnProject, revisionConflict } from './admins.ts'
import type { AdministrationDependencies } from './projects.ts'

/** Labels in the settings of a project. */
export interface LabelAdministration {
  list(admin: UserCaller, idOrSlug: string): Promise<LabelSettingsList>
  create(admin: UserCaller, idOrSlug: string, given: LabelCreation): Promise<LabelSettings>
  update(admin: UserCaller, place: LabelPlace, patch: LabelPatch): Promise<LabelSettings>
  delete(admin: UserCaller, place: LabelPlace): Promise<void>
}

interface LabelPlace {
  readonly idOrSlug: string
  readonly name: string
}

export function createLabelAdministration({
  storage,
  clock,
  refresh,
}: Pick<AdministrationDependencies, 'storage' | 'clock' | 'refresh'>): LabelAdministration {
  const labelsOf = ({ user }: UserCaller) => storage.actingAs(user.id, clock).labels
  const projectIdOf = async (admin: UserCaller, idOrSlug: string) =>
    requireOwnProject(admin, await storage.projects.find(idOrSlug)).id

  return {
    async list(admin, idOrSlug) {
      const labels = await storage.labels.list(await projectIdOf(admin, idOrSlug))
      return { data: labels.toSorted(byName).map(show) }
    },

    async create(admin, idOrSlug, { name, colour = DEFAULT_LABEL_COLOUR }) {
      const projectId = await projectIdOf(admin, idOrSlug)
      const label = { projectId, name: normaliseName(name), colour, createdAt: clock() }
      const created = await labelsOf(admin).create(label)
      if (created === 'no-project') throw notFound()
      if (created === 'name-taken') throw nameTaken()
      if (created === 'too-many')
        throw new DomainError('limit-reached', { detail: `A project can have ${MAX_LABELS} labels.` })
      await refresh()
      return show(created)
    },

    async update(admin, { idOrSlug, name: current }, { revision, name, colour }) {
      const projectId = await projectIdOf(admin, idOrSlug)
      const change = {
        ...(name !== undefined && { name: normaliseName(name) }),
        ...(colour !== undefined && { colour }),
      }
      const updated = await labelsOf(admin).update(projectId, current, change, revision)
      if (updated === 'missing') throw notFound()
      if (updated === 'name-taken') throw nameTaken()
      if (updated === 'stale') throw revisionConflict()
      await refresh()
      return show(updated)
    },

    async delete(admin, { idOrSlug, name }) {
      const projectId = await projectIdOf(admin, idOrSlug)
      if ((await labelsOf(admin).delete(projectId, name)) === 'missing') throw notFound()
      await refresh()
    },
  }
}

function show(label: LabelRecord): LabelSettings {
  return { ...showLabel(label), revision: revisionOfLabel(label) }
}

function normaliseName(name: string): string {
  return name.trim().normalize('NFC')
}

function nameTaken(): DomainError {
  return badMember('name', 'taken', 'The project already has a label with this name.')
}

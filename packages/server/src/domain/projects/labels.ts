import { endpoints, type Label, type LabelList } from '@bugle/contract'
import { byName, type LabelRecord } from '../../model/labels.ts'
import type { Caller } from '../access/access.ts'
import { isoTime } from '../iso-time.ts'
import type { IssueFinder } from '../issues/issue-finder.ts'
import type { Catalog } from './catalog.ts'

/** The labels of a project in the API, which only reads them. */
export interface Labels {
  list(caller: Caller, idOrSlug: string): Promise<LabelList>
}

interface LabelDependencies {
  readonly catalog: Catalog
  readonly finder: IssueFinder
}

export function createLabels({ catalog, finder }: LabelDependencies): Labels {
  return {
    async list(caller, idOrSlug) {
      const { project } = await finder.requireProject(caller, endpoints.listLabels.access, idOrSlug)
      const labels = await catalog.findLabels(project.id)
      return { data: labels.toSorted(byName).map(showLabel) }
    },
  }
}

export function showLabel({ name, colour, createdAt }: LabelRecord): Label {
  return { name, colour, createdAt: isoTime(createdAt) }
}

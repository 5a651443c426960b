import { type ProjectId, projectNumberOf } from './ids.ts'

export interface ProjectRecord {
  readonly id: ProjectId
  readonly slug: string
  readonly name: string
  readonly isPublic: boolean
  readonly defaultBranch: string
  readonly createdAt: number
}

/** Where a project stands in the list of all: by age, and among those of the same millisecond by ordinal. It says so without the project, which may be deleted. */
export interface ProjectPlace {
  readonly createdAt: number
  readonly ordinal: number
}

export function placeOf({ createdAt, id }: ProjectRecord): ProjectPlace {
  return { createdAt, ordinal: projectNumberOf(id) }
}

/** Before the first project. */
export const FIRST_PLACE: ProjectPlace = { createdAt: Number.MIN_SAFE_INTEGER, ordinal: 0 }

export type ProjectChange = Partial<Pick<ProjectRecord, 'slug' | 'name' | 'isPublic' | 'defaultBranch'>>

/** What the SDKs of a project are told, as far as the operator decides it. */
export interface SdkSettings {
  readonly enabled: boolean
  readonly minSdkVersion: string | null
  readonly features: Readonly<Record<string, boolean | number | string>>
  readonly crash: { readonly enabled: boolean; readonly sampleRate: number }
  readonly refreshAfterSeconds: number
}

/** Reports of one version of an SDK. */
export interface SdkReports {
  readonly version: string
  readonly count: number
}

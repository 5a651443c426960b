import type { FeatureLimit } from '@bugle/contract/vocabulary'
import { type ProjectId, projectNumberOf } from './ids.ts'

export interface ProjectRecord {
  readonly id: ProjectId
  readonly slug: string
  readonly name: string
  readonly isPublic: boolean
  readonly defaultBranch: string
  readonly createdAt: number
  readonly description: string | null
  /** `http` or `https`. For people: the server never fetches it. */
  readonly websiteUrl: string | null
  readonly repositoryUrl: string | null
}

/** The optional, descriptive fields of a project. */
export type ProjectDetails = Pick<ProjectRecord, 'description' | 'websiteUrl' | 'repositoryUrl'>

/** The position of a project in the list of all projects: by creation time, then by project number. It stays valid after the project is deleted. */
export interface ProjectPlace {
  readonly createdAt: number
  readonly projectNumber: number
}

export function placeOf({ createdAt, id }: ProjectRecord): ProjectPlace {
  return { createdAt, projectNumber: projectNumberOf(id) }
}

/** Before the first project. */
export const FIRST_PLACE: ProjectPlace = { createdAt: Number.MIN_SAFE_INTEGER, projectNumber: 0 }

export type ProjectChange = Partial<Omit<ProjectRecord, 'id' | 'createdAt'>>

/** The part of a project's SDK configuration that the operator decides. */
export interface SdkSettings {
  readonly enabled: boolean
  readonly minSdkVersion: string | null
  readonly features: Readonly<Record<string, boolean | number | string>>
  /** By the name of the feature; one without a limit is for everyone. */
  readonly featureLimits: Readonly<Record<string, FeatureLimit>>
  readonly crash: { readonly enabled: boolean; readonly sampleRate: number }
  readonly refreshAfterSeconds: number
}

/** Issues reported by one version of the app on one platform. */
export interface AppIssues {
  readonly appVersion: string | null
  readonly platform: string | null
  readonly count: number
}

/** Reports of one version of an SDK. */
export interface SdkReports {
  readonly version: string
  readonly count: number
}

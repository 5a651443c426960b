import type { ProjectId } from '../../ids.ts'

export interface ProjectRecord {
  readonly id: ProjectId
  readonly slug: string
  readonly name: string
  readonly isPublic: boolean
  readonly defaultBranch: string
  readonly createdAt: number
}

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

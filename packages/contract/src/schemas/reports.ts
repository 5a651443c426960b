import { type Static, Type } from 'typebox'
import { answerObject, nullable, timestamp } from './members.ts'
import { pageOf } from './pagination.ts'

/** Where and when an issue happened once. */
export const Report = answerObject(
  {
    reportNumber: Type.Integer({ description: 'From 1, the report that made the issue.' }),
    receivedAt: timestamp({ description: 'When it arrived.' }),
    occurredAt: nullable<string>('string', {
      format: 'date-time',
      description: 'When it happened, if the report said so.',
    }),
    appVersion: nullable<string>('string', { description: 'Version of the reporting application.' }),
    buildNumber: nullable<string>('string', { description: 'Build number of the reporting application.' }),
    osVersion: nullable<string>('string', { description: 'Operating system name and version.' }),
    deviceModel: nullable<string>('string', { description: 'Device model name.' }),
    platform: nullable<string>('string', { description: 'Platform of the reporting device.' }),
    branch: nullable<string>('string', { description: 'Source branch of the reported build.' }),
  },
  {
    title: 'Report',
    examples: [
      {
        reportNumber: 7,
        receivedAt: '2026-11-15T09:31:12.345Z',
        occurredAt: null,
        appVersion: '2.4.1',
        buildNumber: '512',
        osVersion: 'iOS 26.1',
        deviceModel: 'iPhone 17',
        platform: 'ios',
        branch: 'release/2.4',
      },
    ],
  },
)
export type Report = Static<typeof Report>

export const ReportPage = pageOf(Report, {
  title: 'ReportPage',
  description: 'Some reports of an issue, newest first.',
})
export type ReportPage = Static<typeof ReportPage>

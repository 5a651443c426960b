import {
  AttachmentPage,
  AttachmentParams,
  AttachmentReceipt,
  ProjectUploadParams,
  UploadParams,
} from '../../schemas/issues/attachments.ts'
import { IssueParams } from '../../schemas/issues/issues.ts'
import { CursorQuery } from '../../schemas/pagination.ts'
import { MAX_DECLARED_BYTES } from '../../vocabulary/limits.ts'
import { endpoint } from '../endpoint.ts'
import { CHANGE_ERRORS, CONDITIONAL, KEY_ERRORS, NOT_MODIFIED, READ_ERRORS } from '../shared.ts'

const READ = { scope: 'issues:read', publicKey: false, publicProject: false } as const

const FILE_HEADERS = {
  ETag: 'Identifies the bytes.',
  'Accept-Ranges': '`bytes`',
  'Content-Disposition': '`inline` for images and videos, `attachment` for everything else, with the name.',
}

export const attachmentEndpoints = {
  uploadAttachment: endpoint({
    name: 'uploadAttachment',
    method: 'PUT',
    path: '/v1/submissions/{submissionId}/attachments/{sha256}',
    tag: 'attachments',
    summary: 'Upload a file of a report',
    description:
      'Sends the bytes of a file that a report declared, as the raw body. The response is sent once they are on disk. The request can be repeated safely, and the bytes are always required.',
    access: { scope: 'issues:create', publicKey: true, publicProject: false },
    params: UploadParams,
    hasRawBody: true,
    maxBodyBytes: MAX_DECLARED_BYTES,
    crossOrigin: true,
    answers: {
      201: { description: 'Received.', schema: AttachmentReceipt },
      200: { description: 'Already received for this report, or not kept.', schema: AttachmentReceipt },
    },
    errors: [
      ...KEY_ERRORS,
      'not-found',
      'content-too-large',
      'unsupported-media-type',
      'digest-mismatch',
      'insufficient-storage',
    ],
  }),

  uploadIssueAttachment: endpoint({
    name: 'uploadIssueAttachment',
    method: 'PUT',
    path: '/v1/projects/{idOrSlug}/submissions/{submissionId}/attachments/{sha256}',
    tag: 'attachments',
    summary: 'Upload a file of an issue of the team',
    description:
      'Sends the bytes of a file that `POST /v1/projects/{idOrSlug}/issues` declared, as the raw body. Otherwise like the upload of a file of a report.',
    access: { scope: 'issues:triage', publicKey: false, publicProject: false },
    params: ProjectUploadParams,
    hasRawBody: true,
    maxBodyBytes: MAX_DECLARED_BYTES,
    answers: {
      201: { description: 'Received.', schema: AttachmentReceipt },
      200: { description: 'Already received for this issue, or not kept.', schema: AttachmentReceipt },
    },
    errors: [
      ...CHANGE_ERRORS,
      'not-found',
      'content-too-large',
      'unsupported-media-type',
      'digest-mismatch',
      'insufficient-storage',
    ],
  }),

  listIssueAttachments: endpoint({
    name: 'listIssueAttachments',
    method: 'GET',
    path: '/v1/issues/{id}/attachments',
    tag: 'issues',
    summary: 'List files of an issue',
    description: 'The files that the reports of an issue declared, those of the newest report first.',
    access: READ,
    params: IssueParams,
    query: CursorQuery,
    answers: { 200: { description: 'A page of files.', schema: AttachmentPage } },
    errors: [...KEY_ERRORS, 'not-found', 'invalid-parameter', 'invalid-cursor'],
  }),

  downloadAttachment: endpoint({
    name: 'downloadAttachment',
    method: 'GET',
    path: '/v1/attachments/{id}',
    tag: 'attachments',
    summary: 'Download a file',
    description:
      'The bytes of a file. PNG, JPEG, WebP, GIF, MP4 and WebM, recognised by their first bytes, are served with their type; everything else is served as `application/octet-stream`, for download. Files are untrusted: open them with care. The SHA-256 of a whole file is verified while it is sent: if the stored bytes are damaged, the response ends early.',
    access: READ,
    params: AttachmentParams,
    headers: { ...CONDITIONAL, Range: 'One range of bytes, as in `bytes=0-1023`.' },
    answers: {
      200: { description: 'The file.', isRaw: true, headers: FILE_HEADERS },
      206: {
        description: 'A part of it.',
        isRaw: true,
        headers: { ...FILE_HEADERS, 'Content-Range': 'Which part, and the size of the file.' },
      },
      304: NOT_MODIFIED,
    },
    errors: [...READ_ERRORS, 'range-not-satisfiable', 'file-damaged'],
  }),
}

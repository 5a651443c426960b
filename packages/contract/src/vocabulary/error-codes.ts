interface ErrorMeaning {
  readonly status: number
  /** The short summary, the same for every occurrence. */
  readonly title: string
  /** What happened and what to do, for the page behind the problem's `type`. */
  readonly help: string
}

/** Every problem the API can respond with. The documentation and the `/problems` pages are generated from it. */
export const ERROR_CODES = {
  'bad-request': {
    status: 400,
    title: 'The request could not be read',
    help: 'The bytes are not a valid HTTP request, or its URL is malformed. Check the URL encoding and the headers.',
  },
  'malformed-body': {
    status: 400,
    title: 'The body is not readable JSON',
    help: 'The body is empty, is not valid JSON or is not encoded as UTF-8. The detail says where reading stopped.',
  },
  'invalid-parameter': {
    status: 400,
    title: 'A parameter is not valid',
    help: 'A query parameter or a header has a value that is not allowed. `errors` names each of them with the reason.',
  },
  'invalid-cursor': {
    status: 400,
    title: 'The cursor is not valid',
    help: 'A cursor works only unchanged, with the same filters and the same sort. Start again without a cursor.',
  },
  'page-too-deep': {
    status: 400,
    title: 'The page is out of reach',
    help: 'Page numbers cover only the first 10,000 rows. To read further, follow `pagination.nextCursor` or the `next` link.',
  },
  'credentials-required': {
    status: 401,
    title: 'A key is required',
    help: 'Send a key of the project: `Authorization: Bearer bgl_…`. People sign in to the dashboard instead. Without either, the response does not reveal whether something is private or does not exist.',
  },
  'invalid-credentials': {
    status: 401,
    title: 'The key is not valid',
    help: 'The key is mistyped, unknown or revoked, or a personal access token has expired. `npx bugle key list` shows the keys of an installation, `npx bugle token list` the tokens of people.',
  },
  'sign-in-failed': {
    status: 401,
    title: 'Signing in failed',
    help: 'The email address or the password is wrong; the response does not say which. For a forgotten password, `npx bugle user link` creates a new one-time link.',
  },
  'insufficient-scope': {
    status: 403,
    title: 'The key may not do this',
    help: 'The key is valid but lacks the scope that the operation needs; the detail names it. A public key can only submit issues, read its project and the SDK configuration, search known issues, and, with the secret of a reporter, access the reports of that reporter. A person has the scopes of their role.',
  },
  'csrf-header-required': {
    status: 403,
    title: 'The request does not show that it comes from the dashboard',
    help: 'A change with a session cookie needs the header `Bugle-Csrf: 1`, and must not come from a page of another site. Scripts use a secret key and do not need this header.',
  },
  'recent-sign-in-required': {
    status: 403,
    title: 'Recent sign-in required',
    help: 'Actions that give others access, change keys or people, or delete in bulk require a sign-in within the last 15 minutes. Enter your password again. Keys and access tokens are not affected.',
  },
  'origin-not-allowed': {
    status: 403,
    title: 'The page may not use this key',
    help: 'The public key lists the origins that may use it, and this page is not among them. Create a key that lists the origin, or use a key without a list of origins.',
  },
  'not-author': {
    status: 403,
    title: 'Only the author may do this',
    help: 'A comment can be edited and deleted only by the person, or with the key, that wrote it, and a shared view only by the person who saved it. Those with `issues:delete` can delete both.',
  },
  'secret-key-in-browser': {
    status: 403,
    title: 'A secret key does not belong in a browser',
    help: 'The request came from a web page, so its visitors can read the key. Revoke it, and use a public key in pages and apps.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    help: 'Not found, or not visible to you. The response is the same in both cases.',
  },
  'link-invalid': {
    status: 404,
    title: 'The link does not work',
    help: 'A one-time link can be used once, within 24 hours. The setup link stops working as soon as there is an admin. `npx bugle user link` creates a new one, or `npx bugle user add --role admin` if there is no admin yet.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not allowed here',
    help: 'The address exists, but not for this method. The `Allow` header lists those that work.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long to arrive',
    help: 'The headers or the body did not arrive in time. Send the request again; a submission with the same `submissionId` is stored once.',
  },
  'submission-conflict': {
    status: 409,
    title: 'The submission id is taken',
    help: 'An earlier submission used this `submissionId` (or `Idempotency-Key`) with different content. A new report needs a new id; a retry needs the same content.',
  },
  'comment-conflict': {
    status: 409,
    title: 'The comment id is taken',
    help: 'Another comment on the issue has this `commentId`: one with different content or of another author, or one that was deleted. A new comment needs a new id; a retry needs the same content.',
  },
  'no-reporter-secret': {
    status: 409,
    title: 'The report has no reporter secret',
    help: 'The report was submitted without a `reporterKeyHash`, or was redacted, so there is no one to reply to or to block.',
  },
  'message-conflict': {
    status: 409,
    title: 'The message id is taken',
    help: 'An earlier message about the report has this `messageId` and another text. A new message needs a new id; a retry needs the same text.',
  },
  'bulk-conflict': {
    status: 409,
    title: 'The bulk id is taken',
    help: 'An earlier bulk change of the project by the same key or person used this `bulkId` with different content. A new change needs a new id; a retry needs the same content.',
  },
  'selection-changed': {
    status: 409,
    title: 'The selected issues have changed',
    help: 'Nothing was changed. Another number of issues matches the filter than `count` says, or some of the issues have another version, were deleted or are not visible to you. List them again, and retry with a new `bulkId`.',
  },
  'invalid-transition': {
    status: 409,
    title: 'The status change is not allowed',
    help: 'An active issue can change to any other status; one that is resolved, closed or wontfix only back to open. `from`, `to` and `allowed` show what was requested and what is possible.',
  },
  'is-duplicate': {
    status: 409,
    title: 'The issue is a duplicate',
    help: 'The status of an issue that is merged into another one cannot be changed. Change the status of the other issue, `duplicateOf`, or separate the two with `POST /v1/issues/{id}/unmerge`.',
  },
  'first-report': {
    status: 409,
    title: 'The first report cannot be deleted alone',
    help: 'The report that created an issue is part of the issue. Redact the report to remove its text and metadata, or delete the issue with all its reports.',
  },
  'revision-conflict': {
    status: 409,
    title: 'Someone else has changed it',
    help: 'In the settings of the dashboard, a change is refused if the record has changed since it was shown. Look at the new state, and try again.',
  },
  'last-admin': {
    status: 409,
    title: 'There would be no admin',
    help: 'The last admin can neither be removed nor get another role. Make another person an admin first.',
  },
  'last-security-holder': {
    status: 409,
    title: 'No one would see security issues',
    help: 'The last person who sees security issues can neither be removed nor lose this right. Give another person access to security issues first.',
  },
  'limit-reached': {
    status: 409,
    title: 'A limit was reached',
    help: 'The detail says how many are allowed. Delete one that is no longer needed, and try again.',
  },
  'precondition-failed': {
    status: 412,
    title: 'The issue has changed',
    help: 'The version in `If-Match` is not the current one: the issue has changed since you read it. Retrieve it again, and retry with its new `ETag`.',
  },
  'content-too-large': {
    status: 413,
    title: 'The body is too large',
    help: '`detail` says how many bytes the operation accepts: 256 KiB for a report, the declared size for a file, less for other operations. Shorten the description or the metadata.',
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'The range is outside the file',
    help: 'The `Range` header asks for bytes that the file does not have. `Content-Range` says how long it is.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The body has a type that is not accepted here',
    help: 'Send JSON as `application/json`, UTF-8, without a `Content-Encoding`. A submission may also be `text/plain` with its key in the field `publicKey`.',
  },
  'validation-failed': {
    status: 422,
    title: 'The body is not valid',
    help: 'The JSON was read, but fields are missing, unknown or have values that are not allowed. `errors` lists the faults, up to 20, each with its location.',
  },
  'digest-mismatch': {
    status: 422,
    title: 'The bytes do not match the declaration',
    help: 'The SHA-256 or the length of the body differs from what the report declared for this file. Nothing was stored. Send the same bytes that the digest was computed from.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are too large',
    help: 'The request line and the headers together are larger than the server accepts. Send fewer or shorter headers.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    help: 'A rate limit was reached. Wait for the time in `Retry-After`, then retry. A submission that is retried with the same `submissionId` is stored once.',
  },
  'internal-error': {
    status: 500,
    title: 'The server failed',
    help: 'The server encountered an error and logged it with the `requestId`. Send a submission again with the same `submissionId`: it is stored once.',
  },
  'file-damaged': {
    status: 500,
    title: 'The stored file is damaged',
    help: 'The bytes in the store are missing, or are not those that were received. The log of the server names the file. Restore it from a backup, or upload the same file again.',
  },
  unavailable: {
    status: 503,
    title: 'The server cannot handle this right now',
    help: 'The server is overloaded, shutting down, or cannot reach its database. Try again after the time in `Retry-After`.',
  },
  'insufficient-storage': {
    status: 507,
    title: 'There is no space for the file',
    help: 'The disk is almost full, or the project has reached its limit for files. The report itself is stored. Try again after the time in `Retry-After`; `npx bugle doctor` shows the operator the sizes.',
  },
} as const satisfies Record<string, ErrorMeaning>

export type ErrorCode = keyof typeof ERROR_CODES
export const ALL_ERROR_CODES = Object.keys(ERROR_CODES) as readonly ErrorCode[]

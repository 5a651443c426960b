/** What the audit log records. The first part names the thing that was changed. */
export const AUDIT_ACTIONS = [
  'project.created',
  'project.updated',
  'project.deleted',
  'key.created',
  'key.updated',
  'key.revoked',
  'label.created',
  'label.updated',
  'label.deleted',
  'sdk_config.updated',
  'user.created',
  'user.updated',
  'user.removed',
  'user.link_created',
  'user.password_set',
  'access_token.created',
  'access_token.revoked',
  'webhook.created',
  'webhook.updated',
  'webhook.secret_rotated',
  'webhook.deleted',
  'data.exported',
  'data.imported',
  'data.backed_up',
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

import type { Role } from '@bugle/contract'

/** What a role is allowed to do. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  viewer: 'Viewer: reads issues',
  triager: 'Triager: reads and changes issues',
  admin: 'Admin: reads, changes and deletes issues, manages webhooks',
}

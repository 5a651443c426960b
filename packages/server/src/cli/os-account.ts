import { userInfo } from 'node:os'

/** The account that runs the command, as recorded in the audit log. */
export function osAccount(): `os:${string}` {
  return `os:${accountName()}`
}

/** In a container, the account may have no name. */
function accountName(): string {
  try {
    return userInfo().username
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== 'uv_os_get_passwd') throw error
    return String(process.getuid?.() ?? 'unknown')
  }
}

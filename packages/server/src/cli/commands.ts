import { auditCommands } from './audit-log.ts'
import type { Command } from './command.ts'
import { backupCommand } from './data/backup.ts'
import { distributeCommand } from './data/distribute.ts'
import { exportCommand } from './data/export.ts'
import { importCommand } from './data/import.ts'
import { migrateCommand } from './data/migrate.ts'
import { restoreCommand } from './data/restore.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor/doctor.ts'
import { issueCommands } from './issues/issues.ts'
import { tokenCommands } from './people/access-tokens.ts'
import { userCommands } from './people/users.ts'
import { keyCommands } from './projects/keys.ts'
import { labelCommands } from './projects/labels.ts'
import { projectCommands } from './projects/projects.ts'
import { versionCommands } from './projects/versions.ts'
import { sdkConfigCommands } from './sdk-config/sdk-config.ts'
import { serveCommand } from './serve.ts'
import { webhookCommands } from './webhooks/webhooks.ts'

export const COMMANDS: readonly Command[] = [
  serveCommand,
  ...projectCommands,
  ...keyCommands,
  ...labelCommands,
  ...userCommands,
  ...tokenCommands,
  ...sdkConfigCommands,
  ...webhookCommands,
  ...auditCommands,
  ...issueCommands,
  ...versionCommands,
  exportCommand,
  importCommand,
  backupCommand,
  restoreCommand,
  doctorCommand,
  migrateCommand,
  distributeCommand,
  demoCommand,
]

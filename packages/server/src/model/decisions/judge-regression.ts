import { compareVersions } from './compare-versions.ts'

/** What is known about a resolution when another report arrives. Times are in milliseconds since 1970. */
export interface Resolution {
  readonly fixedIn: Release | null
  readonly resolvedAt: number
  /** The platform that `fixedIn` is a version of. */
  readonly platform: string | null
}

/** Where and when the problem occurred, according to a report. */
export interface ReportedRelease {
  readonly appVersion: string | null
  readonly buildNumber: string | null
  readonly platform: string | null
  readonly occurredAt: number | null
  readonly receivedAt: number
}

/** The decision and its reason, as a sentence for the history. Versions in it are quoted from untrusted input. */
export interface RegressionVerdict {
  readonly isRegression: boolean
  readonly reason: string
}

interface Release {
  readonly appVersion: string
  readonly buildNumber: string | null
}

/** THE REGRESSION RULE. Whether a report reopens a resolved issue. If not, it is a late report of a fixed problem. */
export function judgeRegression(resolution: Resolution, report: ReportedRelease): RegressionVerdict {
  const { fixedIn } = resolution
  const { appVersion, buildNumber } = report
  if (fixedIn === null || !isNumbered(appVersion) || !isNumbered(fixedIn.appVersion)) {
    return judgeByTime(resolution.resolvedAt, report)
  }
  // Versions of different platforms are not comparable: a fix in 2.4 for iOS need not be in 2.4 for Android.
  if (resolution.platform !== null && report.platform !== null && resolution.platform !== report.platform) {
    const { isRegression, reason } = judgeByTime(resolution.resolvedAt, report)
    return {
      isRegression,
      reason: `The fix is for ${resolution.platform}, not ${report.platform}. ${reason}`,
    }
  }
  return judgeByRelease(fixedIn, { appVersion, buildNumber })
}

/** Whether a report is from version `than` or a later one. Versions without digits have no order and must be equal. */
export function isSameOrLater(appVersion: string | null, than: string): boolean {
  if (appVersion === than) return true
  return isNumbered(appVersion) && isNumbered(than) && compareVersions(appVersion, than) >= 0
}

// "unknown", "dev" and blanks cannot be ordered. Treated as old versions, they would hide a regression forever.
function isNumbered(version: string | null): version is string {
  return version !== null && /[0-9]/.test(version)
}

function judgeByRelease(fix: Release, reported: Release): RegressionVerdict {
  const [version, fixed] = [nameOf(reported), nameOf(fix)]
  return isOlder(reported, fix)
    ? { isRegression: false, reason: `${version} is older than the fix, ${fixed}: a late report.` }
    : { isRegression: true, reason: `${version} is not older than the fix, ${fixed}.` }
}

function isOlder(reported: Release, fix: Release): boolean {
  const order = compareVersions(reported.appVersion, fix.appVersion)
  if (order !== 0) return order < 0
  if (!isNumbered(reported.buildNumber) || !isNumbered(fix.buildNumber)) return false
  return compareVersions(reported.buildNumber, fix.buildNumber) < 0
}

function nameOf({ appVersion, buildNumber }: Release): string {
  return buildNumber === null || buildNumber.trim() === '' ? appVersion : `${appVersion} (${buildNumber})`
}

function judgeByTime(resolvedAt: number, report: ReportedRelease): RegressionVerdict {
  const { happenedAt, verb } = momentOf(report)
  const [moment, resolution] = [toIso(happenedAt), toIso(resolvedAt)]
  return happenedAt < resolvedAt
    ? {
        isRegression: false,
        reason: `It ${verb} at ${moment}, before the resolution at ${resolution}: a late report.`,
      }
    : { isRegression: true, reason: `It ${verb} at ${moment}, not before the resolution at ${resolution}.` }
}

function momentOf({ occurredAt, receivedAt }: ReportedRelease): { happenedAt: number; verb: string } {
  // A problem cannot be reported before it occurs: if the times suggest that, the device's clock is wrong.
  if (occurredAt === null || occurredAt > receivedAt) return { happenedAt: receivedAt, verb: 'arrived' }
  return { happenedAt: occurredAt, verb: 'occurred' }
}

function toIso(time: number): string {
  return new Date(time).toISOString()
}

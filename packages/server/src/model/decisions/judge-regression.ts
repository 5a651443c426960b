import { compareVersions } from './compare-versions.ts'

/** What is known of a resolution when a further report arrives. Times are milliseconds since 1970. */
export interface Resolution {
  readonly fixedIn: Release | null
  readonly resolvedAt: number
  /** The platform that `fixedIn` is a version of. */
  readonly platform: string | null
}

/** What a report says of where and when it happened. */
export interface ReportedRelease {
  readonly appVersion: string | null
  readonly buildNumber: string | null
  readonly platform: string | null
  readonly occurredAt: number | null
  readonly receivedAt: number
}

/** The decision, and why, as a sentence for the history. It quotes versions as strangers wrote them. */
export interface RegressionVerdict {
  readonly isRegression: boolean
  readonly reason: string
}

interface Release {
  readonly appVersion: string
  readonly buildNumber: string | null
}

/** THE REGRESSION RULE. Whether a report on a resolved issue reopens it; if not, it is a late report of what is fixed. */
export function judgeRegression(resolution: Resolution, report: ReportedRelease): RegressionVerdict {
  const { fixedIn } = resolution
  const { appVersion, buildNumber } = report
  if (fixedIn === null || !isNumbered(appVersion) || !isNumbered(fixedIn.appVersion)) {
    return judgeByTime(resolution.resolvedAt, report)
  }
  // 2.4 for iOS says nothing of 2.4 for Android.
  if (resolution.platform !== null && report.platform !== null && resolution.platform !== report.platform) {
    const { isRegression, reason } = judgeByTime(resolution.resolvedAt, report)
    return {
      isRegression,
      reason: `The fix is for ${resolution.platform}, not ${report.platform}. ${reason}`,
    }
  }
  return judgeByRelease(fixedIn, { appVersion, buildNumber })
}

/** Whether a report comes from a version or a later one. Versions without a number have no order: only the same one counts. */
export function isSameOrLater(appVersion: string | null, than: string): boolean {
  if (appVersion === than) return true
  return isNumbered(appVersion) && isNumbered(than) && compareVersions(appVersion, than) >= 0
}

// "unknown", "dev" and blanks have no place in an order: taken as old, they would hide a regression for good.
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
  // Nothing is reported before it happens: a device that says so has a wrong clock.
  if (occurredAt === null || occurredAt > receivedAt) return { happenedAt: receivedAt, verb: 'arrived' }
  return { happenedAt: occurredAt, verb: 'occurred' }
}

function toIso(time: number): string {
  return new Date(time).toISOString()
}

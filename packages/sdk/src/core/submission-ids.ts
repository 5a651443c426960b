/** Makes a UUIDv7: ids made later sort later, so the server's index of them stays compact. */
export function createSubmissionId(now: number, random: () => number): string {
  const time = now.toString(16).padStart(12, '0')
  const form = `${time.slice(0, 8)}-${time.slice(8)}-7xxx-8xxx-xxxxxxxxxxxx`
  return form.replace(/x/g, () => ((random() * 16) | 0).toString(16))
}

/** Whether a release is newer than what runs. A tag that is no version is never newer. */
export function isNewerRelease(latestTag: string | null | undefined, version: string): boolean {
  const latest = versionParts(latestTag ?? '')
  const current = versionParts(version)
  if (!latest || !current) return false
  const index = latest.findIndex((part, at) => part !== current[at])
  return index !== -1 && (latest[index] ?? 0) > (current[index] ?? 0)
}

function versionParts(version: string): number[] | undefined {
  const match = /^v?(\d+)\.(\d+)\.(\d+)$/.exec(version)
  return match?.slice(1).map(Number)
}

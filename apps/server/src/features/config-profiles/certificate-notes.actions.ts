import { certificateFiles, type ProfileProblem, type XrayObject } from '@causeway/xray'
import { whyUnread } from '../../ground/certificate-files.ts'

/** Files that this server will not put into what nodes are sent; of the inbounds of these tags, or of all. */
export async function noteUnreadFiles(
  config: XrayObject,
  folders: readonly string[],
  tags?: ReadonlySet<string>,
): Promise<ProfileProblem[]> {
  const files = certificateFiles(config).filter(({ tag }) => tags === undefined || tags.has(tag))
  const notes = files.map(async ({ tag, path, file }) => {
    const why = await whyUnread(file, folders)
    if (why === undefined) return []
    return [{ path, message: `Inbound "${tag}": ${why} Nodes are sent its name only, and must have such a file themselves.` }]
  })
  return (await Promise.all(notes)).flat()
}

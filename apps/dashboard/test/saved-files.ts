import { vi } from 'vitest'

/** What the page hands to the browser as files to keep from now on, oldest first; nothing is really kept. */
export function savedFiles(): { content: Blob; name: string }[] {
  const saved: { content: Blob; name: string }[] = []
  let given: Blob | undefined
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) given = blob
    return 'blob:none'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (given) saved.push({ content: given, name: this.download })
    given = undefined
  })
  return saved
}

import { jsonFault, type JsonFault } from '@causeway/xray'

/** What Xray takes and a save would not keep, such as the first of two equal keys; undefined where all of it is kept. */
export function lostIn(text: string): JsonFault | undefined {
  const fault = jsonFault(text)
  return fault?.kind === 'lost' ? fault : undefined
}

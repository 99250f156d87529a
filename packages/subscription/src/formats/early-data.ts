/** A WebSocket path may end in `?ed=N`: the bytes that may travel with the handshake, in a header of this name. */
export const earlyDataHeader = 'Sec-WebSocket-Protocol'

export interface EarlyDataPath {
  path: string
  maxEarlyData: number | null
}

/** The path without its ending, and the bytes that the ending allows; null where it has none. */
export function splitEarlyData(typedPath: string): EarlyDataPath {
  const [path = '', rest] = typedPath.split('?ed=', 2)
  const size = /^\d+/.exec(rest ?? '')?.[0]
  return { path, maxEarlyData: size === undefined ? null : Number(size) }
}

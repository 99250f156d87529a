export const NODE_PROCESSORS = ['x64', 'arm64'] as const
export type NodeProcessor = (typeof NODE_PROCESSORS)[number]

/** The release of a node for one processor. */
export interface NodeFile {
  file: string
  digest: string
  bytes: number
}

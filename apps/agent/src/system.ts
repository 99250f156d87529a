import type { SystemInformation } from '@causeway/contract'
import os from 'node:os'

/** The machine, in the words of the wire: `"<brand>/<speed> GHz"`, memory in decimal units. */
export function systemInformation(): SystemInformation {
  const cpus = os.cpus()
  const brand = cpus[0]?.model ?? 'unknown'
  const gigahertz = ((cpus[0]?.speed ?? 0) / 1000).toFixed(2)
  return {
    cpuCores: cpus.length,
    cpuModel: `${brand}/${gigahertz} GHz`,
    memoryTotal: `${(os.totalmem() / 1e9).toFixed(2)} GB`,
  }
}

import type { SystemInformation } from '@causeway/contract/agent'
import os from 'node:os'

/** The machine, in the words of the wire: `"<brand>/<speed> GHz"`, memory in decimal units. */
export function systemInformation(cpus = os.cpus(), memoryBytes = os.totalmem()): SystemInformation {
  const { model, speed = 0 } = cpus[0] ?? {}
  const brand = model?.trim() || 'unknown'
  return {
    cpuCores: cpus.length,
    // Arm and many virtual machines do not say how fast they are.
    cpuModel: speed > 0 ? `${brand}/${(speed / 1000).toFixed(2)} GHz` : brand,
    memoryTotal: `${(memoryBytes / 1e9).toFixed(2)} GB`,
  }
}

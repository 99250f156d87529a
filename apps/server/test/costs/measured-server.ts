import { readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { testServer } from '../server.ts'

// A server in a process of its own, so that what it costs is its own: told `mark` it starts to measure, `read` gives what
// was spent since.

const server = await testServer()
await server.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = server.app.server.address() as AddressInfo // a TCP server has one

let begun = { cpu: process.cpuUsage(), residentKb: 0 }
process.on('message', (word) => {
  if (word === 'mark') {
    globalThis.gc?.()
    writeFileSync('/proc/self/clear_refs', '5') // forgets the peak
    begun = { cpu: process.cpuUsage(), residentKb: statusKb('VmRSS') }
    process.send?.({ marked: true })
  } else if (word === 'read') {
    const { user, system } = process.cpuUsage(begun.cpu)
    process.send?.({ cpuMs: (user + system) / 1000, peakMb: (statusKb('VmHWM') - begun.residentKb) / 1024 })
  } else void server.close().then(() => process.exit())
})
process.send?.({ port, headers: server.admin })

function statusKb(name: string): number {
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
}

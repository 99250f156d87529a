import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { complaint } from './messages.ts'

const TEST_TIMEOUT_MS = 60_000

/** What Xray refuses about a config file; undefined when it would start with it. */
export function configProblem(xray: string, file: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(xray, ['run', '-test', '-c', file], { timeout: TEST_TIMEOUT_MS }, (error, stdout, stderr) => {
      resolve(error ? (complaint(stdout + stderr) ?? `Xray refused the configuration: ${error.message}`) : undefined)
    })
  })
}

/** x.y.z of an Xray binary, read from the first line of what it says of itself. */
export function xrayVersion(xray: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(xray, ['version'], { timeout: TEST_TIMEOUT_MS }, (error, stdout) => {
      const version = /(\d+)\.(\d+)\.(\d+)/.exec(stdout.split('\n')[0] ?? '')?.[0]
      if (version) resolve(version)
      else reject(new Error(`${xray} does not say its version, so it is not an Xray binary.`, { cause: error }))
    })
  })
}

/** Otherwise another program, perhaps another agent's core, would be mistaken for the core about to be started. */
export function assertPortIsFree(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', () =>
      reject(new Error(`Port ${port} of this machine, meant for the API of Xray, is taken. Set XTLS_PORT to a free one.`)),
    )
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()))
  })
}

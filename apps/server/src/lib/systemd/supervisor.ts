import { execFile } from 'node:child_process'

/** Part of the watchdog's time after which it is told again, as systemd.service(5) advises. */
const WATCHDOG_SHARE = 0.5
/** Of systemd for a start that is at work, asked for again and again. */
const MORE_TIME_MS = 120_000

/**
 * Tells systemd that the server is ready, and from then on that its event loop turns. Does nothing where another
 * supervisor, or none, started the server.
 * @returns ends the watchdog's messages
 */
export function tellSupervisor(env: Record<string, string | undefined> = process.env): () => void {
  if (!env['NOTIFY_SOCKET']) return () => {}
  notify('READY=1', 'STATUS=')
  const watchdogMs = Number(env['WATCHDOG_USEC'] ?? 0) / 1000
  if (watchdogMs <= 0) return () => {}
  const timer = setInterval(() => notify('WATCHDOG=1'), watchdogMs * WATCHDOG_SHARE)
  return () => clearInterval(timer)
}

/** Shown by `systemctl status` while the server starts, which takes longer than usual: the start may take as long again. */
export function tellStatus(sentence: string, env: Record<string, string | undefined> = process.env): void {
  if (env['NOTIFY_SOCKET']) notify(`STATUS=${sentence}`, `EXTEND_TIMEOUT_USEC=${MORE_TIME_MS * 1000}`)
}

/** Node has no datagrams over Unix sockets; systemd's own program is there wherever systemd is. */
function notify(...state: string[]): void {
  execFile('systemd-notify', state, () => {}) // without it systemd ends the start, and says why
}

import { execFile } from 'node:child_process'

/** Part of the watchdog's time after which it is told again, as systemd.service(5) advises. */
const WATCHDOG_SHARE = 0.5

/**
 * Tells systemd that the server is ready, and from then on that its event loop turns. Does nothing where another
 * supervisor, or none, started the server.
 * @returns ends the watchdog's messages
 */
export function tellSupervisor(env: Record<string, string | undefined> = process.env): () => void {
  if (!env['NOTIFY_SOCKET']) return () => {}
  notify('READY=1')
  const watchdogMs = Number(env['WATCHDOG_USEC'] ?? 0) / 1000
  if (watchdogMs <= 0) return () => {}
  const timer = setInterval(() => notify('WATCHDOG=1'), watchdogMs * WATCHDOG_SHARE)
  return () => clearInterval(timer)
}

/** Node has no datagrams over Unix sockets; systemd's own program is there wherever systemd is. */
function notify(state: string): void {
  execFile('systemd-notify', [state], () => {}) // without it systemd ends the start, and says why
}

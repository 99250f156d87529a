import type { Duplex } from 'node:stream'

/** Answers what is no HTTP, or came too slowly, in the words and with the headers of every other refusal. */
export function answerBrokenRequest(
  { code }: Error & { code?: string },
  socket: Duplex,
  headers: Readonly<Record<string, string>>,
): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, error, message] = refusalOf(code)
  const body = JSON.stringify({ statusCode: status, error, message })
  const all = {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${error}\r\n${lines.join('')}\r\n${body}`)
}

function refusalOf(code: string | undefined): [number, string, string] {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return [408, 'Request Timeout', 'The request did not arrive in time. Try again over a faster line, or send less at once.']
  if (code === 'HPE_HEADER_OVERFLOW') return [431, 'Request Header Fields Too Large', 'The address or the headers are too long.']
  return [400, 'Bad Request', 'The request is not valid HTTP.']
}

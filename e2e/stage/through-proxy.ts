import { request } from 'node:http'

/** What a server says that is reached through a proxy of this machine, or why it cannot be reached. */
export function answerThrough(port: number, target: string, address: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const tunnel = request({ host: '127.0.0.1', port, method: 'CONNECT', path: target, agent: false, timeout: 15_000 })
  tunnel.on('connect', (_, socket) => {
    let text = ''
    socket.on('data', (part: Buffer) => {
      text += part.toString()
      const [head, body] = text.split('\r\n\r\n')
      if (body?.length === Number(/content-length: (\d+)/i.exec(head ?? '')?.[1])) done(body)
    })
    const done = (answer: string): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('error', (error: Error) => done(error.message))
    socket.on('close', () => done(`cut off after "${text}"`))
    socket.setTimeout(15_000, () => done('no answer in time'))
    socket.write(`GET ${address} HTTP/1.1\r\nhost: ${target}\r\nconnection: close\r\n\r\n`)
  })
  tunnel.on('timeout', () => tunnel.destroy(new Error('no tunnel in time')))
  tunnel.on('error', (error) => resolve(error.message))
  tunnel.end()
  return promise
}

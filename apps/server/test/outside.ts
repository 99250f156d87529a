import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Outside {
  url: string
  /** The paths it was asked for, oldest first. */
  asked: string[]
  close: () => void
}

/** Somebody else's server, which answers these paths with these texts and all others with a failure. */
export async function startOutside(answers: Record<string, string>, otherwise = 404): Promise<Outside> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const answer = answers[request.url ?? '']
    response.writeHead(answer === undefined ? otherwise : 200).end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // listens on a port
  return { url: `http://127.0.0.1:${port}`, asked, close: () => void server.close() }
}

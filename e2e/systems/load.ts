import { HEADERS, type Machine } from './debian.ts'

const PAGE = 500

/** Clients that make users one after another, each in a connection of its own, and note every reply. */
export interface Load {
  /** Names of users whose creation was acknowledged. */
  acknowledged(): string[]
  /** Status or error of curl of every write that was not. */
  refused(): string[]
  longestSeconds(): number
  end(): Promise<void>
}

/** A write that was refused is not made again. Clients wait for minutes, as browsers do. */
export function startLoad(machine: Machine, name: string, clients: number): Load {
  const prefixes = Array.from({ length: clients }, (_, at) => `${name}${at}`)
  const stop = `/root/stop-${name}`
  const body = (prefix: string) => `"{\\"username\\":\\"${prefix}_$i\\",\\"expireAt\\":\\"2099-01-01T00:00:00Z\\"}"`
  const scripts = prefixes.map(
    (prefix) => `i=0; while [ ! -e ${stop} ]; do i=$((i+1))
      said=$(curl -s -m 600 -o /dev/null -w '%{http_code} %{time_total}' ${HEADERS} -d ${body(prefix)} http://127.0.0.1:3000/api/users); end=$?
      set -- $said; echo $2 >> /root/times-${name}
      if [ "$1" = 201 ]; then echo ${prefix}_$i >> /root/done-${prefix}; else echo "$1 $end" >> /root/refused-${name}; sleep 0.2; fi
    done`,
  )
  const running = scripts.map((script) => machine.background(script))
  const lines = (files: string) => machine.attempt(`cat ${files} 2>/dev/null`).text.split('\n').filter(Boolean)
  return {
    acknowledged: () => prefixes.flatMap((prefix) => lines(`/root/done-${prefix}`)),
    refused: () => lines(`/root/refused-${name}`),
    longestSeconds: () => Math.max(...lines(`/root/times-${name}`).map(Number)),
    end: async () => {
      machine.run(`touch ${stop}`)
      await Promise.all(running)
    },
  }
}

export function usernames(machine: Machine): string[] {
  const names: string[] = []
  for (;;) {
    const { users } = machine.api<{ users: { username: string }[] }>('GET', `users?start=${names.length}&size=${PAGE}`)
    names.push(...users.map(({ username }) => username))
    if (users.length < PAGE) return names
  }
}

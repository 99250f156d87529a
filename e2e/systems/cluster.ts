import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { run, until, type Running } from '../stage/processes.ts'
import { makeTree, runProgram, TREE } from './programs.ts'

// PostgreSQL on two machines with automatic failover: Patroni and etcd of Debian 13. A machine is a network and a process
// namespace of its own on one bridge, so that it can lose its power, its network, or its processor's time. Needs root.

const POSTGRES = '/usr/lib/postgresql/17/bin'
/** Of every account. */
export const PASSWORD = 'cluster'
const READY_MS = 90_000
/** Seconds. The shortest time to live that Patroni takes; the README of such clusters says 30. */
const TTL = 20
const LOOP_WAIT = 2

export interface Member {
  name: string
  address: string
  kill(): Promise<void>
  start(): void
  /** Stops every process of the machine at once, and lets them go on. */
  pause(): void
  resume(): void
  /** Takes the machine off the network, and brings it back. */
  cutOff(): void
  reconnect(): void
}

export interface Cluster {
  members: Member[]
  /** Address of one host after another, with a database of its own. */
  url: string
  leader(): Promise<Member>
  /** Makes a further database; its address at the leader alone. */
  makeDatabase(name: string): Promise<string>
  /** Waits until one member leads and the other follows it synchronously. */
  whole(): Promise<void>
  /** A file that the programs see under the same path. */
  write(file: string, text: string): string
  stop(): Promise<void>
}

interface Members {
  members: { name: string; role: string; state: string; lag?: number | string }[]
}

export async function startCluster(): Promise<Cluster> {
  makeTree()
  const id = process.pid % 4096
  const net = `10.${200 + (id >> 8)}.${id & 255}`
  const gateway = `${net}.1`
  const data = `/var/lib/causeway-${id}`
  const bridge = `cwb${id}`
  const ended: (() => Promise<void> | void)[] = []
  ip(`link add ${bridge} type bridge`)
  ended.push(() => ip(`link del ${bridge}`))
  ip(`addr add ${gateway}/24 dev ${bridge}`)
  ip(`link set ${bridge} up`)
  mkdirSync(TREE + data)
  ended.push(() => rmSync(TREE + data, { recursive: true, force: true }))
  const write = (file: string, text: string): string => {
    writeFileSync(`${TREE}${data}/${file}`, text, { mode: 0o644 })
    return `${data}/${file}`
  }
  const etcdUrl = `http://${gateway}:2379`
  const peerUrl = `http://${gateway}:2380`
  const etcd = runProgram('etcd', [
    'etcd',
    `--data-dir=${data}/etcd`,
    '--name=etcd',
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=etcd=${peerUrl}`,
  ])
  ended.push(() => etcd.stop())
  const members = ['a', 'b'].map((name, at) => {
    const address = `${net}.${11 + at}`
    const machine = openMachine({ name: `cw${id}${name}`, bridge, address, gateway })
    ended.push(() => machine.remove())
    const folder = `${data}/${name}`
    mkdirSync(TREE + folder)
    ownByPostgres(TREE + folder)
    const settings = write(`${name}.json`, JSON.stringify(patroniSettings(name, address, etcdUrl, folder, `${net}.0/24`)))
    let running: Running | undefined
    const start = (): void => {
      running = machine.run(name, ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', 'patroni', settings])
    }
    start()
    const kill = async (): Promise<void> => {
      machine.kill()
      await running?.kill()
    }
    ended.push(kill)
    return {
      name,
      address,
      start,
      kill,
      pause: machine.pause,
      resume: machine.resume,
      cutOff: machine.cutOff,
      reconnect: machine.reconnect,
    }
  })
  const seen = async (): Promise<Members> => {
    for (const { address } of members) {
      const reply = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(1000) }).catch(() => undefined)
      if (reply?.ok) return (await reply.json()) as Members // of Patroni's own form
    }
    throw new Error('no member answers')
  }
  const leader = async (): Promise<Member> =>
    until(
      'one member leads',
      async () => {
        for (const member of members) {
          const reply = await fetch(`http://${member.address}:8008/primary`, { signal: AbortSignal.timeout(1000) }).catch(
            () => undefined,
          )
          if (reply?.ok) return member
        }
        return undefined
      },
      READY_MS,
    )
  const whole = async (): Promise<void> =>
    until(
      'the cluster is whole',
      async () => {
        const roles = (await seen()).members.map(({ role, state }) => `${role} ${state}`).toSorted()
        return roles.join() === 'leader running,sync_standby streaming'
      },
      READY_MS,
    ).then(() => {})
  const sql = (address: string, text: string): void => {
    const superuser = `postgres://postgres:${PASSWORD}@${address}:5432/postgres`
    execFileSync('chroot', [TREE, `${POSTGRES}/psql`, superuser, '-v', 'ON_ERROR_STOP=1', '-c', text])
  }
  const cluster: Cluster = {
    members,
    url: `postgres://causeway:${PASSWORD}@${members.map(({ address }) => `${address}:5432`).join(',')}/causeway?target_session_attrs=read-write`,
    leader,
    makeDatabase: async (name) => {
      const { address } = await leader()
      sql(address, `create database ${name} owner causeway encoding 'UTF8' template template0`)
      return `postgres://causeway:${PASSWORD}@${address}:5432/${name}`
    },
    whole,
    write,
    stop: async () => {
      for (const end of ended.toReversed()) await end()
    },
  }
  try {
    await whole()
    const { address } = await leader()
    const superuser = `postgres://postgres:${PASSWORD}@${address}:5432/postgres`
    const sql = (text: string) =>
      execFileSync('chroot', [TREE, `${POSTGRES}/psql`, superuser, '-v', 'ON_ERROR_STOP=1', '-c', text])
    sql(`create role causeway login password '${PASSWORD}'`)
    sql(`create database causeway owner causeway encoding 'UTF8' template template0`)
    return cluster
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

function patroniSettings(name: string, address: string, etcdUrl: string, folder: string, network: string) {
  const login = (username: string) => ({ username, password: PASSWORD })
  return {
    scope: 'causeway',
    name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    etcd3: { hosts: etcdUrl.replace('http://', '') },
    bootstrap: {
      dcs: {
        ttl: TTL,
        loop_wait: LOOP_WAIT,
        retry_timeout: 5,
        // At once, instead of trying for five minutes to start a leader that died.
        primary_start_timeout: 0,
        // No acknowledged write is on one machine alone while both run.
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { wal_log_hints: 'on', max_connections: 200, shared_buffers: '64MB', wal_keep_size: '256MB' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
    },
    postgresql: {
      listen: `${address}:5432`,
      connect_address: `${address}:5432`,
      data_dir: `${folder}/data`,
      bin_dir: POSTGRES,
      pgpass: `${folder}/pgpass`,
      authentication: { superuser: login('postgres'), replication: login('replicator'), rewind: login('postgres') },
      parameters: { unix_socket_directories: folder },
      pg_hba: [
        `host all all ${network} scram-sha-256`,
        `host replication replicator ${network} scram-sha-256`,
        'local all all trust',
      ],
    },
  }
}

function openMachine({ name, bridge, address, gateway }: { name: string; bridge: string; address: string; gateway: string }) {
  const link = `v${name}`
  ip(`netns add ${name}`)
  ip(`link add ${link} type veth peer name eth0 netns ${name}`)
  ip(`link set ${link} master ${bridge} up`)
  ip(`-n ${name} addr add ${address}/24 dev eth0`)
  ip(`-n ${name} link set eth0 up`)
  ip(`-n ${name} link set lo up`)
  ip(`-n ${name} route add default via ${gateway}`)
  let first = 0
  const signal = (word: 'STOP' | 'CONT' | 'KILL'): void => {
    const pids = processesIn(first)
    if (pids.length > 0) spawnSync('kill', [`-${word}`, ...pids])
  }
  return {
    run: (label: string, command: string[]): Running => {
      const inner = `mount -t proc proc ${TREE}/proc && mount --bind /dev ${TREE}/dev && mount -t tmpfs -o mode=1777 shm ${TREE}/dev/shm && exec chroot ${TREE} ${command.join(' ')}`
      const namespaces = ['--mount', '--pid', '--fork', 'sh', '-c', inner]
      const running = run({ name: `cluster-${label}`, command: 'ip', args: ['netns', 'exec', name, 'unshare', ...namespaces] })
      first = running.pid
      return running
    },
    // All that it began ends with the first process of its namespace. An account of its own frees that from its parent's end.
    kill: () => signal('KILL'),
    pause: () => signal('STOP'),
    resume: () => signal('CONT'),
    cutOff: () => ip(`link set ${link} down`),
    reconnect: () => ip(`link set ${link} up`),
    remove: () => {
      ip(`netns del ${name}`)
      spawnSync('ip', ['link', 'del', link])
    },
  }
}

/** Of the process namespace that a child of this process began. */
function processesIn(parent: number): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const namespaceOf = (pid: string): string | undefined => {
    try {
      return readlinkSync(`/proc/${pid}/ns/pid`)
    } catch {
      return undefined // it has just ended
    }
  }
  const child = pids.find((pid) => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(parent)
    } catch {
      return false
    }
  })
  const own = child === undefined ? undefined : namespaceOf(child)
  return own === undefined ? [] : pids.filter((pid) => namespaceOf(pid) === own)
}

function ownByPostgres(folder: string): void {
  const [, uid, gid] = /^postgres:x:(\d+):(\d+):/m.exec(readFileSync(`${TREE}/etc/passwd`, 'utf8')) ?? []
  chownSync(folder, Number(uid), Number(gid))
}

function ip(command: string): void {
  execFileSync('ip', command.split(' '), { stdio: ['ignore', 'ignore', 'pipe'] })
}

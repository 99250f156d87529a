// The first thing every npm command runs, on any Node from 20 on and with nothing installed: installs what the lock file
// says, then hands over to the pinned Node. Plain JavaScript because nothing can be assumed yet.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const modules = path.join(root, 'node_modules')

install()
const [script, ...args] = process.argv.slice(2)
const child = spawn(findNode(), ['--disable-warning=ExperimentalWarning', path.join(root, script), ...args], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    CAUSEWAY_CWD: process.cwd(),
    PATH: path.join(modules, '.bin') + path.delimiter + process.env.PATH,
    NODE_COMPILE_CACHE: path.join(modules, '.cache/node'),
  },
})
// A terminal's Ctrl-C already reaches the child (same process group); a supervisor's TERM or HUP does not.
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
process.on('SIGINT', () => {})
child.on('exit', (code, signal) => {
  if (!signal) process.exit(code ?? 1)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})

function install() {
  const stampFile = path.join(modules, '.install-stamp')
  const lock = readFileSync(path.join(root, 'package-lock.json'))
  const wanted = createHash('sha256')
    .update(lock)
    .update(process.platform + process.arch)
    .digest('hex')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  console.log('Installing dependencies (first run, or the lock file changed) ...')
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  const result = spawnSync(npm[0], [...npm.slice(1), 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: '' },
  })
  if (result.status !== 0) {
    console.error('The dependencies could not be installed; npm says why above. Check the network and run the command again.')
    process.exit(result.status ?? 1)
  }
  writeFileSync(stampFile, wanted)
}

function findNode() {
  const bundled = path.join(modules, '.bin/node')
  if (existsSync(bundled) && spawnSync(bundled, ['-v']).status === 0) return bundled
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  console.error(
    `No Node 24 binary is published for ${process.platform}-${process.arch}. Install Node 24 or newer and run the command again.`,
  )
  return process.exit(1)
}
